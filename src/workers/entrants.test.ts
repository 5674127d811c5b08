import { expect, test } from 'vitest'
import type { Prepared } from '../build/index.js'
import { splitEntrants } from './entrants.js'

test('what was made of an entrant is found by its name, also where objects have something of that name', () => {
  const names = ['__proto__', 'constructor', 'toString', 'Ada']
  const prepared = names.map(
    (name): Prepared =>
      ({
        name,
        hash: name,
        memory: 'match',
        wire: 'jsonl',
        run: { kind: 'module', file: `/${name}.ts` },
      }) as unknown as Prepared,
  )
  const { entrants, programs } = splitEntrants(prepared)
  expect(entrants.map(({ name }) => name)).toEqual(names)
  expect(names.map((name) => structuredClone(programs).get(name))).toEqual(prepared.map(({ run }) => run))
})
