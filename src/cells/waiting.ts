import { readFileSync, readdirSync } from 'node:fs'

/**
 * Milliseconds that a process group has waited for a core because of others, at least, since it was started; 0 where the system
 * does not tell (Linux does). A task that waited w while the rest of the group ran for c was kept from its core by strangers for
 * w − c or more: waiting that the group causes itself is never counted. The launcher of cells counts in the same way.
 */
export function waitedFor(group: number): number {
  const tasks = membersOf(group).flatMap(tasksOf)
  const ran = tasks.reduce((sum, task) => sum + task.ran, 0)
  return Math.max(0, ...tasks.map((task) => task.waited - (ran - task.ran))) / 1e6
}

function membersOf(group: number): string[] {
  return list('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    // Behind the program's name, which may hold anything: state, parent, process group.
    const fields = read(`/proc/${name}/stat`).split(') ').at(-1)?.split(' ')
    return Number(fields?.[2]) === group
  })
}

/** Nanoseconds that each task has run, and has waited to run. */
function tasksOf(pid: string): { ran: number; waited: number }[] {
  return list(`/proc/${pid}/task`).map((task) => {
    const [ran = 0, waited = 0] = read(`/proc/${pid}/task/${task}/schedstat`).split(' ').map(Number)
    return { ran, waited }
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
