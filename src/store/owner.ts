import { readFileSync } from 'node:fs'

/** This process by its number and, where the system tells, the time it was started: numbers come again. */
export function thisProcess(): string {
  return `${process.pid} ${startOf(process.pid)}`
}

/** Whether the process of that name still runs. One that has ended, and that nobody has asked how, does not. */
export function isRunning(owner: string): boolean {
  const [number = '', began = ''] = owner.split(' ')
  const pid = Number(number)
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return began === '' || (began === startOf(pid) && !/^[ZX]/.test(statOf(pid)[0] ?? ''))
}

/** Ticks between the system's start and a process's (Linux); empty where nobody tells. */
const startOf = (pid: number): string => statOf(pid)[19] ?? ''

/** What the system says of a process from its state on (Linux); nothing where nobody tells. */
function statOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  } catch {
    return []
  }
}
