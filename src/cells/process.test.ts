import { expect, it } from 'vitest'
import { StderrTail, start } from './process.js'

/** Keeps this process from running, as a busy machine does. */
function stall(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

it('loses nothing of what an ended program printed, however late it is read', async () => {
  const answers: string[] = []
  await Promise.all(
    Array.from({ length: 40 }, async () => {
      const running = start(
        { argv: ['sh', '-c', 'echo B'], cwd: '/', env: { PATH: '/usr/bin:/bin' }, stdin: 'ignore' },
        new StderrTail(),
      )
      let out = ''
      running.child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
      running.exited(() => stall(70))
      await running.ended
      answers.push(out)
    }),
  )
  expect(answers).toEqual(Array.from({ length: 40 }, () => 'B\n'))
})
