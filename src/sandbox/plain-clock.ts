import { namesIn, processesSeen, statFields, textIn } from '../files/index.js'
import { hardStopMs } from './host-error.js'
import { OneTimer } from './one-timer.js'
import { afterReading } from './pipe.js'

/*
 * A program outside a sandbox is trusted, so its clock guards against no tricks: a question is charged its wall time,
 * less what the program's process group waited for a core. (In a sandbox: launcher/timing.c.)
 *
 * The kernel counts a wait when it is over. A group that wants to run, and whose times do not explain the time since
 * the last look, may be waiting now: until the hard stop it is not late meanwhile.
 */

/** Milliseconds, at most, between the kernel's ticks, at which it counts what runs. */
const TICK_MS = 10
/** Milliseconds between two looks at a group that may be waiting. */
const LOOK_MS = TICK_MS + 2
/** Bounds of the first look at a process that stays, at a tenth of the limit: a look costs more than a quick answer. */
const SOONEST_MS = 2
const LATEST_MS = 20
/** Milliseconds by which a timer is unusually late. */
const SLIP_MS = 25

/**
 * Calls once the own time of a question is up; `busy`: the hard stop came first. Answers in the pipe are read before
 * the call. If the system does not count how long programs wait, and this process was kept from running (its timer
 * fires late), the program gets the lateness on top, once.
 */
export class PlainClock {
  private began = 0
  private limit = 0
  private given = 0
  private patient = false
  private looked = false
  /** When to look next; Infinity: nothing is asked. */
  private due = Infinity
  private readonly timer = new OneTimer(
    () => this.due,
    () => this.look(),
  )

  constructor(
    private readonly onTime: (busy: boolean) => void,
    private readonly waits?: Pick<GroupWaits, 'look'>,
    /** The program was started for the question, and its end is the answer. */
    private readonly perTurn = false,
    /** An answer's wait is wanted exactly: another look at each slow one. */
    private readonly exact = false,
  ) {}

  /** Milliseconds that the program waited in the last question, if wanted exactly. */
  get credit(): number {
    return this.exact ? this.given : 0
  }

  /** A question is asked now, and has so many milliseconds. */
  set(limit: number, now = performance.now()): void {
    this.began = now
    this.limit = limit
    this.given = 0
    this.patient = true
    this.looked = false
    this.due = now + this.firstLook(limit)
    this.timer.look()
  }

  off(now = performance.now()): void {
    if (this.exact && this.looked && this.due !== Infinity) this.give(now)
    this.due = Infinity
  }

  clear(): void {
    this.off()
    this.timer.clear()
  }

  private firstLook(limit: number): number {
    if (this.waits === undefined) return limit
    // An early look tells what a process that stays waited before the question.
    return this.perTurn ? untilNext(limit) : Math.min(Math.max(limit / 10, SOONEST_MS), LATEST_MS)
  }

  private look(): void {
    // This process may wait for its core while it looks: that is not charged.
    const now = performance.now()
    if (this.waits === undefined) return this.forgive(now)
    this.looked = true
    const { isWaiting = false, longest = 0 } = this.give(now) ?? {}
    const wall = now - this.began
    const left = this.limit - (wall - this.given)
    const late = left < 0 && !isWaiting
    const hard = hardStopMs(this.limit)
    if (late || wall >= hard) return this.finish(!late, this.perTurn && longest > this.limit)
    this.wait(Math.min(now + untilNext(left), this.began + hard))
  }

  private give(now: number): Seen | undefined {
    const seen = this.waits?.look(now)
    this.given = Math.min(this.given + (seen?.waited ?? 0), now - this.began)
    return seen
  }

  private forgive(now: number): void {
    const slip = Math.min(now - this.due, this.limit)
    if (!this.patient || slip <= SLIP_MS) return this.finish(false)
    this.patient = false
    this.wait(now + slip)
  }

  private wait(until: number): void {
    this.due = until
    this.timer.look()
  }

  /** `ran`: it certainly ran longer than its limit. Else it may have ended in time, unseen. */
  private finish(busy: boolean, ran = false): void {
    const { due } = this
    const end = () => {
      // The next question may have been asked meanwhile.
      if (this.due !== due) return
      this.due = Infinity
      this.onTime(busy)
    }
    if (ran && !busy) end()
    else afterReading(end)
  }
}

/**
 * Milliseconds to the next look: one comes shortly before the end, so that the last shows whether the group runs or
 * waits.
 */
function untilNext(left: number): number {
  if (left < 0) return LOOK_MS
  return left > LOOK_MS ? left - LOOK_MS : left
}

/**
 * Calls `onTime` once the time is up of a program that is to end, or of work in this process. Returns how to call it
 * off.
 */
export function deadline(limit: number, onTime: (busy: boolean) => void, group?: number): () => void {
  const clock = new PlainClock(onTime, group === undefined ? undefined : waitsOf(() => group), true)
  clock.set(limit)
  return () => clock.clear()
}

/** What a look at a process group shows. Milliseconds. */
interface Seen {
  /** The longest wait of a task for a core since the look before. */
  readonly waited: number
  readonly isWaiting: boolean
  /** The longest that a task has run since its start. */
  readonly longest: number
}

/** A thread: milliseconds that it ran, and that it waited for a core, since it was started. */
interface Task {
  readonly id: string
  readonly ran: number
  readonly waited: number
  readonly runnable: boolean
}

export class GroupWaits {
  private last: ReadonlyMap<string, Task> = new Map()

  constructor(
    private readonly tasks: () => readonly Task[],
    private lookedAt = performance.now(),
  ) {}

  look(now: number): Seen {
    const tasks = this.tasks()
    const grown = (of: 'ran' | 'waited') =>
      tasks.map((task) => Math.max(0, task[of] - (this.last.get(task.id)?.[of] ?? 0)))
    const waited = Math.max(0, ...grown('waited'))
    const ran = grown('ran').reduce((sum, ms) => sum + ms, 0)
    const unknown = now - this.lookedAt - ran - waited
    this.last = new Map(tasks.map((task) => [task.id, task]))
    this.lookedAt = now
    return {
      waited,
      isWaiting: tasks.some(({ runnable }) => runnable) && (ran === 0 || unknown > TICK_MS),
      longest: Math.max(0, ...tasks.map((task) => task.ran)),
    }
  }
}

/** Undefined: the system does not count how long programs wait for a core. Linux does. */
export const waitsOf = (group: () => number | undefined): GroupWaits | undefined =>
  COUNTS ? new GroupWaits(() => tasksOf(group())) : undefined
const COUNTS = textIn('/proc/self/schedstat') !== ''

function tasksOf(group: number | undefined): Task[] {
  const members = processesSeen().filter((pid) => Number(statFields(`/proc/${pid}`)[2]) === group)
  return members.flatMap((pid) =>
    namesIn(`/proc/${pid}/task`).map((id) => {
      // Before its times: they hold all waits unless it waits now.
      const runnable = statFields(`/proc/${pid}/task/${id}`)[0] === 'R'
      const [ran = 0, waited = 0] = textIn(`/proc/${pid}/task/${id}/schedstat`).split(' ').map(nsInMs)
      return { id, ran, waited, runnable }
    }),
  )
}
const nsInMs = (ns: string): number => Number(ns) / 1e6
