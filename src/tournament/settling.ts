import type {
  Pairing,
  Result,
  Round,
  Series,
  Standing,
  Standings,
  Stopped,
  Tournament,
  TournamentSpec,
} from '../core/index.js'
import {
  type Evidence,
  type Game,
  type Settled,
  byPoints,
  evidenceOf,
  gamesOf,
  settle,
  worthPlaying,
} from '../rating/index.js'
import { FormatError } from './format-error.js'
import { groupsOf, squareOf } from './groups.js'
import { bothOrders } from './ordered-pairs.js'
import { among, namesOf, wantedPairs, type Pair } from './pairs.js'
import { pairSeries } from './round-robin.js'
import { exact } from './scoring.js'
import { listed, ranked, sharedBy } from './standings.js'

/** Who may meet, and their matches by block: all orders of seats with one deal of luck. */
interface Blocks {
  readonly companies: readonly (readonly number[])[]
  /** Matches a block. */
  readonly size: number
  of(company: readonly number[], deal: number): readonly Pairing[]
}

/** How it stands: what is known of whom, and how far that decides the places. */
interface Look {
  readonly games: readonly Game[]
  readonly evidence: Evidence
  readonly settled: Settled
  readonly stopped: Stopped | undefined
}

/** What is to be decided, and with which matches. Evidence and games tell entrants by their index in `entrants`. */
interface Campaign {
  readonly spec: TournamentSpec
  readonly blocks: Blocks
  readonly entrants: readonly number[]
  /** Of each entrant that plays, its place in `entrants`. */
  readonly index: ReadonlyMap<number, number>
  /** The blocks' companies, by index. */
  readonly indexed: readonly (readonly number[])[]
  /** The first places that are to be decided. */
  readonly places: number
  readonly confidence: number
  /** Matches at most. */
  readonly budget: number
  /** Matches that the format by itself would have. */
  readonly plain: number
}

/** By default the budget is so many times the format's own matches. */
const BUDGET = 4
const CONFIDENCE = 0.95

/**
 * A tournament that plays where it matters until the first places are decided, or its budget ends. Its companies, blocks and
 * keys are those of its format, so what has been played of either is not played again. First every company plays a block; then
 * each round has as many blocks as there are entrants, those that promise most (`worthPlaying`). `plain`: how many matches the
 * format by itself would have. Throws a FormatError for a format or for entrants that it does not fit.
 */
export function untilSettled(spec: TournamentSpec, plain: number): Tournament {
  const campaign = campaignOf(spec, plain)
  const look = (results: ReadonlyMap<string, Result>): Look => lookAt(campaign, results)
  return {
    next(results) {
      const now = look(results)
      if (now.stopped) return undefined
      const round = nextRound(campaign, now)
      return round.series.length === 0 ? undefined : round
    },
    standings: (results) => standingsOf(campaign, look(results)),
    total: (results) => (look(results).stopped ? results.size : Math.max(campaign.budget, results.size)),
    stopped: (results) => look(results).stopped,
  }
}

function campaignOf(spec: TournamentSpec, plain: number): Campaign {
  const blocks = blocksOf(spec)
  const entrants = among(spec, blocks.companies)
  const index = new Map(entrants.map((entrant, i) => [entrant, i]))
  const indexed = blocks.companies.map((company) => company.map((entrant) => index.get(entrant) as number))
  const last = entrants.length - 1
  const { top = last, confidence = CONFIDENCE, budget = BUDGET * plain } = spec.format.settle ?? {}
  const places = Math.max(1, Math.min(top, last))
  return { spec, blocks, entrants, index, indexed, places, confidence, budget, plain }
}

function lookAt(campaign: Campaign, results: ReadonlyMap<string, Result>): Look {
  const { spec, blocks, entrants, index, indexed, places, confidence, budget, plain } = campaign
  const { size } = blocks
  // Sums in the order of the keys come out the same to the last digit, whichever match ended first.
  const played = [...results.values()].filter(({ seats }) => seats.every((entrant) => index.has(entrant)))
  played.sort((a, b) => (a.key < b.key ? -1 : 1))
  const games = gamesOf(
    played.map((result) => ({ ...result, seats: result.seats.map((entrant) => index.get(entrant) as number) })),
    { course: ({ course }) => course, deal: ({ key }) => Math.floor((numberOf(key) - 1) / size) },
  )
  const evidence = evidenceOf(indexed, games, entrants.length, spec.scoring)
  const settled = settle(evidence, { top: places, confidence })
  const reason = settled.settled ? 'settled' : played.length + size > budget ? 'budget' : undefined
  return {
    games,
    evidence,
    settled,
    stopped: reason && { reason, confidence: settled.confidence, places, decided: settled.decided, budget, plain },
  }
}

/** Its series are blocks; none where nothing more is worth playing. */
function nextRound({ spec, blocks, entrants, budget }: Campaign, { games, evidence, settled }: Look): Round {
  const fresh = evidence.companies.filter(({ played }) => played === 0).length
  const room = Math.floor((budget - games.length) / blocks.size)
  const chosen = worthPlaying(evidence, settled, Math.min(room, Math.max(fresh, entrants.length)))
  const times = new Map<number, number>()
  const series = chosen.map((k): Series => {
    const deal = (evidence.companies[k]?.played ?? 0) + (times.get(k) ?? 0)
    times.set(k, (times.get(k) ?? 0) + 1)
    const pairings = blocks.of(blocks.companies[k] ?? [], deal)
    return { key: pairings[0]?.key ?? '', pairings }
  })
  const names = settled.open.map((entrant) => spec.names[entrants[entrant] ?? -1] ?? '')
  return { label: fresh > 0 || names.length > 3 ? 'settling' : `settling ${listed(names)}`, series }
}

function standingsOf(campaign: Campaign, look: Look): Standings {
  const { spec, entrants } = campaign
  const { games } = look
  const points = byPoints(spec.scoring)(games, entrants.length)(games.map(() => 1))
  const lines = entrants.map((entrant, i) => ({
    entrant,
    points: games.length === 0 ? 0 : exact(points[i] ?? 0),
    matches: games.filter((game) => game.entrants.includes(i)).length,
  }))
  const rows = ranked(lines, (a, b) => b.points - a.points).map(({ rank, item }): Standing => ({
    rank,
    entrant: item.entrant,
    name: spec.names[item.entrant] ?? '',
    points: item.points,
    cells: [item.matches],
  }))
  return { columns: ['Matches'], rows, notes: notesOf(campaign, look, rows) }
}

/** What is told below the table, once no more is played. */
function notesOf(
  { spec, entrants, confidence }: Campaign,
  { games, settled, stopped }: Look,
  rows: readonly Standing[],
): string[] {
  if (!stopped) return []
  const open = namesOf(
    spec,
    settled.open.map((i) => entrants[i] ?? -1),
  )
  const note = noteOf(stopped, games.length, confidence, open)
  const first = rows.filter(({ rank }) => rank === 1)
  // Points are a game's: no more than a loss is worth, so no win, and no draw that counts.
  const none = first.length > 1 && first.every((row) => row.points <= spec.scoring.loss)
  if (!none) return [note]
  const won = sharedBy(
    spec,
    first.map(({ entrant }) => entrant),
    () => false,
  )
  return [note, won]
}

function noteOf(stopped: Stopped, matches: number, confidence: number, open: readonly string[]): string {
  const { reason, places, plain } = stopped
  const what = places === 1 ? 'the first place' : `the first ${places} places`
  const after = `after ${matches} matches (the plain format has ${plain})`
  const percent = (share: number): string => `${Math.floor(share * 1000) / 10} %`
  return reason === 'settled'
    ? `points are a game's; ${what} decided at ${percent(confidence)} ${after}`
    : `points are a game's; ${what} not decided at ${percent(confidence)} ${after}: open between ${listed(open)}`
}

function blocksOf(spec: TournamentSpec): Blocks {
  const { kind, swap } = spec.format
  if (spec.shuffled) {
    throw new FormatError(
      'until settled, matches are chosen by results, so no bot may remember one: these have memory = "tournament"',
    )
  }
  const last = (pairings: readonly Pairing[], size: number): readonly Pairing[] => pairings.slice(-size)
  switch (kind) {
    case 'round-robin': {
      const size = swap ? 2 : 1
      return {
        companies: wantedPairs(spec),
        size,
        of: (pair, deal) => last(pairSeries(spec, pair as Pair, '1', 0, (deal + 1) * size).pairings, size),
      }
    }
    case 'ordered-pairs':
      return {
        companies: wantedPairs(spec),
        size: 2,
        of: (pair, deal) => last(bothOrders(spec, pair as Pair, '1', deal + 1, 0).pairings, 2),
      }
    case 'groups': {
      const companies = groupsOf(spec)
      return { companies, size: companies[0]?.length ?? 1, of: (group, deal) => squareOf(spec, group, deal) }
    }
    default:
      throw new FormatError(`only round-robin, ordered-pairs and groups can be played until settled, not ${kind}`)
  }
}

/** The number of a match in its series, from 1: the last part of its key. */
const numberOf = (key: string): number => Number(key.slice(key.lastIndexOf('/') + 1))
