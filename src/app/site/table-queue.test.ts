import { expect, it } from 'vitest'
import type { ThreadAsked } from './table-thread.js'
import { TableQueue } from './table-queue.js'

const table = { kind: 'table' } as ThreadAsked
const due = { kind: 'due' } as ThreadAsked

it('what is asked of luck is answered before the tables that wait, and the rest in its order', async () => {
  const answered: number[] = []
  let over: () => void = () => undefined
  const done = new Promise<void>((resolve) => (over = resolve))
  const queue = new TableQueue(async ({ n }) => {
    answered.push(n)
    if (n === 1) queue.add({ n: 5, asked: due })
    if (answered.length === 5) over()
  })
  for (const [n, asked] of [table, table, due, table].entries()) queue.add({ n: n + 1, asked })
  await done
  expect(answered).toEqual([3, 1, 5, 2, 4])
})
