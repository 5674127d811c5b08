import { namesIn, processesSeen, statFields, textIn } from '../files/index.js'
import { hardStopMs } from './host-error.js'
import { OneTimer } from './one-timer.js'
import { afterReading } from './pipe.js'

/*
 * A program outside a sandbox is trusted, so its clock guards against no tricks: a question is charged its wall time, less what the
 * program's process group waited for a core since then. (The launcher keeps the clock of a program in a sandbox: launcher/timing.c.)
 *
 * The kernel counts a wait when it is over. A group that wants to run, and whose times do not account for the time since the look before,
 * may be waiting now: it is not late as long as that lasts, up to the hard stop.
 */

/** The kernel counts what runs at its ticks, which are so many milliseconds apart at most. */
const TICK_MS = 10
/** Milliseconds between two looks at a group that may be waiting. */
const LOOK_MS = TICK_MS + 2
/** The first look at a process that stays comes after a tenth of the limit, but within these bounds: a look costs more than a quick answer. */
const SOONEST_MS = 2
const LATEST_MS = 20
/** Lateness of a timer, in milliseconds, that is more than the machine's usual. */
const SLIP_MS = 25

/**
 * Calls once the own time of a question is up; `busy`: the hard stop came first. Answers that already lie in the pipe are read before the
 * call. If the system does not count how long programs wait, and this process itself was kept from running (its timer fires late), the
 * program is given the lateness on top, once.
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
    /** What an answer waited is wanted exactly, which takes another look at each slow one. */
    private readonly exact = false,
  ) {}

  /** Milliseconds of the last question that its program waited, where that is wanted exactly. */
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
    // What a process that stays waited before the question is told apart by an early look.
    return this.perTurn ? untilNext(limit) : Math.min(Math.max(limit / 10, SOONEST_MS), LATEST_MS)
  }

  private look(): void {
    // This process may wait for its core while it looks: what passes meanwhile is not charged.
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

  /** `ran`: it certainly ran for longer than its limit. Otherwise it may have ended in time, while this process was kept from seeing it. */
  private finish(busy: boolean, ran = false): void {
    const { due } = this
    const end = () => {
      // It may have been answered meanwhile, and the next question asked.
      if (this.due !== due) return
      this.due = Infinity
      this.onTime(busy)
    }
    if (ran && !busy) end()
    else afterReading(end)
  }
}

/** Milliseconds to the next look: one shortly before the time is up, so that the look at its end shows whether the group runs or waits. */
function untilNext(left: number): number {
  if (left < 0) return LOOK_MS
  return left > LOOK_MS ? left - LOOK_MS : left
}

/** Calls `onTime` once the time of a program is up that is to end by then, or of work in this process. Returns a way to call it off. */
export function deadline(limit: number, onTime: (busy: boolean) => void, group?: number): () => void {
  const clock = new PlainClock(onTime, group === undefined ? undefined : waitsOf(() => group), true)
  clock.set(limit)
  return () => clock.clear()
}

/** What a look at a process group shows. Milliseconds. */
interface Seen {
  /** What the task waited for a core that waited longest since the look before. */
  readonly waited: number
  readonly isWaiting: boolean
  /** What the task has run since its start that ran longest. */
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
      // Before its times: if it is not waiting by now, all that it waited is in them.
      const runnable = statFields(`/proc/${pid}/task/${id}`)[0] === 'R'
      const [ran = 0, waited = 0] = textIn(`/proc/${pid}/task/${id}/schedstat`).split(' ').map(nsInMs)
      return { id, ran, waited, runnable }
    }),
  )
}
const nsInMs = (ns: string): number => Number(ns) / 1e6
