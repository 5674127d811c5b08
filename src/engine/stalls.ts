import { performance } from 'node:perf_hooks'
import { type AnyWire, type BotOutput, type MatchRecord, type Step, faultOf } from '../core/index.js'
import { textIn } from '../files/index.js'
import { leftOf, limitOf } from '../match/index.js'

/** Milliseconds between two looks at the clock. */
const LOOK_MS = 20

interface Slip {
  readonly at: number
  readonly ms: number
}

/** A thread's time since it began, in milliseconds. */
export interface ThreadTimes {
  /** It had nothing to do, or that could not be seen: it was not ready to run, or others had its core. */
  readonly idle: number
  /** It was ready to run, and others had its core. */
  readonly waited: number
}

/**
 * Watches this process's own clock. If the machine was suspended, or this process stopped, that time was charged to the bots that
 * were asked, and their timeouts are not to be trusted.
 *
 * A timer then comes late though this thread had nothing to do and did not wait for a core. What it computed, or a wait for a disk,
 * kept no bot from running. Cores taken by other programs are credited by each bot's own books; and bots could take cores on purpose,
 * to have a match replayed that they lose.
 */
export class StallWatch {
  private slips: Slip[] = []
  private last: ThreadTimes
  private readonly timer: NodeJS.Timeout

  /** `times`: absent: this thread's. */
  constructor(private readonly times = ownTimes) {
    this.last = times()
    this.timer = setInterval(() => this.look(), LOOK_MS)
    this.timer.unref()
  }

  private look(): void {
    const { idle, waited } = this.times()
    const ms = idle - this.last.idle - (waited - this.last.waited) - LOOK_MS
    this.last = { idle, waited }
    if (ms < LOOK_MS) return
    // Stalls before the oldest question that may still run do not matter.
    if (this.slips.length >= KEPT) this.slips.shift()
    this.slips.push({ at: performance.now(), ms })
  }

  /** The longest slip since a time of performance.now(), in milliseconds. */
  worst(since: number): number {
    this.look()
    return this.slips.reduce((most, { at, ms }) => (at >= since ? Math.max(most, ms) : most), 0)
  }

  close(): void {
    clearInterval(this.timer)
  }
}
const KEPT = 1000

/** 0 where the system does not count what its threads waited. */
const ownTimes = (): ThreadTimes => ({
  idle: performance.eventLoopUtilization().idle,
  waited: Number(textIn('/proc/thread-self/schedstat').split(' ')[1] ?? 0) / 1e6,
})

const isLate = (output: string | BotOutput): boolean =>
  typeof output !== 'string' && output.trouble !== undefined && faultOf(output.trouble).byClock === true

export const isAnyLate = ({ ready, steps }: MatchRecord): boolean =>
  ready.some(([, output]) => isLate(output)) || steps.some((step) => step.some(([, output]) => isLate(output)))

/**
 * Whether a slip may have cost a seat its time: a bot was late, and the slip is a fifth of its limit or more. A module runs
 * here, and is late by its own doing. `slip`: in milliseconds.
 */
export function mayBeStalled(
  record: MatchRecord,
  wires: Readonly<Record<string, AnyWire>>,
  limits: Readonly<Record<string, number>>,
  slip: number,
): boolean {
  const left = leftOf(record)
  const late = (seat: number, name: string, bank = Infinity): boolean => {
    const wire = wires[record.seats[seat]?.wire ?? '']
    return wire !== undefined && wire.transport !== 'module' && slip >= Math.min(limitOf(limits, wire, name), bank) / 5
  }
  const isUnready = record.ready.some(([seat, output]) => {
    const within = wires[record.seats[seat]?.wire ?? '']?.ready?.within
    return isLate(output) && within !== undefined && late(seat, within)
  })
  const isLateIn = (step: Step, t: number): boolean =>
    step.some(([seat, output]) => isLate(output) && late(seat, 'turn', left?.[t]?.[seat]))
  return isUnready || record.steps.some(isLateIn)
}
