import type { Pairing, Series, Standings, Tournament, TournamentSpec } from '../core/index.js'
import { allAmong, alternating, inLotOrder, inTurns, namesOf, type Pair, type Results, sitting } from './pairs.js'
import { repeats } from './rounds.js'
import { nothing, pointsOf, type Score, tally, together } from './scoring.js'
import { listed } from '../text/index.js'
import { longestFirst, rowsOf } from './standings.js'

interface Tie {
  readonly pair: Pair
  /** Matches wanted next; none once it is decided. */
  readonly next: Series | undefined
  readonly played: number
  readonly winner: number | undefined
  /** By entrant of the contest. */
  readonly scores: readonly Score[]
  readonly bySeed: boolean
  readonly repeated: boolean
}

/** A round's entrants, two by two; undefined: nobody, so the other has a bye. */
type Slots = readonly (number | undefined)[]

/** A knockout's rounds from its `bracket`: each follows from the last, with half as many slots. */
export type Draw = (
  seeds: readonly number[],
) => Generator<Slots, void, { readonly winners: Slots; readonly losers: Slots }>

type Stages = readonly (readonly Tie[])[]

/**
 * A tournament of pairings that send the winner on; who has lost `lives` of them is out. A pairing is the best of
 * `repetitions`. If level, up to `playoff` more matches follow one by one, fewer if they repeat each other; then the
 * better seed goes on.
 */
export function knockout(spec: TournamentSpec, lives: number, draw: Draw): Tournament {
  const seeds = seedsOf(spec, allAmong(spec))
  const most = mostMatches(spec)
  return {
    next(results) {
      const stages = stagesOf(spec, seeds, draw, results)
      const open = stages.at(-1)?.filter(({ next }) => next !== undefined) ?? []
      // Pairings that need more matches wait for the others.
      const least = Math.min(...open.map(({ played }) => Math.max(played, atLeast(spec) - 1)))
      const series = open.flatMap(({ next, played }) => (next && played <= least ? [next] : []))
      return series.length > 0 ? { label: `round ${stages.length}`, series } : undefined
    },
    standings: (results) => table(spec, seeds, lives, stagesOf(spec, seeds, draw, results)),
    total(results) {
      const ties = stagesOf(spec, seeds, draw, results).flat()
      const isOver = ties.every(({ winner }) => winner !== undefined)
      const toCome = isOver ? 0 : (lives * seeds.length - 1 - ties.length) * most
      return ties.reduce((sum, { played, winner }) => sum + (winner === undefined ? most : played), toCome)
    },
  }
}

function stagesOf(spec: TournamentSpec, seeds: readonly number[], draw: Draw, results: Results): Stages {
  const rounds = draw(seeds)
  const stages: Tie[][] = []
  for (let round = rounds.next(); !round.done;) {
    const ties: Tie[] = []
    const winners: (number | undefined)[] = []
    const losers: (number | undefined)[] = []
    for (let i = 0; i < round.value.length; i += 2) {
      const [a, b] = [round.value[i], round.value[i + 1]]
      const isBye = a === undefined || b === undefined
      const tie = isBye ? undefined : tieOf(spec, [a, b], stages, results)
      const winner = tie?.bySeed ? seeds.find((entrant) => entrant === a || entrant === b) : tie?.winner
      if (tie) ties.push({ ...tie, winner })
      winners.push(isBye ? (a ?? b) : winner)
      losers.push(isBye ? undefined : winner === a ? b : a)
    }
    stages.push(ties)
    if (ties.some(({ winner }) => winner === undefined)) break
    round = rounds.next({ winners, losers })
  }
  return stages
}

/** The entrants from the best seed on: by the contest's order, or by lot. */
export function seedsOf(spec: TournamentSpec, entrants: readonly number[]): readonly number[] {
  return spec.format.seeding === 'lot' ? inLotOrder(spec, entrants, 'seeding') : entrants
}

/**
 * The first round: the first two seeds can meet in the last round only, the first four in the last two, and so on.
 * Unless the field is a power of two, the best seeds have a bye.
 */
export function bracket(seeds: readonly number[]): Slots {
  let order: number[] = [0]
  // In a bracket twice the size seed s of the smaller meets the one that makes up the sum.
  while (order.length < seeds.length) {
    const last = 2 * order.length - 1
    order = order.flatMap((s, i) => (i % 2 === 0 ? [s, last - s] : [last - s, s]))
  }
  return order.map((s) => seeds[s])
}

/** How a pairing stands after these `stages`; without a winner if only seeds can decide it yet. */
function tieOf(spec: TournamentSpec, pair: Pair, stages: Stages, results: Results): Tie {
  const { repetitions, swap } = spec.format
  const { by, win, loss } = spec.scoring
  const most = mostMatches(spec)
  // First as many as are needed at least, in one sitting; then one at a time, each with its own deal.
  const least = atLeast(spec)
  // Two that meet again go on with new luck.
  const before = stages.flat().filter((tie) => pair.every((entrant) => tie.pair.includes(entrant))).length
  const round = String(stages.length + 1)
  const { key, pairings } = sitting(
    spec,
    round,
    swap ? alternating(spec, pair, round, most) : inTurns(pair, most, false),
    (i) => before * most + (swap && i < least ? Math.floor(i / 2) : i),
  )
  const open = pairings.findIndex((pairing) => !results.has(pairing.key))
  const over = open === -1 ? pairings : pairings.slice(0, open)
  const { scores } = tally(spec.scoring, spec.names.length, over, results)
  const [own = 0, other = 0] = pair.map((entrant) => pointsOf(spec.scoring, scores[entrant] as Score))
  const unplayed = by === 'score' ? leadUnplayed(pair, over, results) : 0
  const lead = unplayed === 0 ? own - other : unplayed * Infinity
  const played = over.length
  // What is left of the best-of can turn so much: anything, where scores count.
  const turn = played >= repetitions ? 0 : (repetitions - played) * (by === 'score' ? Infinity : win - loss)
  // Further matches are own sittings, so many of which hold every order of seats.
  const cycle = swap ? 2 : 1
  const further = over.slice(repetitions)
  const repeated = lead === 0 && repeats(spec, further.slice(-cycle), further.slice(-2 * cycle, -cycle), results)
  const tie = { pair, scores, played, repeated, winner: undefined, next: undefined, bySeed: false }
  const match = pairings[played]
  if (match && !repeated && (played === 0 || lead === 0 || Math.abs(lead) <= turn)) {
    const next = played < least ? { key, pairings: pairings.slice(0, least) } : { key: match.key, pairings: [match] }
    return { ...tie, next }
  }
  return lead === 0 ? { ...tie, bySeed: true } : { ...tie, winner: lead > 0 ? pair[0] : pair[1] }
}

/** The first's lead in matches lost unplayed: where scores count, these decide. */
function leadUnplayed([a, b]: Pair, played: readonly Pairing[], results: Results): number {
  let lead = 0
  for (const { key, seats } of played) {
    const { place, score } = results.get(key)?.outcome ?? {}
    if (score === undefined) lead += (place?.[seats.indexOf(b)] ?? 0) - (place?.[seats.indexOf(a)] ?? 0)
  }
  return lead
}

const mostMatches = ({ format }: TournamentSpec): number => format.repetitions + format.playoff

/** All of a best-of, where scores count. */
const atLeast = ({ format, scoring }: TournamentSpec): number =>
  scoring.by === 'score' ? format.repetitions : Math.floor(format.repetitions / 2) + 1

/** Ranks by the round of an entrant's last loss; a column of points for each round. */
function table(spec: TournamentSpec, seeds: readonly number[], lives: number, stages: Stages): Standings {
  const lines = seeds.map((entrant) => {
    const ties = stages.map((stage) => stage.find(({ pair }) => pair.includes(entrant)))
    const scores = ties.map((tie) => tie?.scores[entrant])
    const lost = ties.flatMap((tie, stage) => (tie?.winner === undefined || tie.winner === entrant ? [] : [stage]))
    const sum = scores.reduce<Score>((all, score) => together(all, score), nothing(spec.scoring))
    return {
      entrant,
      cells: scores.map((score) => (score ? pointsOf(spec.scoring, score) : null)),
      until: lost[lives - 1] ?? Infinity,
      scored: sum.scored,
      points: pointsOf(spec.scoring, sum),
    }
  })
  const lucky = stages.flat().filter(({ bySeed }) => bySeed)
  const notes = lucky.map(({ pair, winner = -1, repeated }) => {
    const again = repeated ? ', and their matches repeated each other' : ''
    return `${listed(namesOf(spec, pair))} were level${again}: ${spec.names[winner]} went on as the better seed`
  })
  return {
    columns: stages.map((_, i) => String(i + 1)),
    rows: rowsOf(spec, lines, longestFirst(spec.scoring)),
    notes,
  }
}
