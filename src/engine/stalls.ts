import { readFileSync } from 'node:fs'
import type { AnyWire, MatchRecord } from '../core/index.js'

/** Milliseconds between two looks at the clock. */
const LOOK_MS = 20

interface Slip {
  readonly at: number
  readonly ms: number
  /** How much of it this thread was ready to run, and others had its core. */
  readonly waited: number
}

/**
 * Watches this process's own clock. Where the machine keeps the referee from running, its clock slips; what it then says of
 * others' time is not to be trusted.
 */
export class StallWatch {
  private slips: Slip[] = []
  private last = performance.now()
  private lastWaited: number

  private readonly timer: NodeJS.Timeout

  /** `waitedMs`: how long this thread has waited for a core since it began, in milliseconds. */
  constructor(private readonly waitedMs: () => number = ownWait) {
    this.lastWaited = waitedMs()
    this.timer = setInterval(() => this.look(), LOOK_MS)
    this.timer.unref()
  }

  private look(): void {
    const now = performance.now()
    const ms = now - this.last - LOOK_MS
    this.last = now
    const before = this.lastWaited
    this.lastWaited = this.waitedMs()
    if (ms < LOOK_MS) return
    // What was asked before the longest limit that still runs matters no more.
    if (this.slips.length >= KEPT) this.slips.shift()
    this.slips.push({ at: now, ms, waited: this.lastWaited - before })
  }

  /** The longest slip since a time of performance.now(), in milliseconds. */
  worst(since: number): number {
    return this.longest(since, ({ ms }) => ms)
  }

  /**
   * The same, less what this thread waited for a core. A bot's programs may cause that as they like, to have a match played again that
   * they lose; the launcher of a cell credits a bot for such waiting, so that nobody is late by it.
   */
  worstUnexplained(since: number): number {
    return this.longest(since, ({ ms, waited }) => ms - waited)
  }

  private longest(since: number, of: (slip: Slip) => number): number {
    this.look()
    return this.slips.reduce((most, slip) => (slip.at >= since ? Math.max(most, of(slip)) : most), 0)
  }

  close(): void {
    clearInterval(this.timer)
  }
}
const KEPT = 1000

/** Milliseconds that this thread was ready to run and did not; 0 where the system does not tell. */
function ownWait(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

/**
 * Whether a slip may have cost a seat its time: someone was late whose limit the slip is a fifth of, or more. A module runs in
 * this process, and is late by its own doing. `slip`: in milliseconds, as far as it may have cost that seat its time.
 */
export function mayBeStalled(
  record: MatchRecord,
  wires: Readonly<Record<string, AnyWire>>,
  limits: Readonly<Record<string, number>>,
  slip: (seat: number) => number,
): boolean {
  const late = (seat: number, name: string): boolean => {
    const wire = wires[record.seats[seat]?.wire ?? '']
    return (
      wire !== undefined &&
      wire.transport !== 'module' &&
      slip(seat) >= (limits[name] ?? wire.limits?.[name] ?? 1000) / 5
    )
  }
  return (
    record.ready.some(([seat, { trouble }]) => {
      const within = wires[record.seats[seat]?.wire ?? '']?.ready?.within
      return trouble === 'timeout' && within !== undefined && late(seat, within)
    }) ||
    record.steps.some((step) =>
      step.some(([seat, heard]) => typeof heard !== 'string' && heard.trouble === 'timeout' && late(seat, 'turn')),
    )
  )
}
