import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import type { ContestFacts } from '../../core/site-facts.js'
import type { StoredRun } from '../../store/index.js'
import type { FoundContest } from './found-contest.js'
import { type TableRequest, TableThread } from './table-thread.js'

/** A thread that answers when it is told to, with how many were started before it. */
class Held extends EventEmitter {
  readonly asked: TableRequest[] = []
  constructor(private readonly number: number) {
    super()
  }
  postMessage(request: TableRequest): void {
    this.asked.push(request)
  }
  answer(): void {
    for (const { n } of this.asked.splice(0)) this.emit('message', { n, text: `thread ${this.number}` })
  }
  unref(): void {
    // It holds nothing.
  }
  terminate(): Promise<number> {
    return Promise.resolve(0)
  }
}

function threads(): { readonly started: Held[]; readonly tables: TableThread } {
  const started: Held[] = []
  const tables = new TableThread({ workspace: '/nowhere' }, () => {
    const held = new Held(started.length)
    started.push(held)
    return held as unknown as Worker
  })
  return { started, tables }
}
const runOf = (matches: number): StoredRun => ({ id: 'run', matches }) as StoredRun
const foundOf = (matches: number): FoundContest => ({ facts: { id: 'run' } as ContestFacts, run: runOf(matches) })

it('a very large run is read in a thread of its own, and others are answered meanwhile', async () => {
  const { started, tables } = threads()
  const large = tables.make(foundOf(50_000), { kind: 'standings' })
  const usual = tables.make(foundOf(49_999), { kind: 'report' })
  expect(started.map(({ asked }) => asked.map((request) => request.asked.kind))).toEqual([['standings'], ['report']])
  started[1]?.answer()
  expect(await usual).toBe('thread 1')
  started[0]?.answer()
  expect(await large).toBe('thread 0')
  tables.close()
})

it('a thread that ends fails what it was asked, and another is started for the next question', async () => {
  const { started, tables } = threads()
  const lost = tables.make(foundOf(10), { kind: 'standings' })
  started[0]?.emit('exit', 1)
  await expect(lost).rejects.toThrow('the thread of tables ended: code 1')
  const next = tables.make(foundOf(10), { kind: 'standings' })
  started[1]?.answer()
  expect(await next).toBe('thread 1')
  tables.close()
})
