import { expect, it } from 'vitest'
import { Turns, takersOf } from './turns.js'

interface Waiting {
  readonly name: string
  readonly contestant: number
  readonly from?: string
}
const one = (name: string, contestant: number, from?: string): Waiting => ({ name, contestant, from })

it('addresses take turns, and the people of one; who comes alone is not behind a crowd', () => {
  const turns = new Turns<Waiting>(({ contestant, from }) => takersOf({ contest: 'c', contestant }, from))
  let waiting = [one('a1', 1, 'A'), one('a2', 1, 'A'), one('b1', 2, 'A'), one('c1', 3, 'B'), one('host', 0)]
  const planned = turns.order(waiting).map(({ name }) => name)
  const taken: string[] = []
  for (let next = turns.next(waiting); next !== undefined; next = turns.next(waiting)) {
    const { name } = next
    taken.push(name)
    waiting = waiting.filter((other) => other.name !== name)
  }
  expect(taken).toEqual(['a1', 'c1', 'host', 'b1', 'a2'])
  expect(planned).toEqual(taken)
})
