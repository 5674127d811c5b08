import { execFileSync } from 'node:child_process'
import { type Row, quick } from './kit.js'

export const measures =
  'how far the heap of a thread grows that makes much and keeps little, in MiB, against how far V8 lets it grow by itself'

const GROW = `
  const ring = []
  let most = 0
  for (let i = 0; i < 1_200_000; i++) {
    ring[i % 150_000] = { i, more: [i, i + 1, i + 2, i + 3] }
    if (i % 1000 === 0) most = Math.max(most, process.memoryUsage().heapUsed)
  }
  require('node:fs').writeSync(1, most + '\\n')`

/** MiB that the heap of a thread holds at most, in a process that first does this. */
function heapOf(first: string): number {
  const code = `
    import { Worker } from 'node:worker_threads'
    ${first}
    new Worker(${JSON.stringify(GROW)}, { eval: true, execArgv: [] })`
  const words = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', code]
  return Number(execFileSync(process.execPath, words, { encoding: 'utf8' })) / 2 ** 20
}

export default async function bench(): Promise<readonly Row[]> {
  const file = new URL('../src/app/small-heap.ts', import.meta.url).href
  const keep = (words: string) => `import { keepHeapSmall } from ${JSON.stringify(file)}; keepHeapSmall(${words})`
  const usual = heapOf('')
  return Promise.resolve([
    quick('of a run', heapOf(keep('')), 0.8 * usual),
    quick('of a run on a server', heapOf(keep('true')), 1.1 * usual),
  ])
}
