import { expect, it } from 'vitest'
import { StderrTail, start } from './process.js'

/** Keeps this process from running, as a busy machine does. */
function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** Runs a shell command to its end and gives what it printed. */
async function output(command: string, onData: () => void): Promise<string> {
  const launch = { argv: ['sh', '-c', command], cwd: '/', env: { PATH: '/usr/bin:/bin' }, stdin: 'ignore' } as const
  let out = ''
  const running = start(launch, new StderrTail(), (bytes) => {
    out += bytes.toString()
    onData()
  })
  running.exited(() => stall(100))
  await running.ended
  return out
}

it('loses nothing of what an ended program printed, however late it is read', async () => {
  // The first has ended when the loop comes round; while its answer is handled, the second prints and ends, so that
  // both endings are reported at once; the second's output is read only after its pipe's grace.
  const both = [output('echo A', () => stall(400)), output('sleep 0.3; echo B', () => undefined)]
  stall(150)
  expect(await Promise.all(both)).toEqual(['A\n', 'B\n'])
})
