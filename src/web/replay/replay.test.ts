import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  type GameDefinition,
  type MatchRecord,
  SEAT_COLOURS,
  isFault,
  outcomeOf,
  allActions,
} from '../../core/index.js'
import { games } from '../../games/index.js'
import { MARKS } from '../../games/viewer-kit/index.js'
import { judge } from '../../match/judge.js'
import { atOnce } from '../../files/index.js'
import { computing } from '../../results/computed-match.js'
import { randomMatch } from '../../../test/kit/archive.js'
import { said } from '../format.js'
import { chances, definitionOf, seatNames, shownMoves, viewerOf, wordsOf } from './match.js'
import { type EvaluatedMatch, evaluating, matchEvaluator } from '../../lab/evaluator.js'
import { type Frame, blundersOf, endText, eventsOf, faultsUntil, filmOf, markOf, nextEvent, ofSeat } from './film.js'

const seatsOf = (definition: GameDefinition) =>
  Array.from({ length: definition.game.seats.min }, (_, id) => ({ entrant: `Bot ${id}`, id }))
const options = (definition: GameDefinition) =>
  'turns' in definition.game.options
    ? { ...definition.game.options, turns: Math.min(30, Number(definition.game.options['turns'])) }
    : definition.game.options
const matchOf = (definition: GameDefinition, faults = true) =>
  randomMatch(definition, '1/x/1', seatsOf(definition), { faults, options: options(definition) })

describe.each(games.map((definition) => [definition.game.id, definition] as const))(
  'a replay of %s',
  (id, definition) => {
    const record = matchOf(definition)
    const film = filmOf(definition, { record })
    const viewer = viewerOf(id)

    it('has every position, and the moves as the rules judge them', () => {
      const judged = judge(definition, record)
      expect(film.stopped).toBeUndefined()
      expect(film.frames).toHaveLength(record.steps.length + 1)
      expect(film.frames.slice(1).map(({ moves }) => moves)).toEqual(judged.moves)
      expect(outcomeOf(definition, film.frames.at(-1)?.state, record.seats.length)).toEqual(record.outcome)
      expect(faultsUntil(film, 0, film.frames.length)).toHaveLength(
        judged.faults.filter(({ seat }) => seat === 0).length,
      )
    })

    it('has a drawing, whose figures are finite from everywhere', () => {
      expect(definitionOf(id)).toBe(definition)
      for (const [turn, { state }] of film.frames.entries()) {
        const scenes = [
          viewer?.scene(state),
          ...record.seats.map((_, seat) => viewer?.seen(definition.game.view(state, seat), seat)),
        ]
        for (const scene of scenes) {
          for (const tally of viewer?.tallies ?? [])
            for (const seat of record.seats.keys()) expect(Number.isFinite(tally.of(scene, seat, turn) ?? 0)).toBe(true)
        }
      }
    })

    it('tells every fault and the end among its key events', () => {
      const events = eventsOf(film, viewer, seatNames(record), record.outcome)
      const { faults } = judge(definition, record)
      expect(events.filter(({ kind }) => kind === 'fault').map(({ seat, turn }) => [seat, turn - 1])).toEqual(
        faults.map(({ seat, turn }) => [seat, turn]),
      )
      expect(events.at(-1)).toMatchObject({ turn: record.steps.length })
      expect(nextEvent(events, record.steps.length, 1)).toBeUndefined()
      expect(nextEvent(events, -1, 1)).toBe(Math.min(...events.map(({ turn }) => turn)))
    })

    it('shows a seat its own moves', () => {
      const all = shownMoves(film, viewer, undefined)
      const own = shownMoves(film, viewer, 0)
      own.forEach((moves, i) => expect(moves[0]).toEqual(all[i]?.[0]))
      expect(
        wordsOf(definition, viewer, seatNames(record)).word(
          allActions(definition.game.legal(definition.game.view(film.frames[0]?.state, 0)))[0] ?? '',
        ),
      ).not.toBe('')
    })

    it('ends where the record is of other rules', () => {
      const stopped = filmOf(definition, { record: { ...record, version: 99 } })
      expect(stopped.stopped).toContain('version 99')
      expect(stopped.frames).toHaveLength(1)
    })
  },
)

it('keeps the nights of negotiate and what is kept in coup’s exchange to who may know', () => {
  const negotiate = definitionOf('negotiate') as GameDefinition
  const film = filmOf(negotiate, { record: matchOf(negotiate, false) })
  const moves = shownMoves(film, viewerOf('negotiate'), 1)
  moves.forEach((row, i) => {
    expect(row.map((move) => move === 'hidden')).toEqual([0, 1, 2, 3].map((seat) => seat !== 1 && i % 2 === 1))
  })
  expect(viewerOf('coup')?.open?.(undefined, 'keep ~$')).toBeNull()
  expect(viewerOf('coup')?.open?.(undefined, 'T')).toBe('T')
})

it('draws no more of a coup than its view tells', () => {
  const coup = definitionOf('coup') as GameDefinition
  const film = filmOf(coup, { record: matchOf(coup, false) })
  for (const { state } of film.frames) {
    const seen = viewerOf('coup')?.seen(coup.game.view(state, 0), 0) as { readonly hands: readonly string[] }
    const all = viewerOf('coup')?.scene(state) as { readonly hands: readonly string[] }
    expect(seen.hands[0]).toBe(all.hands[0])
    expect(seen.hands[1]).toBe('?'.repeat(all.hands[1]?.length ?? -1))
  }
})

it('shows a game without rules in the page from the positions sent with it', () => {
  const record = matchOf(definitionOf('samurai') as GameDefinition)
  const judged = judge(definitionOf('samurai') as GameDefinition, record)
  const boards = Array.from({ length: record.steps.length + 1 }, (_, i) => `position ${i}`)
  const film = filmOf(undefined, { record, positions: { boards, moves: judged.moves } })
  expect(film.frames.map(({ board }) => board)).toEqual(boards)
  expect(film.frames.slice(1).map(({ moves }) => moves)).toEqual(judged.moves)
  const others = shownMoves(film, undefined, 1).flatMap(([first]) => (first && first !== 'hidden' ? [first] : []))
  expect(others.every((move) => isFault(move as never))).toBe(true)
})

it('says how a match ended', () => {
  const end = (place: number[]) => endText(['A', 'B', 'C'], { place, reason: 'over' })
  expect(end([2, 1, 3])).toBe('B won: over')
  expect(end([1, 3, 1])).toBe('A and C came first: over')
  expect(end([1, 1, 1])).toBe('a draw of A, B and C: over')
  expect(endText(['A', 'you'], { place: [2, 1], reason: 'fold' })).toBe('you won: fold')
})

it.each([
  ['bluffs: tax as the Duke', 'bluff: tax as the Duke'],
  ['challenges', 'challenge'],
  ['passes', 'pass'],
  ['loses 3 health', 'lose 3 health'],
  ['dies', 'die'],
  ['is struck down by the gods', 'are struck down by the gods'],
  ['was not due', 'were not due'],
])('says of a person that you %s', (deed, own) => {
  expect([said('Ant', deed), said('you', deed)]).toEqual([`Ant ${deed}`, `you ${own}`])
})

describe('an evaluation', () => {
  const evaluationOf = (definition: GameDefinition, { options: own }: MatchRecord, frames: readonly Frame[]) => {
    const course = matchEvaluator(definition, own)?.course(frames) ?? expect.fail('it has no solution')
    return atOnce(evaluating(course, frames.length)) as EvaluatedMatch
  }

  it('marks moves by what they give away', () => {
    expect([undefined, 0, 0.004, 0.02, 0.05, 0.12, 0.5].map(markOf)).toEqual([
      undefined,
      'best',
      'best',
      undefined,
      'inaccuracy',
      'mistake',
      'blunder',
    ])
  })

  it('has every position and move of a match, and ends as the match did', () => {
    const definition = definitionOf('gunduel') as GameDefinition
    const record = randomMatch(definition, '1/x/1', seatsOf(definition), { options: { turns: 6, ammo: 1 } })
    const { frames } = filmOf(definition, { record })
    const work = evaluationOf(definition, record, frames)
    const [a, b] = record.outcome.place
    expect(work.shares.at(-1)).toBe(a === b ? 0.5 : a === 1 ? 1 : 0)
    // Equal guns, and six turns to go.
    expect(work.shares[0]).toBeCloseTo(0.5, 9)
    for (const [turn, { moves }] of frames.entries())
      moves.forEach((move, seat) => expect((work.lost[turn]?.[seat] ?? null) === null).toBe(move === null))
    const blunders = work.lost.flat().filter((share) => (share ?? 0) >= 0.15)
    expect(blundersOf(work, seatNames(record))).toHaveLength(blunders.length)
  })

  it('of hidden cards is the same in the page and where it travels with a match; a seat is shown its own part', () => {
    const definition = definitionOf('kuhn') as GameDefinition
    const record = randomMatch(definition, '1/x/1', seatsOf(definition), { options: {} })
    const work = evaluationOf(definition, record, filmOf(definition, { record }).frames)
    const sent = atOnce(computing(definition, record)).evaluation
    expect(work.shares.every((share) => share !== null)).toBe(true)
    expect(sent).toEqual(work)
    const own = ofSeat(work, 1)
    expect([own.shares, own.lost.map(([first]) => first)]).toEqual([
      [],
      work.lost.map((step) => (step.length === 0 ? undefined : null)),
    ])
    expect(own.lost.some(([, second = null]) => second !== null)).toBe(true)
  })
})

it('shows seats in the colours that games are told', () => {
  const style = readFileSync(new URL('../style.css', import.meta.url), 'utf8')
  const shown = [...style.matchAll(/--seat-\d: light-dark\((#\w+),/g)].map(([, colour]) => colour)
  expect(shown).toEqual([...SEAT_COLOURS])
  expect(MARKS).toBe(SEAT_COLOURS.length)
})

it('tells of a game of one’s own what was said beside a move', () => {
  const seats = [
    { entrant: 'Ant', wire: 'jsonl', id: 0 },
    { entrant: 'Bee', wire: 'module', id: 1 },
  ]
  const steps = [
    [
      [0, Buffer.from('{"action":"nod","say":"très bien"}').toString('latin1')],
      [1, '{"action":"nod","say":"été"}'],
    ],
    [[1, 'nod']],
  ] as const
  const record = { seats, steps } as unknown as MatchRecord
  const positions = {
    boards: ['', '', ''],
    moves: [
      ['nod', 'nod'],
      [null, 'nod'],
    ],
  }
  const saidIn = (say: boolean) =>
    filmOf(undefined, { record, positions: { ...positions, say } }).frames.map(({ said: words }) => words)
  expect(saidIn(true)).toEqual([
    [undefined, undefined],
    ['très bien', 'été'],
    [undefined, undefined],
  ])
  expect(saidIn(false)).toEqual([undefined, undefined, undefined])
})

it('tells the chances of both seats, also of one that has none left', () => {
  const { of } = chances({ shares: [0.25, 0, null], lost: [] })
  const told = [0, 1, 2].map((turn) => [0, 1].map((seat) => of(undefined, seat, turn)))
  expect(told).toEqual([
    [25, 75],
    [0, 100],
    [null, null],
  ])
})
