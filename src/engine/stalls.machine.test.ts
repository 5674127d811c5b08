import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { StallWatch } from './stalls.js'

it('the watch sees that this process stood still, and forgets what was before', async () => {
  const watch = new StallWatch()
  const began = performance.now()
  // It is stopped until that is seen: a stop that finds it at work, not waiting, is none that the watch is to see. Asked to end, the
  // shell lets it go on before.
  const go = `kill -CONT ${process.pid}`
  const stop = `sleep 0.2; kill -STOP ${process.pid}; sleep 0.3; ${go}`
  const stops = spawn('sh', ['-c', `trap '${go}; exit' TERM; for each in 1 2 3 4 5 6 7 8 9 10; do ${stop}; done`])
  await expect.poll(() => watch.worst(began), { timeout: 120_000 }).toBeGreaterThan(200)
  stops.kill()
  await once(stops, 'exit')
  expect(watch.worst(performance.now() + 1000), 'what was before').toBe(0)
  watch.close()
})
