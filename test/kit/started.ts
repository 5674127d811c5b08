import type { ChildProcess } from 'node:child_process'

const running = new Set<ChildProcess>()

/** Has a process ended with its test, however that ends. */
export function endWithTest(child: ChildProcess): void {
  running.add(child)
  child.on('exit', () => running.delete(child))
}

/** Ends all that was started and goes on, however a test has ended. What their bots are ends with them. */
export function killStarted(): void {
  for (const child of running) child.kill('SIGKILL')
}
process.on('exit', killStarted)
