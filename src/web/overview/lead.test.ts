import { expect, test } from 'vitest'
import type { MatchRow, ReportDocument } from '../document.js'
import { decisiveMatch, leadText } from './lead.js'

const names = ['Ant', 'Bee', 'Cat', 'Dog', 'Eel']
const nameOf = (entrant: number) => names[entrant] ?? '?'
/** A report of that many points by entrant, and of ratings: the probability of the first place, and the best rank. */
const reportOf = (points: readonly number[], rated?: readonly (readonly [number, number])[]): ReportDocument => {
  const order = points.map((_, entrant) => entrant).sort((a, b) => (points[b] ?? 0) - (points[a] ?? 0))
  const rows = order.map((entrant) => ({
    rank: 1 + points.filter((each) => each > (points[entrant] ?? 0)).length,
    entrant,
    points: points[entrant] ?? 0,
    cells: [],
  }))
  const ratings = rated && {
    rows: rated.map(([first, best]) => ({ rating: 0, low: 0, high: 0, first, ranks: [best, 5], flags: [] })),
  }
  return { standings: { columns: [], rows, notes: [] }, ratings, scoring: {}, format: {} } as unknown as ReportDocument
}

/** Two with as many points, which a column puts into an order. */
const levelBut = (column: string): ReportDocument => {
  const rows = [
    { rank: 1, entrant: 1, points: 1, cells: [7] },
    { rank: 2, entrant: 0, points: 1, cells: [3] },
  ]
  return { ...reportOf([]), over: true, standings: { columns: [column], rows, notes: [] } }
}

test.each<[string, ReportDocument]>([
  [
    'Bee leads with 5 points, 1 more than Cat: 60\u00a0% likely the best; three could be.',
    reportOf(
      [3, 5, 4, 0],
      [
        [0.1, 1],
        [0.6, 1],
        [0.3, 1],
        [0, 3],
      ],
    ),
  ],
  [
    'Bee leads with 5 points, 2 more than Ant: >\u00a099\u00a0% likely the best; no other could be.',
    reportOf(
      [3, 5],
      [
        [0, 2],
        [1, 1],
      ],
    ),
  ],
  [
    'Ant and Cat lead with 4 points; three could be the best.',
    reportOf(
      [4, 3, 4],
      [
        [0.4, 1],
        [0.2, 1],
        [0.4, 1],
      ],
    ),
  ],
  [
    'Ant and Cat lead with 1 point.',
    reportOf(
      [1, 0, 1],
      [
        [0.5, 1],
        [0, 2],
        [0.5, 1],
      ],
    ),
  ],
  ['All five are level, with 0 points each.', reportOf([0, 0, 0, 0, 0])],
  ['Four of five lead with 2 points.', reportOf([2, 2, 2, 2, 0])],
  ['Dog leads with 2.5 points, 0.5 more than Cat.', reportOf([0, 1, 2, 2.5])],
  ['Dog won with 2.5 points, 0.5 more than Cat.', { ...reportOf([0, 1, 2, 2.5]), over: true }],
  ['Ant and Cat won together with 1 point.', { ...reportOf([1, 0, 1]), over: true }],
  ['Bee won with 1 point, before Ant by Life.', levelBut('Life')],
  ['Bee won with 1 point.', levelBut('1')],
  ['Nobody has played yet.', reportOf([])],
])('%s', (text, document) => {
  expect(leadText(document, nameOf)).toBe(text)
})

const match = (key: string, seats: number[], places: number[], turns: number, faults?: number[]): MatchRow =>
  faults ? [key, seats, places, 'why', turns, faults] : [key, seats, places, 'why', turns]

test('the match to watch is the leader’s against the highest that it has beaten, without a fault, and not too long', () => {
  // By points: Ant, Bee, Cat.
  const document = reportOf([3, 2, 1])
  const all = [
    match('drawn', [0, 1], [1, 1], 30),
    match('lost', [0, 1], [2, 1], 30),
    match('faulty', [0, 1], [1, 2], 50, [0, 1]),
    match('short', [0, 1], [1, 2], 10),
    match('good', [1, 0], [2, 1], 40),
    match('endless', [0, 1], [1, 2], 4000),
    match('lower', [0, 2], [1, 2], 45),
  ]
  const chosen = (without: readonly string[]) =>
    decisiveMatch(
      document,
      all.filter(([key]) => !without.includes(key)),
    )?.[0]
  expect(chosen([])).toBe('good')
  expect(chosen(['good'])).toBe('short')
  expect(chosen(['good', 'short'])).toBe('endless')
  expect(chosen(['good', 'short', 'endless'])).toBe('faulty')
  expect(chosen(['good', 'short', 'endless', 'faulty'])).toBe('lower')
  expect(chosen(['good', 'short', 'endless', 'faulty', 'lower'])).toBe('lost')
  expect(decisiveMatch(document, all.slice(0, 1))).toBeUndefined()
})
