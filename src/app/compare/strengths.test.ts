import { expect, it } from 'vitest'
import type { ScoringSpec } from '../../core/index.js'
import { type CountedMatch, playedMatches, strengthNotes, strengthsOf } from './strengths.js'

const scoring: ScoringSpec = { win: 1, draw: 0.5, loss: 0, ties: [] }
const format = { kind: 'round-robin', repetitions: 4, swap: true, playoff: 0 } as const
const standings = {
  columns: [],
  rows: ['Ant', 'Bee', 'Cat'].map((name, entrant) => ({ rank: entrant + 1, entrant, name, points: 0, cells: [] })),
  notes: [],
}
/** Four matches of two; `course`: by the number of the match. */
const meet = (a: number, b: number, course: (n: number) => number): CountedMatch[] =>
  [0, 1, 2, 3].map((n) => ({
    seats: n % 2 === 0 ? [a, b] : [b, a],
    outcome: { place: [1, 2], reason: '' },
    course: course(n),
    turns: 1,
    luck: 100 * a + 10 * b + n,
  }))
function notesOf(matches: readonly CountedMatch[]): string[] {
  const played = playedMatches([0, 1, 2], scoring)
  for (const match of matches) played.add(match)
  return strengthNotes(strengthsOf(played, { contest: { scoring, format }, game: {} }, standings), standings, {
    format,
  })
}

it('a note names the pairs that played one game in each order of seats, again and again', () => {
  const same = meet(1, 0, (n) => n % 2)
  const varied = meet(0, 2, (n) => n)
  expect(notesOf([...varied, ...same]).at(-1)).toBe(
    'The same game each time that they sat the same way: Ant–Bee. More matches tell no more.',
  )
  // With other luck the same answers may come to another end.
  const last = { ...same[3], outcome: { place: [2, 1], reason: '' } } as CountedMatch
  for (const results of [varied, [...same.slice(0, 3), last], same.slice(0, 3)])
    expect(notesOf(results).filter((note) => note.startsWith('The same game'))).toEqual([])
})
