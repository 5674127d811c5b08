import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Pairing, Round } from '../../core/index.js'
import { DealsLeft } from './deals-left.js'

const companyOf = ({ seats }: Pairing): string => [...seats].sort((a, b) => a - b).join()

/** Rounds of pairs and of three at a table, whose matches share deals within a series and beyond it. */
const rounds = fc
  .array(
    fc.record({
      seats: fc.constantFrom([0, 1], [1, 0], [1, 2], [2, 10], [10, 2], [0, 1, 2], [2, 0, 1]),
      deal: fc.nat(2),
      series: fc.nat(3),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((all): Round => {
    const pairings = all.map(({ seats, deal, series }, n) => ({ key: `1/${series}/${n}`, seats, deal, series }))
    const series = [0, 1, 2, 3].map((of) => ({
      key: `1/${of}`,
      pairings: pairings.filter((one) => one.series === of),
    }))
    return { label: 'round 1', series }
  })

it('knows after each match of which deals others are to come, wherever the round was taken up', () => {
  fc.assert(
    fc.property(rounds, fc.nat(), fc.nat(39), (round, seed, begun) => {
      const all = round.series.flatMap(({ pairings }) => pairings)
      const order = all.map((_, n) => ({ n, by: (n * 2654435761 + seed) % 97 })).sort((a, b) => a.by - b.by)
      const over = new Set(order.slice(0, begun).map(({ n }) => all[n]?.key))
      const left = new DealsLeft(round, (key) => over.has(key))
      const isOpen = (match: Pairing): boolean =>
        all.some((other) => !over.has(other.key) && other.deal === match.deal && companyOf(other) === companyOf(match))
      const compare = (): void => {
        const played = all.filter(({ key }) => over.has(key))
        expect(played.map(({ key }) => left.isOpen(key))).toEqual(played.map(isOpen))
      }
      compare()
      for (const { n } of order.slice(begun)) {
        const { key, seats, deal } = all[n] ?? { key: '', seats: [], deal: -1 }
        over.add(key)
        left.played(key, seats, deal)
        compare()
      }
    }),
  )
})
