import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

/** Prints to how many bytes the heap of a thread grows while it keeps little of the much that it makes. */
const GROW = `
  const ring = []
  let most = 0
  for (let i = 0; i < 1_200_000; i++) {
    ring[i % 150_000] = { i, more: [i, i + 1, i + 2, i + 3] }
    if (i % 1000 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
  }
  require('node:fs').writeSync(1, most + '\\n')`

/** The most that the heap of a thread holds, in a process that first does this. */
function heapOf(first: string): number {
  const code = `
    import { Worker } from 'node:worker_threads'
    ${first}
    new Worker(${JSON.stringify(GROW)}, { eval: true, execArgv: [] })`
  const words = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', code]
  return Number(execFileSync(process.execPath, words, { encoding: 'utf8' }))
}

it('the heaps of a process and its threads are collected before they have grown far over what lives in them', () => {
  const file = new URL('small-heap.ts', import.meta.url).href
  const small = heapOf(`import { keepHeapSmall } from ${JSON.stringify(file)}; keepHeapSmall()`)
  const onServer = heapOf(`import { keepHeapSmall } from ${JSON.stringify(file)}; keepHeapSmall(true)`)
  const usual = heapOf('')
  expect(small).toBeGreaterThan(0)
  expect(small / usual).toBeLessThan(0.8)
  expect(small / onServer).toBeLessThan(0.9)
  expect(onServer / usual).toBeLessThan(1.1)
})
