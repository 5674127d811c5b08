import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { EntrantInfo, Played, PlayedUnit, Store, UnitDump } from '../../src/store/port.js'
import { TOURNAMENT, entrantsOf, keyOf, played, runOf } from './records.js'

const alone = (n: number, match: Played): PlayedUnit => ({ key: keyOf(n), matches: [match] })

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const recordsOf = async (store: Store, unit: string) => (await store.read(unit)).map(({ record }) => record)

/** What every store does. `open` opens the store of a workspace, made where there is none. */
export function describeStore(kind: string, open: (workspace: string) => Promise<Store>): void {
  describe(`${kind}: the store`, () => {
    const folders: string[] = []
    const stores: Store[] = []
    const folder = (): string => {
      const made = mkdtempSync(join(tmpdir(), 'agon-store-'))
      folders.push(made)
      return made
    }
    const opened = async (workspace = folder()): Promise<Store> => {
      const store = await open(workspace)
      stores.push(store)
      return store
    }
    const begun = async (workspace?: string): Promise<Store> => {
      const store = await opened(workspace)
      await store.addRun(runOf('one'), entrantsOf())
      return store
    }
    afterEach(async () => {
      await Promise.all(stores.splice(0).map((store) => store.close()))
      for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
    })

    it('keeps runs with all that is known of them, the newest first', async () => {
      const store = await begun()
      const later = runOf('two', { began: '2024-05-02T10:00:00.000Z', seed: '2' })
      await store.addRun(later, entrantsOf())
      expect((await store.runs()).map(({ id }) => id)).toEqual(['two', 'one'])
      expect(await store.run('two')).toEqual({ ...later, matches: 0 })
      expect(await store.entrants('two')).toEqual(entrantsOf())
      expect(await store.run('three')).toBeUndefined()
      await expect(store.addRun(later, entrantsOf())).rejects.toThrow('UNIQUE')
      await store.setState('two', 'finished')
      const finished = await store.run('two')
      expect([finished?.state, Date.parse(finished?.ended ?? '') > Date.parse(later.began)]).toEqual(['finished', true])
      expect((await store.run('one'))?.state).toBe('open')
    })

    it('gives back what was recorded, also to who opens it next', async () => {
      const workspace = folder()
      const store = await begun(workspace)
      const odd = played('1/Ant-Bee/1', [1, 0], [2, 1], 'a "quoted" é\u0000\n👻 line')
      const series = [played('1/Cat-Dog/1', [2, 3], [1, 1]), played('1/Cat-Dog/2', [3, 2], [1, 2])]
      const fault = { seat: 1, turn: 0, fault: 'timeout', why: 'late', said: 'half' } as const
      const faulty = { ...odd, faults: [fault, { seat: 0, turn: 3, fault: 'silent' } as const] }
      expect(await store.record('one', [alone(1, faulty), { key: keyOf(2), matches: series }])).toEqual(new Set())
      const other = await opened(workspace)
      const judged = ({ record, faults }: Played) => ({ record, faults })
      expect(await other.read(keyOf(1))).toEqual([judged(faulty)])
      expect(await other.read(keyOf(2))).toEqual(series.map(judged))
      expect([await other.has(keyOf(2)), await other.has(keyOf(3))]).toEqual([true, false])
      await expect(other.read(keyOf(3))).rejects.toThrow('holds no unit')
      const results = await other.results('one')
      expect(results.get('1/Ant-Bee/1')).toEqual({ key: '1/Ant-Bee/1', seats: [1, 0], outcome: odd.record.outcome })
      expect(results.size).toBe(3)
      const [newest] = await other.matches('one', { last: 1 })
      expect([newest?.place, newest?.seats]).toEqual(['1/Cat-Dog/2', [3, 2]])
      const [match] = await other.matches('one', { entrant: 0 })
      expect(await other.faults(match?.id ?? 0)).toEqual(faulty.faults)
      expect(await other.recordOf(match?.id ?? 0)).toEqual(odd.record)
      expect((await other.run('one'))?.matches).toBe(3)
    })

    it('plays nothing twice: what a unit is decides, and the first to come stays', async () => {
      const store = await begun()
      const first = played('1/Ant-Bee/1', [0, 1], [1, 2], 'first')
      await store.record('one', [alone(1, first)])
      const again = alone(1, played('1/Ant-Bee/1', [0, 1], [2, 1], 'second'))
      expect(await store.record('one', [again, alone(2, played('1/Ant-Cat/1', [0, 2], [1, 2]))])).toEqual(
        new Set([keyOf(1)]),
      )
      expect(await recordsOf(store, keyOf(1))).toEqual([first.record])
      const [ant] = await store.leaderboard('one')
      expect([ant?.name, ant?.wins, ant?.matches]).toEqual(['Ant', 2, 2])
    })

    it('shares matches between runs, each counting them once', async () => {
      const store = await begun()
      await store.record('one', [alone(1, played('1/Bee-Cat/1', [1, 2], [1, 2]))])
      const order = ['Cat', 'Bee']
      const plan = { ...runOf('two').plan, names: order }
      await store.addRun(
        runOf('two', { plan }),
        order.map((who) => entrantsOf().find((one) => one.name === who) as EntrantInfo),
      )
      for (let time = 0; time < 2; time++)
        expect(await store.adopt('two', [keyOf(1), keyOf(7)])).toEqual(new Set([keyOf(1)]))
      expect((await store.results('two')).get('1/Bee-Cat/1')?.seats).toEqual([1, 0])
      expect((await store.leaderboard('two')).map((row) => [row.name, row.points, row.matches])).toEqual([
        ['Bee', 1, 1],
        ['Cat', 0, 1],
      ])
    })

    it('removes a run and the matches that no other run holds', async () => {
      const store = await begun()
      await store.addRun(runOf('two'), entrantsOf())
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

    it('has every record at hand, however they came', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 5 }), async (sizes) => {
          const store = await begun()
          const units: PlayedUnit[] = []
          for (const size of sizes) {
            const from = units.length
            const batch = Array.from({ length: size }, (_, n) =>
              alone(from + n, played(`1/Ant-Bee/${from + n}`, [0, 1], [1, 2], `said ${from + n}`)),
            )
            await store.record('one', batch)
            units.push(...batch)
          }
          for (const { key, matches } of units) expect(await recordsOf(store, key)).toEqual([matches[0]?.record])
          const dumped = await all(store.units('one'))
          expect(dumped.map(({ key }) => key)).toEqual(units.map(({ key }) => key))
        }),
        { numRuns: 2 },
      )
    })

    it('counts as one would by going through all matches', async () => {
      const match = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 2 }).chain((seats) =>
        fc.record({
          seats: fc.constant(seats),
          ranks: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: seats.length, maxLength: seats.length }),
          playoff: fc.boolean(),
        }),
      )
      await fc.assert(
        fc.asyncProperty(fc.array(match, { maxLength: 30 }), async (matches) => {
          const store = await begun()
          const list = matches.map(({ seats, ranks, playoff }, n) => ({
            ...played(String(n), seats, ranks),
            playoff,
          }))
          await store.record(
            'one',
            list.map((one, n) => alone(n, one)),
          )
          const counted = list.filter(({ playoff }) => !playoff)
          for (const row of await store.leaderboard('one')) {
            const mine = counted.filter(({ seats }) => seats.includes(row.entrant))
            const place = ({ seats, record }: Played) => record.outcome.place[seats.indexOf(row.entrant)]
            const first = mine.filter((one) => place(one) === 1)
            const shared = first.filter(({ record }) => record.outcome.place.filter((rank) => rank === 1).length > 1)
            const draws = shared.length
            const wins = first.length - draws
            expect(row).toMatchObject({ matches: mine.length, wins, draws, losses: mine.length - wins - draws })
            expect(row.points).toBe(wins + draws / 2)
            const { pairs, last } = await store.page('one', row.entrant)
            for (const pair of pairs) {
              const both = mine.filter(({ seats }) => seats.includes(pair.opponent))
              const lead = ({ seats, record }: Played) =>
                (record.outcome.place[seats.indexOf(pair.opponent)] ?? 0) -
                (record.outcome.place[seats.indexOf(row.entrant)] ?? 0)
              expect(pair).toMatchObject({
                ahead: both.filter((one) => lead(one) > 0).length,
                level: both.filter((one) => lead(one) === 0).length,
                behind: both.filter((one) => lead(one) < 0).length,
              })
            }
            expect(last.map(({ place: at }) => at)).toEqual(
              list
                .filter(({ seats }) => seats.includes(row.entrant))
                .map(({ record }) => record.key)
                .reverse(),
            )
          }
        }),
        { numRuns: 8 },
      )
    })

    it('lists what a bot lost', async () => {
      const store = await begun()
      await store.record('one', [
        alone(1, played('a', [0, 1], [1, 2])),
        alone(2, played('b', [1, 0], [1, 2])),
        alone(3, played('c', [0, 2], [1, 1])),
        alone(4, played('d', [0, 3], [2, 1])),
      ])
      const places = async (filter: Parameters<Store['matches']>[1]) =>
        (await store.matches('one', filter)).map(({ place }) => place)
      expect(await places({ entrant: 0, lost: true })).toEqual(['d', 'b'])
      expect(await places({ entrant: 0, lost: true, last: 1 })).toEqual(['d'])
      expect(await places({ entrant: 1 })).toEqual(['b', 'a'])
      expect(await places({})).toEqual(['d', 'c', 'b', 'a'])
    })

    it('counts faults by entrant and kind', async () => {
      const store = await begun()
      const fault = (seat: number, turn: number) => ({ seat, turn, fault: 'timeout' as const })
      await store.record('one', [
        alone(1, { ...played('a', [1, 0], [1, 2]), faults: [fault(0, 0), fault(0, 1), fault(1, 1)] }),
      ])
      const rows = await store.leaderboard('one')
      expect(rows.map(({ name, faults }) => [name, faults])).toEqual([
        ['Bee', { timeout: 2 }],
        ['Ant', { timeout: 1 }],
        ['Cat', {}],
        ['Dog', {}],
      ])
    })

    it('keeps what bots hold on disk with the unit after which they held it', async () => {
      const store = await begun()
      const [now, start] = [{ 'state/a': 'AAAA' }, { 'state/a': '' }]
      const unit = (n: number, by: NonNullable<PlayedUnit['kept']>['by']): PlayedUnit => ({
        ...alone(n, played(String(n), [0, 1], [1, 2])),
        kept: { tournament: TOURNAMENT, by },
      })
      expect(await store.kept(TOURNAMENT, 'Ant')).toBeUndefined()
      await store.record('one', [unit(1, { Ant: { now }, Bee: { now, start } })])
      expect(await store.kept(TOURNAMENT, 'Bee')).toEqual({ now, start })
      await store.record('one', [unit(2, { Ant: { now: start } })])
      expect(await store.kept(TOURNAMENT, 'Ant')).toEqual({ now: start })
      expect(await store.kept(TOURNAMENT, 'Bee')).toEqual({ now, start })
      // A unit that was there before says nothing of what its bots hold now.
      await store.record('one', [unit(1, { Ant: { now: {} } })])
      expect(await store.kept(TOURNAMENT, 'Ant')).toEqual({ now: start })
      expect(await store.kept('cd'.repeat(16), 'Ant')).toBeUndefined()
    })

    it('lets one at a time play a tournament of bots that remember it', async () => {
      const workspace = folder()
      const [one, two] = [await opened(workspace), await opened(workspace)]
      expect(await one.claim(TOURNAMENT)).toBeUndefined()
      expect(await one.claim(TOURNAMENT)).toBeUndefined()
      expect(await two.claim(TOURNAMENT)).toBe(String(process.pid))
      expect(await two.claim('cd'.repeat(16))).toBeUndefined()
      stores.splice(stores.indexOf(one), 1)
      await one.close()
      expect(await two.claim(TOURNAMENT)).toBeUndefined()
    })

    it('lets another outcome count where a match was judged again, in that run only', async () => {
      const store = await begun()
      await store.addRun(runOf('two'), entrantsOf())
      await store.record('one', [alone(1, played('a', [0, 1], [1, 2])), alone(2, played('b', [0, 1], [1, 2]))])
      await store.adopt('two', [keyOf(1), keyOf(2)])
      const match = (await store.matches('one')).find(({ place }) => place === 'a')
      const outcome = { place: [2, 1], reason: 'ruled' }
      for (let time = 0; time < 2; time++) await store.rule('one', [{ match: match?.id ?? 0, outcome, why: 'rule 7' }])
      expect((await store.results('one')).get('a')?.outcome).toEqual(outcome)
      expect((await store.matches('one', { entrant: 0, lost: true })).map(({ place }) => place)).toEqual(['a'])
      expect((await store.leaderboard('one')).slice(0, 2).map((row) => [row.name, row.wins, row.losses])).toEqual([
        ['Ant', 1, 1],
        ['Bee', 1, 1],
      ])
      expect((await store.leaderboard('two'))[0]).toMatchObject({ name: 'Ant', wins: 2 })
      expect((await store.log('one')).at(-1)).toMatchObject({ what: 'ruled', detail: { match: 'a', why: 'rule 7' } })
    })

    it('remembers who is out, what bots wrote, ratings, and what was done', async () => {
      const store = await begun()
      const exclusion = { name: 'Cat', status: 'withdrawn', treatment: 'void', why: 'asked for it' } as const
      await store.exclude('one', exclusion)
      expect(await store.exclusions('one')).toEqual([exclusion])
      await store.saveStderr('one', new Map([['Ant', 'oh no\n']]))
      expect([await store.stderr('one', 'Ant'), await store.stderr('one', 'Bee')]).toEqual(['oh no\n', ''])
      const rating = { entrant: 1, kind: 'bradley-terry', value: 12.5, low: -1, high: 20 }
      await store.saveRatings('one', [{ ...rating, value: 1 }])
      await store.saveRatings('one', [rating])
      expect(await store.ratings('one')).toEqual([rating])
      await store.note('one', 'void', { match: 'a' })
      const log = await store.log('one')
      expect(log.map(({ what, agon }) => [what, agon])).toEqual(
        ['began', 'withdrawn', 'void'].map((what) => [what, 'test']),
      )
      expect(log[1]?.detail).toEqual({ name: 'Cat', treatment: 'void', why: 'asked for it' })
    })

    it('is rebuilt exactly from what it dumps', async () => {
      const store = await begun()
      const kept = { tournament: TOURNAMENT, by: { Ant: { now: { a: 'AA==' }, start: {} } } }
      const series = [played('b/1', [2, 3], [1, 1]), { ...played('b/2', [3, 2], [1, 2]), playoff: true }]
      const faults = [{ seat: 0, turn: 0, fault: 'illegal', why: 'no', said: 'Z' } as const]
      await store.record('one', [{ ...alone(1, { ...played('a', [0, 1], [2, 1]), faults }), kept }])
      await store.record('one', [{ key: keyOf(2), matches: series }])
      const [match] = await store.matches('one', { entrant: 0 })
      await store.rule('one', [{ match: match?.id ?? 0, outcome: { place: [1, 1], reason: 'ruled' }, why: 'why' }])
      await store.exclude('one', { name: 'Dog', status: 'disqualified', treatment: 'lost', why: 'faults' })
      await store.saveStderr('one', new Map([['Ant', 'text']]))
      await store.saveRatings('one', [{ entrant: 0, kind: 'k', value: 1, low: 0, high: 2 }])
      await store.setState('one', 'finished')
      const [dump, units] = [await store.dump('one'), await all(store.units('one'))]

      const copy = await opened()
      const stream = async function* (): AsyncGenerator<UnitDump> {
        yield* units
      }
      // Twice: an import that was cut short is gone on with by importing again.
      for (let time = 0; time < 2; time++) await copy.load(dump, stream)
      expect(await copy.dump('one')).toEqual(dump)
      expect(await all(copy.units('one'))).toEqual(units)
      expect(await copy.leaderboard('one')).toEqual(await store.leaderboard('one'))
      expect(await copy.results('one')).toEqual(await store.results('one'))
      expect(await copy.run('one')).toEqual(await store.run('one'))

      // The same course that took another time was played elsewhere: what came first stays.
      const slower = units.map((unit) => ({
        ...unit,
        matches: unit.matches.map((one) => ({ ...one, record: { ...one.record, times: [] } })),
      }))
      await copy.load(dump, async function* () {
        yield* slower
      })
      expect(await all(copy.units('one'))).toEqual(units)

      // What another run brought before stands where it stood.
      const later = units.map((unit, i) => ({
        ...unit,
        matches: unit.matches.map((one) => ({ ...one, at: `2026-01-0${i + 1}T00:00:00.000Z` })),
      }))
      const shared = await opened()
      await shared.load({ ...dump, rulings: [], run: { ...dump.run, id: 'two' } }, async function* () {
        yield* later.slice(1)
      })
      await shared.load(dump, async function* () {
        yield* later
      })
      expect(await all(shared.units('one'))).toEqual(later)

      const changed = units.map((unit) => ({
        ...unit,
        matches: unit.matches.map((one) => ({ ...one, record: { ...one.record, steps: [] } })),
      }))
      await expect(
        copy.load(dump, async function* () {
          yield* changed
        }),
      ).rejects.toThrow(/another course/)
    })
  })
}
