import type { Match } from '../../src/core/index.js'
import { formatRecord } from '../../src/match/index.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PlayedJob } from '../../src/store/port.js'
import { entrantsOf, keyOf, played, runOf } from './records.js'
import { all, alone, recordsOf, type Opening } from './store-opening.js'

/** What every store does with matches. */
export function describeMatches({ folder, opened, begun }: Opening): void {
  describe('matches', () => {
    it('gives back what was recorded, also to who opens it next', async () => {
      const workspace = folder()
      const store = await begun(workspace)
      const odd = played('1/Ant-Bee/1', [1, 0], [2, 1], 'a "quoted" é\u0000\n👻 line')
      const series = [played('1/Cat-Dog/1', [2, 3], [1, 1]), played('1/Cat-Dog/2', [3, 2], [1, 2])]
      const fault = { seat: 1, turn: 0, fault: 'timeout', why: 'late', said: 'half' } as const
      const faulty = { ...odd, faults: [fault, { seat: 0, turn: 3, fault: 'silent' } as const] }
      expect(await store.record('one', [alone(1, faulty), { key: keyOf(2), matches: series }])).toEqual(new Set())
      const other = await opened(workspace)
      const judged = ({ record, faults }: Match) => ({ record, faults })
      const read = await other.read([keyOf(2), keyOf(1), keyOf(3)])
      const lines = (matches: readonly Pick<Match, 'record'>[] = []) =>
        matches.map(({ record }) => formatRecord(record))
      expect([read.get(keyOf(1)), read.get(keyOf(2))].map(lines)).toEqual([[odd], series].map(lines))
      const written = await other.lines([keyOf(2), keyOf(1), keyOf(3)])
      const textOf = (key: string) => Buffer.from(written.get(key) ?? []).toString()
      const texts = [[odd], series].map((matches) =>
        lines(matches)
          .map((line) => `${line}\n`)
          .join(''),
      )
      expect([textOf(keyOf(1)), textOf(keyOf(2)), written.size]).toEqual([...texts, 2])
      expect(read.get(keyOf(1))).toEqual([
        judged({ ...faulty, faults: [...faulty.faults].sort((a, b) => a.turn - b.turn) }),
      ])
      expect(read.get(keyOf(2))).toEqual(series.map(judged))
      expect(read.size).toBe(2)
      expect([...(await other.has([keyOf(2), keyOf(3)]))]).toEqual([keyOf(2)])
      const results = await other.results('one')
      const { outcome, steps } = odd.record
      expect(results.get('1/Ant-Bee/1')).toMatchObject({ seats: [1, 0], outcome, turns: steps.length })
      expect(results.size).toBe(3)
      const [newest] = await other.matches('one')
      expect([newest?.key, newest?.seats]).toEqual(['1/Cat-Dog/2', [3, 2]])
      const [match] = await other.matches('one', 0)
      const { matches } = await other.browse('one', { entrant: 0, limit: 1 })
      expect(matches[0]?.faults).toEqual(faulty.faults)
      expect(await other.recordOf(match?.id ?? 0)).toEqual(odd.record)
      expect((await other.run('one'))?.matches).toBe(3)
    })

    it('plays nothing twice: what a job is decides, and the first to come stays', async () => {
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
      await store.addRun(runOf('two', { entrants: entrantsOf(order) }))
      for (let time = 0; time < 2; time++)
        expect(await store.adopt('two', [keyOf(1), keyOf(7)])).toEqual(new Set([keyOf(1)]))
      expect((await store.results('two')).get('1/Bee-Cat/1')?.seats).toEqual([1, 0])
      expect((await store.leaderboard('two')).map((row) => [row.name, row.points, row.matches])).toEqual([
        ['Bee', 1, 1],
        ['Cat', 0, 1],
      ])
    })

    it('knows which runs hold a match, as they are now', async () => {
      const store = await begun()
      const jobs = Array.from({ length: 300 }, (_, n) => alone(n, played(`1/Ant-Bee/${n}`, [0, 1], [1, 2])))
      await store.record('one', jobs.slice(0, 299))
      await store.addRun(runOf('two'))
      await store.adopt('two', [keyOf(3), keyOf(250)])
      const idOf = async (key: string, run = 'one') =>
        (await store.matches(run)).find((one) => one.key === `1/Ant-Bee/${key}`)?.id ?? 0
      const held = async (...keys: readonly string[]) =>
        Promise.all(keys.map(async (key) => store.runsHolding(await idOf(key))))
      expect(await held('2', '3', '250', '298')).toEqual([['one'], ['two', 'one'], ['two', 'one'], ['one']])
      expect(await store.runsHolding(10_000)).toEqual([])
      await store.record('one', jobs.slice(299))
      await store.adopt('two', [keyOf(298)])
      expect(await held('298', '299')).toEqual([['two', 'one'], ['one']])
      const [kept, gone] = [await idOf('298'), await idOf('299')]
      await store.removeRun('one')
      expect([await store.runsHolding(kept), await store.runsHolding(gone)]).toEqual([['two'], []])
    })

    it('has every record at hand, however they came', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 5 }), async (sizes) => {
          const store = await begun()
          const jobs: PlayedJob[] = []
          for (const size of sizes) {
            const from = jobs.length
            const batch = Array.from({ length: size }, (_, n) =>
              alone(from + n, played(`1/Ant-Bee/${from + n}`, [0, 1], [1, 2], `said ${from + n}`)),
            )
            await store.record('one', batch)
            jobs.push(...batch)
          }
          for (const { key, matches } of jobs) expect(await recordsOf(store, key)).toEqual([matches[0]?.record])
          const dumped = await all(store.jobs('one'))
          expect(dumped.map(({ key }) => key)).toEqual(jobs.map(({ key }) => key))
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
          const together: string[] = []
          for (const row of await store.leaderboard('one')) {
            const mine = counted.filter(({ seats }) => seats.includes(row.entrant))
            const place = ({ seats, record }: Match) => record.outcome.place[seats.indexOf(row.entrant)]
            const first = mine.filter((one) => place(one) === 1)
            const shared = first.filter(({ record }) => record.outcome.place.filter((rank) => rank === 1).length > 1)
            const draws = shared.length
            const wins = first.length - draws
            expect(row).toMatchObject({ matches: mine.length, wins, draws, losses: mine.length - wins - draws })
            expect(row.points).toBe(wins + draws / 2)
            for (const opponent of [1, 2, 3].filter((one) => one > row.entrant)) {
              const both = mine.filter(({ seats }) => seats.includes(opponent))
              const lead = ({ seats, record }: Match) =>
                (record.outcome.place[seats.indexOf(opponent)] ?? 0) -
                (record.outcome.place[seats.indexOf(row.entrant)] ?? 0)
              const [ahead, level, behind] = [1, 0, -1].map(
                (sign) => both.filter((one) => Math.sign(lead(one)) === sign).length,
              )
              if (both.length > 0) together.push([row.entrant, opponent, ahead, level, behind].join(' '))
            }
            const last = await store.matches('one', row.entrant)
            expect(last.map(({ key }) => key)).toEqual(
              list
                .filter(({ seats }) => seats.includes(row.entrant))
                .map(({ record }) => record.key)
                .reverse(),
            )
          }
          const pairs = await store.pairs('one')
          expect(
            pairs.map(({ one, other, ahead, level, behind }) => [one, other, ahead, level, behind].join(' ')),
          ).toEqual(together.sort())
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
      const losses = async (limit: number) =>
        (await store.browse('one', { entrant: 0, result: 'loss', limit })).matches.map(({ key }) => key)
      expect(await losses(9)).toEqual(['d', 'b'])
      expect(await losses(1)).toEqual(['d'])
      const newest = async (entrant?: number) => (await store.matches('one', entrant)).map(({ key }) => key)
      expect([await newest(1), await newest()]).toEqual([
        ['b', 'a'],
        ['d', 'c', 'b', 'a'],
      ])
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

    it('counts a match of teams by team: of entrants that were drawn into them, and of one that has all seats of its own', async () => {
      const store = await opened()
      const { contest } = runOf('x')
      const teams = { 4: [0, 1, 0, 1] }
      const scoring = { ...contest.scoring, teams }
      await store.addRun(runOf('drawn', { contest: { ...contest, scoring } }))
      await store.record('drawn', [alone(1, played('a', [0, 1, 2, 3], [1, 3, 1, 3]))])
      const sums = async (run: string) =>
        (await store.leaderboard(run)).map(({ name, wins, draws, losses }) => [name, wins, draws, losses].join(' '))
      expect(await sums('drawn')).toEqual(['Ant 1 0 0', 'Cat 1 0 0', 'Bee 0 0 1', 'Dog 0 0 1'])
      // Team mates do not meet.
      expect((await store.pairs('drawn')).map(({ one, other }) => [one, other])).toEqual([
        [0, 1],
        [0, 3],
        [1, 2],
        [2, 3],
      ])
      const won = await store.browse('drawn', { entrant: 0, result: 'win', limit: 9 })
      expect(won.matches).toHaveLength(1)

      const format = { ...contest.format, by: 'team' as const, teams }
      await store.addRun(runOf('whole', { contest: { ...contest, format } }))
      const match = played('b', [0, 1, 0, 1], [3, 1, 3, 1])
      const fault = { seat: 2, turn: 0, fault: 'timeout' as const }
      await store.record('whole', [alone(2, { ...match, faults: [fault] })])
      expect(await sums('whole')).toEqual(['Bee 1 0 0', 'Ant 0 0 1', 'Cat 0 0 0', 'Dog 0 0 0'])
      const whole = { seats: [0, 1], outcome: { place: [2, 1], reason: 'shot', tally: { life: [14, 18] } } }
      expect((await store.results('whole')).get('b')).toMatchObject(whole)
      expect((await store.matches('whole'))[0]).toMatchObject({ ...whole, faults: [{ ...fault, seat: 0 }] })
      const ruling = { place: [1, 2], reason: 'ruled' }
      const [stored] = await store.matches('whole')
      await store.rule('whole', [{ match: stored?.id ?? 0, outcome: ruling, why: 'x' }])
      expect((await store.results('whole')).get('b')).toMatchObject({ seats: [0, 1], outcome: ruling })
      expect(await recordsOf(store, keyOf(2))).toEqual([match.record])
    })

    it('counts a ruling that changes nothing but who of the losers was before whom', async () => {
      const store = await begun()
      await store.record('one', [alone(1, played('a', [0, 1, 2], [1, 2, 3]))])
      const sums = async () => (await store.leaderboard('one')).map(({ wins, draws, losses }) => [wins, draws, losses])
      const before = await sums()
      const [match] = await store.matches('one')
      await store.rule('one', [{ match: match?.id ?? 0, outcome: { place: [1, 3, 2], reason: 'ruled' }, why: 'x' }])
      expect(await sums()).toEqual(before)
      expect((await store.pairs('one')).at(-1)).toEqual({ one: 1, other: 2, ahead: 0, level: 0, behind: 1 })
    })

    it('lets another outcome count where a match was judged again, in that run only', async () => {
      const store = await begun()
      await store.addRun(runOf('two'))
      await store.record('one', [alone(1, played('a', [0, 1], [1, 2])), alone(2, played('b', [0, 1], [1, 2]))])
      await store.adopt('two', [keyOf(1), keyOf(2)])
      const match = (await store.matches('one')).find(({ key }) => key === 'a')
      const outcome = { place: [2, 1], reason: 'ruled' }
      for (let time = 0; time < 2; time++) await store.rule('one', [{ match: match?.id ?? 0, outcome, why: 'rule 7' }])
      expect((await store.results('one')).get('a')?.outcome).toEqual(outcome)
      const lost = await store.browse('one', { entrant: 0, result: 'loss', limit: 9 })
      expect(lost.matches.map(({ key }) => key)).toEqual(['a'])
      expect((await store.leaderboard('one')).slice(0, 2).map((row) => [row.name, row.wins, row.losses])).toEqual([
        ['Ant', 1, 1],
        ['Bee', 1, 1],
      ])
      expect((await store.leaderboard('two'))[0]).toMatchObject({ name: 'Ant', wins: 2 })
      expect((await store.log('one')).at(-1)).toMatchObject({ what: 'ruled', detail: { match: 'a', why: 'rule 7' } })
    })
  })
}
