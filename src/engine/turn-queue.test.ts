import { expect, it } from 'vitest'
import { TurnQueue } from './turn-queue.js'

interface Piece {
  readonly name: string
  readonly contest: string
  readonly contestant: number
  readonly from?: string
}
const piece = (name: string, contestant: number, from?: string): Piece => ({ name, contest: 'c', contestant, from })

it('addresses take turns, and the people of one; who comes alone is not behind a crowd', async () => {
  const done: string[] = []
  const gate: { open?: () => void } = {}
  const held = new Promise<void>((open) => (gate.open = open))
  const queue = new TurnQueue<Piece>(1, async ({ name }) => {
    if (done.length === 0) await held
    done.push(name)
  })
  const all = [piece('a1', 1, 'A'), piece('a2', 1, 'A'), piece('b1', 2, 'A'), piece('c1', 3, 'B'), piece('host', 0)]
  for (const one of all) queue.push(one)
  const before = (name: string) => queue.before((one) => one.name === name)
  expect(all.map(({ name }) => before(name))).toEqual([undefined, 3, 2, 0, 1])
  gate.open?.()
  await expect.poll(() => done).toEqual(['a1', 'c1', 'host', 'b1', 'a2'])
  await queue.close()
  queue.push(piece('late', 1))
  expect([before('late'), done.length]).toEqual([0, 5])
})
