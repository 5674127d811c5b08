import { expect, it } from 'vitest'
import type { ScoringSpec } from '../../core/index.js'
import { scoredCompanies } from '../../stats/index.js'
import { DOUBTS } from '../../text/index.js'
import { rankBy } from '../../lab/index.js'
import { type CountedMatch, playedMatches, strengthColumns, strengthNotes, strengthsOf } from './strengths.js'

const scoring: ScoringSpec = { by: 'score', win: 1, draw: 0.5, loss: 0, ties: [] }
const names = ['Ant', 'Bee', 'Cat', 'Dog']
const standings = {
  columns: [],
  rows: names.map((name, i) => ({ rank: i + 1, entrant: i, name, points: 4 - i, cells: [] })),
  notes: [],
}
/** Ant beats Bee by little, and Cat, who is no better, beats Dog by much. */
const all = [0, 1, 2, 3].flatMap((n): CountedMatch[] =>
  [
    { seats: [0, 1], score: [5 + (n % 2), 2] },
    { seats: [2, 3], score: [9, 1 + (n % 3)] },
  ].map(({ seats, score }, i) => ({
    seats,
    outcome: { place: [1, 2], score, reason: '' },
    course: 10 * i + n,
    luck: 10 * i + n,
    turns: 3,
  })),
)
const tableOf = (kind: string, results = all) => {
  const format = { kind, repetitions: 4, swap: true, playoff: 0 }
  const played = playedMatches([0, 1, 2, 3], scoring)
  for (const match of results) played.add(match)
  const { scores } = strengthsOf(played, { contest: { scoring, format }, game: {} }, standings)
  if (scores === undefined) throw new Error('no table')
  return { scores, notes: strengthNotes({ elo: undefined, scores }, standings, { format }) }
}

it.each(['swiss', 'elimination', 'hill'] as const)(
  '%s by score: the table says that means are not compared',
  (kind) => {
    const { scores, notes } = tableOf(kind)
    expect(scores).toMatchObject({ unlike: true, neighbours: [] })
    expect(
      scores.rows.every((row) => row.low !== undefined && row.first === undefined && row.ranks === undefined),
    ).toBe(true)
    expect(strengthColumns({ elo: undefined, scores }).map(({ head }) => head)).not.toContain('First')
    expect(notes).toContain(DOUBTS.unlike)
  },
)

it('a round robin by score compares them, and says nothing of the sort', () => {
  const { scores, notes } = tableOf('round-robin')
  expect(scores.neighbours).toHaveLength(3)
  expect(scores.rows.map(({ t }) => t)).toEqual(scores.rows.map(({ low, high }) => [low, high]))
  expect(strengthColumns({ elo: undefined, scores }).map(({ head }) => head)).toContain('First')
  expect(notes).not.toContain(DOUBTS.unlike)
  expect(notes.join()).not.toContain('No intervals')
})

it('with one block of luck a pair there are no intervals, and the table says why', () => {
  const { scores, notes } = tableOf('round-robin', all.slice(0, 2))
  expect(scores.rows.map(({ mean }) => mean)).toEqual([5, 2, 9, 1])
  expect(strengthColumns({ elo: undefined, scores }).map(({ head }) => head)).not.toContain('95 % interval')
  expect(notes).toContainEqual(expect.stringContaining('No intervals: nothing tells yet how scores vary.'))
})

it('ranks by points have no probability where means are of unlike opponents; other rules have what they had', () => {
  const companies = scoredCompanies(
    all.map(({ seats, outcome, luck }) => ({ entrants: seats, scores: outcome.score ?? [], block: luck })),
  )
  const by = (rule: 'points' | 'nash', unlike: boolean) =>
    rankBy(rule, { field: 4, scored: { companies }, worth: scoring, doubt: unlike ? 'unlike' : undefined })
  const points = by('points', true)
  expect(points.before).toBeUndefined()
  for (const line of points.lines)
    expect([line.first, line.ranks, line.superior]).toEqual([undefined, undefined, undefined])
  expect(by('points', false).lines.every(({ first }) => first !== undefined)).toBe(true)
  expect(by('nash', true)).toEqual(by('nash', false))
})
