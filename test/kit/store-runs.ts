import { describe, expect, it } from 'vitest'
import type { Entrant } from '../../src/core/index.js'
import { entrantsOf, keyOf, played, runOf } from './records.js'
import { alone, recordsOf, type Opening } from './store-opening.js'

/** What every store does with runs. */
export function describeRuns({ folder, opened, begun }: Opening): void {
  describe('runs', () => {
    it('keeps runs with all that is known of them, the newest first', async () => {
      const store = await begun()
      const later = runOf('two', { began: '2024-05-02T10:00:00.000Z', seed: '2' })
      await store.addRun(later)
      expect((await store.runs()).map(({ id }) => id)).toEqual(['two', 'one'])
      expect(await store.run('two')).toEqual({ ...later, state: 'open', matches: 0 })
      expect(await store.run('three')).toBeUndefined()
      await expect(store.addRun(later)).rejects.toThrow('UNIQUE')
      await store.setState('two', 'finished')
      const finished = await store.run('two')
      expect([finished?.state, Date.parse(finished?.ended ?? '') > Date.parse(later.began)]).toEqual(['finished', true])
      expect((await store.run('one'))?.state).toBe('open')
    })

    it('removes a run and the matches that no other run holds', async () => {
      const store = await begun()
      await store.addRun(runOf('two'))
      const matches = Array.from({ length: 70 }, (_, n) => alone(n, played(`1/Ant-Bee/${n}`, [0, 1], [1, 2])))
      await store.record('one', matches)
      await store.adopt('two', [keyOf(3), keyOf(69)])
      await store.removeRun('one')
      expect((await store.runs()).map(({ id }) => id)).toEqual(['two'])
      expect(await store.adopt('two', [keyOf(2), keyOf(3), keyOf(69)])).toEqual(new Set([keyOf(3), keyOf(69)]))
      expect(await recordsOf(store, keyOf(3))).toEqual([matches[3]?.matches[0]?.record])
      expect(await recordsOf(store, keyOf(69))).toEqual([matches[69]?.matches[0]?.record])
      await store.record('two', matches.slice(2, 3))
      expect(await recordsOf(store, keyOf(2))).toEqual([matches[2]?.matches[0]?.record])
    })

    it('gives a run other entrants: its matches come back as they are adopted, with what was ruled of them', async () => {
      const workspace = folder()
      const store = await begun(workspace)
      const other = await opened(workspace)
      const [ant, bee, cat, dog] = entrantsOf() as [Entrant, Entrant, Entrant, Entrant]
      await store.record('one', [
        alone(1, played('1/Ant-Bee/1', [0, 1], [1, 2])),
        alone(2, played('1/Bee-Cat/1', [1, 2], [1, 2])),
        alone(3, played('1/Ant-Cat/1', [0, 2], [1, 2])),
      ])
      // Who has the run open already has its entrants at hand.
      expect((await other.results('one')).get('1/Bee-Cat/1')?.seats).toEqual([1, 2])
      const outcome = { place: [2, 1], reason: 'ruled' }
      for (const key of ['1/Bee-Cat/1', '1/Ant-Cat/1']) {
        const match = (await store.matches('one')).find((row) => row.key === key)
        await store.rule('one', [{ match: match?.id ?? 0, outcome, why: 'rule 7' }])
      }
      await store.exclude('one', { name: 'Dog', status: 'withdrawn', treatment: 'void', why: '' })
      const tournament = 'cd'.repeat(16)
      await store.changeRun(runOf('one', { entrants: [dog, cat, bee], tournament }), { left: ['Ant'] })
      expect(await store.run('one')).toMatchObject({
        matches: 0,
        state: 'open',
        tournament,
        entrants: [dog, cat, bee],
      })
      expect([(await store.results('one')).size, (await store.ruled('one')).size]).toEqual([0, 0])
      expect(await store.adopt('one', [keyOf(2)])).toEqual(new Set([keyOf(2)]))
      expect(await store.ruled('one')).toEqual(new Map([['1/Bee-Cat/1', outcome]]))
      for (const one of [store, other]) {
        expect([...(await one.results('one')).values()]).toMatchObject([{ key: '1/Bee-Cat/1', seats: [2, 1], outcome }])
        const rows = (await one.leaderboard('one')).map(({ name, wins, losses }) => [name, wins, losses])
        expect(rows.filter(([, wins, losses]) => wins !== losses)).toEqual([
          ['Cat', 1, 0],
          ['Bee', 0, 1],
        ])
      }
      expect((await store.exclusions('one')).map(({ name }) => name)).toEqual(['Dog'])
      expect((await store.log('one')).map(({ what }) => what)).toContain('changed')
      // Ant is back: its match was kept.
      await store.changeRun(runOf('one'), {})
      expect(await store.adopt('one', [1, 2, 3].map(keyOf))).toEqual(new Set([1, 2, 3].map(keyOf)))
      expect((await store.leaderboard('one')).find(({ name }) => name === ant.name)).toMatchObject({
        wins: 1,
        losses: 1,
      })
    })

    it('removes a run, and keeps its matches where that is asked', async () => {
      const store = await begun()
      await store.record('one', [alone(1, played('1/Ant-Bee/1', [0, 1], [1, 2]))])
      await store.removeRun('one', 'keep')
      await store.addRun(runOf('two'))
      expect(await store.adopt('two', [keyOf(1)])).toEqual(new Set([keyOf(1)]))
    })

    it('remembers who is out, what bots wrote, and ratings', async () => {
      const store = await begun()
      const exclusion = { name: 'Cat', status: 'withdrawn', treatment: 'void', why: 'asked for it' } as const
      await store.exclude('one', exclusion)
      expect(await store.exclusions('one')).toEqual([exclusion])
      await store.exclude('one', { ...exclusion, name: 'Dog' })
      await store.readmit('one', 'Cat', 'a mistake')
      expect((await store.exclusions('one')).map(({ name }) => name)).toEqual(['Dog'])
      expect((await store.log('one')).at(-1)).toMatchObject({
        what: 'readmitted',
        detail: { name: 'Cat', why: 'a mistake' },
      })
      await store.readmit('one', 'Dog', '')
      await store.exclude('one', exclusion)
      expect(await store.exclusions('one')).toEqual([exclusion])
      await store.saveStderr('one', new Map([['Ant', 'oh no\n']]))
      expect([await store.stderr('one', 'Ant'), await store.stderr('one', 'Bee')]).toEqual(['oh no\n', ''])
      const rating = { entrant: 1, kind: 'bradley-terry', value: 12.5, low: -1, high: 20 }
      await store.saveRatings('one', [{ ...rating, value: 1 }])
      await store.saveRatings('one', [rating])
      expect(await store.ratings('one')).toEqual([rating])
    })
  })
}
