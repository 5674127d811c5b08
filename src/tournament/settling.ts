import {
  type Result,
  type Round,
  type Series,
  type Standing,
  type Standings,
  type Stopped,
  type Tournament,
  type TournamentSpec,
  countedBounds,
} from '../core/index.js'
import type { Blocks } from './format.js'
import { among, namesOf } from './pairs.js'
import { listed } from '../text/index.js'
import { rowsOf, sharedBy } from './standings.js'
import {
  type MayMeet,
  type ScoredGame,
  type Settled,
  type SettleOptions,
  evidenceOf,
  gamesOf,
  meansOf,
  meritsOf,
  scoredCompanies,
  scoredEvidenceOf,
  scoredGamesOf,
  settle,
  settleMeans,
  worthPlaying,
  worthPlayingMeans,
} from '../stats/index.js'
import { exact, rounded, unitOf } from './scoring.js'

/** How it stands: what is known of whom, and how far that decides the places. */
interface Look {
  readonly played: readonly Result[]
  readonly known: SettlingEvidence
  readonly stopped: Stopped | undefined
}

/** What is to be decided, and with which matches. Evidence and games tell entrants by their index in `entrants`. */
interface Campaign {
  readonly spec: TournamentSpec
  readonly blocks: Blocks
  readonly entrants: readonly number[]
  /** Of each entrant that plays, its index in `entrants`. */
  readonly index: ReadonlyMap<number, number>
  /** The blocks' companies, by index. */
  readonly indexed: readonly (readonly number[])[]
  /** The first places that are to be decided, and how surely. */
  readonly options: Required<SettleOptions>
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
 * format by itself would have.
 */
export function untilSettled(spec: TournamentSpec, blocks: Blocks, plain: number): Tournament {
  const campaign = campaignOf(spec, blocks, plain)
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

function campaignOf(spec: TournamentSpec, all: Blocks, plain: number): Campaign {
  // What one who is out has not played has no score, so nothing would ever be known of it.
  const stays = (company: readonly number[]): boolean =>
    spec.scoring.by !== 'score' || !company.some((entrant) => spec.out?.includes(entrant))
  const blocks = { ...all, companies: all.companies.filter(stays) }
  const entrants = among(spec, blocks.companies)
  const index = new Map(entrants.map((entrant, i) => [entrant, i]))
  const indexed = blocks.companies.map((company) => company.map((entrant) => index.get(entrant) as number))
  const last = entrants.length - 1
  const { top = last, confidence = CONFIDENCE, budget = BUDGET * plain } = spec.format.settle ?? {}
  const places = Math.max(1, Math.min(top, last))
  return { spec, blocks, entrants, index, indexed, options: { top: places, confidence }, budget, plain }
}

function lookAt(campaign: Campaign, results: ReadonlyMap<string, Result>): Look {
  const { blocks, index, options, budget, plain } = campaign
  const { size } = blocks
  const played = [...results.values()].filter(({ seats }) => seats.every((entrant) => index.has(entrant)))
  const numbered = played.map((result) => ({
    ...result,
    seats: result.seats.map((entrant) => index.get(entrant) as number),
  }))
  const known = knownOf(wholeBlocks(numbered, size), campaign)
  const { settled } = known
  const ended = played.length + size > budget || known.choose(1).length === 0
  const reason = settled.settled ? 'settled' : ended ? 'budget' : undefined
  return {
    played: numbered,
    known,
    stopped: reason && {
      reason,
      confidence: settled.confidence,
      places: options.top,
      decided: settled.decided,
      budget,
      plain,
      exact: known.exact,
    },
  }
}

/**
 * Of each company the blocks that are complete, from the first up to where one is not, in their order: which matches count as
 * evidence then depends on no result, nor on who ended first.
 */
function wholeBlocks(results: readonly Result[], size: number): readonly Result[] {
  const companies = new Map<string, Result[]>()
  for (const result of results) {
    const key = [...result.seats].sort((a, b) => a - b).join()
    const list = companies.get(key) ?? []
    list[numberOf(result.key) - 1] = result
    companies.set(key, list)
  }
  return [...companies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, list]) => {
      const gap = Array.from(list).indexOf(undefined as never)
      const whole = gap === -1 ? list.length : gap
      return list.slice(0, whole - (whole % size))
    })
}

/** Its series are blocks; none where nothing more is worth playing. */
function nextRound({ spec, blocks, entrants, budget }: Campaign, { played, known }: Look): Round {
  const fresh = known.played.filter((n) => n === 0).length
  const room = Math.floor((budget - played.length) / blocks.size)
  const chosen = known.choose(Math.min(room, Math.max(fresh, entrants.length)))
  const times = new Map<number, number>()
  const series = chosen.map((k): Series => {
    const deal = (known.played[k] ?? 0) + (times.get(k) ?? 0)
    times.set(k, (times.get(k) ?? 0) + 1)
    const pairings = blocks.of(blocks.companies[k] ?? [], deal)
    return { key: pairings[0]?.key ?? '', pairings }
  })
  const names = known.settled.open.map((entrant) => spec.names[entrants[entrant] ?? -1] ?? '')
  return { label: fresh > 0 || names.length > 3 ? 'settling' : `settling ${listed(names)}`, series }
}

function standingsOf(campaign: Campaign, look: Look): Standings {
  const { spec, entrants } = campaign
  const { played, known } = look
  const lines = entrants.map((entrant, i) => ({
    entrant,
    points: known.points[i] ?? 0,
    cells: [played.filter(({ seats }) => seats.includes(i)).length],
  }))
  const rows = rowsOf(spec, lines, (a, b) => b.points - a.points)
  return { columns: ['Matches'], rows, notes: notesOf(campaign, look, rows) }
}

/** What stands below the table, once no more is played. */
function notesOf(
  { spec, entrants, options }: Campaign,
  { played, known, stopped }: Look,
  rows: readonly Standing[],
): string[] {
  if (!stopped) return []
  const open = namesOf(
    spec,
    known.settled.open.map((i) => entrants[i] ?? -1),
  )
  const note = noteOf(stopped, played.length, options.confidence, open)
  const first = rows.filter(({ rank }) => rank === 1)
  // Points are a game's: no more than a loss is worth, so no win, and no draw that counts.
  const { by, loss } = spec.scoring
  const none = by !== 'score' && first.length > 1 && first.every((row) => row.points <= loss)
  if (!none) return [note]
  const won = sharedBy(
    spec,
    first.map(({ entrant }) => entrant),
    () => false,
  )
  return [note, won]
}

function noteOf(stopped: Stopped, matches: number, confidence: number, open: readonly string[]): string {
  const { reason, places, plain, exact: isExact } = stopped
  const what = places === 1 ? 'the first place' : `the first ${places} places`
  const after = `after ${matches} matches (the plain format has ${plain})`
  const percent = (share: number): string => `${Math.floor(share * 1000) / 10} %`
  // No test of means holds whatever the law where a rare score may be as great as it likes.
  const about = isExact ? '' : 'about '
  const why = isExact ? '' : '; for an exact level the game would say between which numbers its scores lie'
  return reason === 'settled'
    ? `points are a game's; ${what} decided at ${about}${percent(confidence)} ${after}${why}`
    : `points are a game's; ${what} not decided at ${about}${percent(confidence)} ${after}: open between ${listed(open)}${why}`
}

/** The number of a match in its series, from 1: the last part of its key. */
const numberOf = (key: string): number => Number(key.slice(key.lastIndexOf('/') + 1))

/** What is known of a field that is played until settled, whatever counts. Entrants and companies are named by their index. */
interface SettlingEvidence {
  readonly settled: Settled
  /** Whether the confidence holds whatever the law of the results. */
  readonly exact: boolean
  /** By entrant: the mean over its companies of its mean points, or scores, there. */
  readonly points: readonly number[]
  /** By company: blocks played. */
  readonly played: readonly number[]
  /** The companies most worth a block now, in the order of their worth; a company may come twice. */
  choose(count: number): readonly number[]
}

/** `results`: in an order that does not depend on who ended first. */
function knownOf(results: readonly Result[], campaign: Campaign): SettlingEvidence {
  return campaign.spec.scoring.by === 'score' ? ofScores(results, campaign) : ofWins(results, campaign)
}

/** The number of a match's block in its company. */
const blockOf =
  ({ blocks: { size } }: Campaign) =>
  ({ key }: Result): number =>
    Math.floor((numberOf(key) - 1) / size)

function ofWins(results: readonly Result[], campaign: Campaign): SettlingEvidence {
  const { indexed, entrants, options } = campaign
  const { scoring } = campaign.spec
  const field = entrants.length
  const games = gamesOf(results, { course: ({ course }) => course, deal: blockOf(campaign), teams: scoring.teams })
  const evidence = evidenceOf(indexed, games, field, scoring)
  const settled = settle(evidence, options)
  const { mean } = meritsOf(games, field, scoring)
  return {
    settled,
    exact: true,
    points: mean.map((points) => exact(Number.isNaN(points) ? 0 : points)),
    played: evidence.companies.map(({ played }) => played),
    choose: (count) => worthPlaying(evidence, settled, count),
  }
}

function ofScores(results: readonly Result[], campaign: Campaign): SettlingEvidence {
  const { scoring, scores: range } = campaign.spec
  const games = scoredGamesOf(results, scoring, { deal: blockOf(campaign) })
  const { mean } = meansOf(scoredCompanies(games), campaign.entrants.length, { weighing: 'companies' })
  const unit = unitOf(Math.max(0, ...games.flatMap(({ scores }) => scores.map(Math.abs))))
  const points = mean.map((value) => (Number.isNaN(value) ? 0 : rounded(value, unit)))
  return { points, ...(range ? withinBounds(games, campaign) : withoutBounds(games, campaign)) }
}

/** Where the game says between which numbers its scores lie. */
function withinBounds(games: readonly ScoredGame[], { spec, indexed, entrants, options }: Campaign) {
  const bounds = countedBounds(spec.scoring, spec.scores) ?? { min: 0, max: 0 }
  const evidence = scoredEvidenceOf(indexed, games, entrants.length, bounds)
  const settled = settle(evidence, options)
  return {
    settled,
    exact: true,
    played: evidence.companies.map(({ played }) => played),
    choose: (count: number) => worthPlaying(evidence, settled, count),
  }
}

function withoutBounds(games: readonly ScoredGame[], { indexed, entrants, options }: Campaign) {
  const field = entrants.length
  const keyOf = (members: readonly number[]): string => [...new Set(members)].sort((a, b) => a - b).join()
  const met = new Map(scoredCompanies(games).map((company) => [company.members.join(), company]))
  const may = indexed.map((members): MayMeet => {
    const company = met.get(keyOf(members))
    return { members, known: company }
  })
  const settled = settleMeans(may, field, options)
  return {
    settled,
    exact: false,
    played: may.map((company) => company.known?.blocks ?? 0),
    choose: (count: number) => worthPlayingMeans(may, field, settled, count),
  }
}
