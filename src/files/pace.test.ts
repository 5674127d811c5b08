import { expect, it } from 'vitest'
import { paced, pause } from './pace.js'

/** Works for so many ms. */
function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

it('many short pieces of work leave timers their turn, as one long piece does', async () => {
  await pause()
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  const short = function* (): Generator<void, string> {
    work(2)
    yield
    return 'done'
  }
  for (let n = 0; n < 30; n++) expect(await paced(short())).toBe('done')
  clearInterval(turning)
  expect(turns).toBeGreaterThan(0)
})
