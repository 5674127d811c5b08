import { readFileSync, readdirSync } from 'node:fs'
import { claim, unbooked } from './clock.js'

/** What a process group is credited: surely, and at most. Nanoseconds. */
export interface Credit {
  readonly sure: bigint
  readonly maybe: bigint
}

interface Books {
  readonly ran: bigint
  readonly waited: bigint
  readonly unbooked: bigint
}

/**
 * What a process group has waited for a core because of others since it was started, from look to look; nothing where the system
 * does not tell (Linux does). Waiting that the group causes itself is never counted; what its ended threads ran, and the
 * processes that it has waited for, is. The launcher of cells counts in the same way.
 */
export class Waiting {
  private last = new Map<string, Books>()
  private family = 0n

  constructor(
    private readonly group: number,
    private readonly began = process.hrtime.bigint(),
    private lookedAt = began,
  ) {}

  /** Milliseconds of CPU time that the group has used, at least, as of the last look. */
  get cpuMs(): number {
    return Number(this.family) / 1e6
  }

  look(now = process.hrtime.bigint()): Credit {
    const passed = now - this.lookedAt
    const books = new Map<string, Books & { runnable: boolean }>()
    let family = 0n
    for (const { pid, own, children } of membersOf(this.group)) {
      const tasks = tasksOf(pid)
      const ran = tasks.reduce((all, task) => all + task.ran, 0n)
      family += (ran > own ? ran : own) + children
      for (const task of tasks) {
        const last = this.last.get(task.id) ?? { ran: 0n, waited: 0n, unbooked: 0n }
        books.set(task.id, {
          ...task,
          unbooked: unbooked(last.unbooked, passed, task.ran - last.ran, task.waited - last.waited, task.runnable),
        })
      }
    }
    // What is gone has run nevertheless.
    if (family > this.family) this.family = family
    this.lookedAt = now
    this.last = books
    let [sure, maybe] = [0n, 0n]
    for (const { ran, waited, unbooked: more } of books.values()) {
      const [known, possible] = [waited, waited + more].map((time) => claim(time, ran, this.family, now - this.began))
      if (known !== undefined && known > sure) sure = known
      if (possible !== undefined && possible > maybe) maybe = possible
    }
    return { sure, maybe }
  }
}

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
    const [ran = '0', waited = '0'] = read(`/proc/${pid}/task/${id}/schedstat`).split(' ')
    return { id, ran: BigInt(ran), waited: BigInt(waited), runnable: statOf(id)[0] === 'R' }
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
