import type { Match } from '../../src/core/index.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredMatch, Store } from '../../src/store/port.js'
import { entrantsOf, keyOf, played, runOf } from './records.js'
import { all, alone, type Opening } from './store-opening.js'

/** What every store tells of all matches of a run at once. */
export function describeGames({ folder, opened, begun }: Opening): void {
  const gamesOf = async (store: Store, run: string): Promise<StoredMatch[]> => {
    const games: StoredMatch[] = []
    await store.eachMatch(run, (game) => games.push(game))
    return games
  }
  /** A match of its own, with as many steps and times as given. */
  const match = (n: number, seats: readonly number[], outputs: readonly (string | object)[]): Match => {
    const one = played(
      `1/Ant-Bee/${n}`,
      seats,
      seats.map((_, seat) => 1 + ((n + seat) % 2)),
    )
    const steps = outputs.map((output) => [[n % 2, output]] as const) as unknown as Match['record']['steps']
    return { ...one, record: { ...one.record, steps, times: outputs.map((_, turn) => [[100 * turn + n] as const]) } }
  }

  describe('all matches at once', () => {
    it('are what their records say, in batches of any size, by two writers and in a second run', async () => {
      const answers = fc.array(fc.constantFrom('a', 'b', { out: 'c', exit: 1 }), { maxLength: 3 })
      const matches = fc.array(
        fc.record({ seats: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 2 }), said: answers }),
        { minLength: 1, maxLength: 200 },
      )
      await fc.assert(
        fc.asyncProperty(fc.array(matches, { minLength: 1, maxLength: 4 }), async (batches) => {
          const workspace = folder()
          const writers = [await begun(workspace), await opened(workspace)]
          const list: Match[] = []
          for (const [b, batch] of batches.entries()) {
            const from = list.length
            list.push(...batch.map(({ seats, said }, i) => match(from + i, seats, said)))
            const jobs = list.slice(from).map((one, i) => alone(from + i, one))
            await writers[b % 2]?.record('one', jobs)
          }
          const order = ['Dog', 'Cat', 'Bee', 'Ant']
          await writers[0]?.addRun(runOf('two', { entrants: entrantsOf(order) }))
          await writers[1]?.adopt(
            'two',
            list.map((_, n) => keyOf(n)),
          )
          for (const [run, index] of [
            ['one', (entrant: number) => entrant],
            ['two', (entrant: number) => 3 - entrant],
          ] as const) {
            const store = await opened(workspace)
            const games = await gamesOf(store, run)
            expect(games.map(({ key }) => key)).toEqual(list.map(({ record }) => record.key))
            expect(games.map(({ seats }) => seats)).toEqual(list.map(({ seats }) => seats.map(index)))
            expect(games.map(({ outcome }) => outcome)).toEqual(list.map(({ record }) => record.outcome))
            expect(games.map(({ turns }) => turns)).toEqual(list.map(({ record }) => record.steps.length))
            const courses = new Map(list.map(({ record }, n) => [JSON.stringify(record.steps), games[n]?.course]))
            expect(new Set(courses.values()).size).toBe(courses.size)
            expect(list.map(({ record }) => courses.get(JSON.stringify(record.steps)))).toEqual(
              games.map(({ course }) => course),
            )
          }
        }),
        { numRuns: 6 },
      )
    })

    it('have the course of what was answered, whatever notes for people came with it, and the luck of their seed', async () => {
      const store = await begun()
      const crash = (why: string) => ({ trouble: 'crash', why })
      const list = [
        match(0, [0, 1], ['a', crash('signal 9')]),
        match(2, [0, 1], ['a', crash('signal 11')]),
        match(4, [0, 1], ['a', { trouble: 'timeout' }]),
      ].map((one, n) => ({ ...one, record: { ...one.record, luck: { seed: n < 2 ? 'x' : 'y', at: 0 } } }))
      await store.record(
        'one',
        list.map((one, n) => alone(n, one)),
      )
      const [a, b, c] = await gamesOf(store, 'one')
      expect([b?.course === a?.course, c?.course === a?.course]).toEqual([true, false])
      expect([b?.luck === a?.luck, c?.luck === a?.luck]).toEqual([true, false])
    })

    it('keep keys of any form, and count as they were ruled', async () => {
      const store = await begun()
      const keys = ['1/Ant-Bee/07', 'alone', '1/Ant-Bee/9007199254740993', '1/%2D/3', '']
      await store.record(
        'one',
        keys.map((key, n) => alone(n, played(key, [0, 1], [1, 2]))),
      )
      expect([...(await store.results('one')).keys()]).toEqual(keys)
      const outcome = { place: [2, 1], reason: 'ruled' }
      const [, second] = await gamesOf(store, 'one')
      await store.rule('one', [{ match: second?.id ?? 0, outcome, why: 'x' }])
      const games = await gamesOf(store, 'one')
      expect(games.map((game) => game.outcome.reason)).toEqual(['shot', 'ruled', 'shot', 'shot', 'shot'])
      expect(await store.removeRun('one')).toBeUndefined()
      await store.addRun(runOf('one'))
      expect(await gamesOf(store, 'one')).toEqual([])
      expect(await all(store.jobs('one'))).toEqual([])
    })
  })
}
