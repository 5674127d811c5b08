import { readFileSync, readdirSync } from 'node:fs'
import { leastCredit, unbooked } from './clock.js'

/** What a process group is credited: surely, and at most. Nanoseconds. */
export interface Credit {
  readonly sure: bigint
  readonly maybe: bigint
  /** What the task ran that ran longest: the group has taken as long, at least. Absent: not known. */
  readonly longest?: bigint
}

interface Task {
  readonly ran: bigint
  readonly waited: bigint
  /** How long it may have waited at that moment without its books showing it. */
  readonly unbooked: bigint
}

/** What a process's threads have run, the ended ones among them, what its children ran that it has waited for, and its tasks. */
interface Process {
  readonly own: bigint
  readonly children: bigint
  readonly tasks: ReadonlyMap<string, Task>
}
type Books = ReadonlyMap<string, Process>

/**
 * What a process group has waited for a core because of others since it was started, or since it was asked, from look to look;
 * nothing where the system does not count it (Linux does). Waiting that the group causes itself is never counted; what its ended threads
 * ran, and the processes that it has waited for, is. The launcher of sandboxes counts in the same way.
 */
export class Waiting {
  private base: Books = new Map()
  private last: Books = new Map()
  private family = 0n
  /** What it was credited before `base`. */
  private head = 0n

  constructor(
    private readonly group: number,
    private began = process.hrtime.bigint(),
    private lookedAt = began,
  ) {}

  /** Milliseconds of CPU time that the group has used, at least, as of the last look. */
  get cpuMs(): number {
    return Number(this.family) / 1e6
  }

  /**
   * The books begin anew: the group is asked something, at a time that is a moment ago. What it waited since the last look counts as
   * far as the question is old. A wait that goes on at this moment is booked later, and has room in all of the question's time.
   */
  begin(began: bigint, now = process.hrtime.bigint()): void {
    this.base = this.last
    this.began = this.lookedAt = began
    this.family = this.head = 0n
    const { sure } = this.look(now)
    this.base = this.last
    this.family = 0n
    const age = now > began ? now - began : 0n
    this.head = sure < age ? sure : age
    this.began = began + this.head
  }

  look(now = process.hrtime.bigint()): Credit {
    const passed = now - this.lookedAt
    const books = new Map<string, Process>()
    let family = 0n
    for (const { pid, own, children } of membersOf(this.group)) {
      const tasks = new Map<string, Task>()
      const [last, base] = [this.last.get(pid), this.base.get(pid)]
      let ran = 0n
      for (const task of tasksOf(pid)) {
        const before = forerunner(last, task)
        const more = unbooked(
          before.unbooked,
          passed,
          task.ran - before.ran,
          less(task.waited, before.waited),
          task.runnable,
        )
        tasks.set(task.id, { ...task, unbooked: more })
        ran += task.ran - forerunner(base, task).ran
      }
      books.set(pid, { own, children, tasks })
      // A difference of two numbers that were cut may be too large by a tick for each.
      const cut = base === undefined ? 0n : 2n * TICK_NS
      const all = less(own - (base?.own ?? 0n), cut)
      family += (ran > all ? ran : all) + less(children - (base?.children ?? 0n), cut)
    }
    // What is gone has run nevertheless.
    if (family > this.family) this.family = family
    this.lookedAt = now
    this.last = books
    return this.credit(now)
  }

  private credit(now: bigint): Credit {
    let [sure, maybe, longest] = [0n, 0n, 0n]
    for (const [pid, { tasks }] of this.last)
      for (const [id, task] of tasks) {
        const before = forerunner(this.base.get(pid), { ...task, id })
        const [waited, ran] = [less(task.waited, before.waited), task.ran - before.ran]
        const [known, possible] = [waited, waited + task.unbooked].map((time) =>
          leastCredit(time, ran, this.family, less(now, this.began)),
        ) as [bigint, bigint]
        if (ran > longest) longest = ran
        if (known > sure) sure = known
        if (possible > maybe) maybe = possible
      }
    return { sure: this.head + sure, maybe: this.head + maybe, longest }
  }
}

const UNKNOWN: Task = { ran: 0n, waited: 0n, unbooked: 0n }
const less = (a: bigint, b: bigint): bigint => (a > b ? a - b : 0n)

/** What the books have of a task; one that has run for less than they say is another, of the same number. */
function forerunner(of: Process | undefined, { id, ran }: { readonly id: string; readonly ran: bigint }): Task {
  const task = of?.tasks.get(id)
  return task === undefined || task.ran > ran ? UNKNOWN : task
}

/** Whether the system counts how long a task has waited for a core. */
export const countsWaiting = read('/proc/self/schedstat') !== ''

/** Nanoseconds of a tick, in which /proc/PID/stat counts. */
const TICK_NS = 10_000_000n

/** The processes of a group, with what their ended and living threads have run, and the children that they have waited for. */
function membersOf(group: number): { pid: string; own: bigint; children: bigint }[] {
  return list('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    const fields = statOf(pid)
    if (Number(fields[2]) !== group) return []
    const ticks = (at: number): bigint => BigInt(fields[at] ?? 0) * TICK_NS
    return [{ pid, own: ticks(11) + ticks(12), children: ticks(13) + ticks(14) }]
  })
}

/** The fields of /proc/PID/stat behind the program's name, which may hold anything: state, parent, process group. */
const statOf = (pid: string): string[] => read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []

/** Nanoseconds that each task has run, and has waited to run. */
function tasksOf(pid: string): { id: string; ran: bigint; waited: bigint; runnable: boolean }[] {
  return list(`/proc/${pid}/task`).map((id) => {
    // Before its books: what is not waiting by now has all that it waited in them.
    const runnable = statOf(id)[0] === 'R'
    const [ran = '0', waited = '0'] = read(`/proc/${pid}/task/${id}/schedstat`).split(' ')
    return { id, ran: BigInt(ran), waited: BigInt(waited), runnable }
  })
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
