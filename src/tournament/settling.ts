import type { Result, Round, Series, Standing, Standings, Stopped, Tournament, TournamentSpec } from '../core/index.js'
import { countedBounds } from '../core/index.js'
import type { Blocks } from './format.js'
import { among, type Results } from './pairs.js'
import { listed } from '../text/index.js'
import { firstOf, rowsOf, sharedBy } from './standings.js'
import {
  type Evidence,
  evidenceOf,
  gamesOf,
  meansOf,
  meritsOf,
  scoredCompanies,
  scoredEvidenceOf,
  scoredGamesOf,
  type Settled,
  settle,
  settleMeans,
  worthPlaying,
} from '../stats/index.js'
import { exact, rounded, unitOf } from './scoring.js'

/** What is to be decided, with which matches. Evidence and games tell entrants by their index in `entrants`. */
interface Campaign {
  readonly spec: TournamentSpec
  readonly blocks: Blocks
  readonly entrants: readonly number[]
  readonly companies: readonly (readonly number[])[]
  /** The first places to be decided, and how surely. */
  readonly options: { readonly top: number; readonly confidence: number }
  readonly budget: number
  readonly plain: number
}

type Look = ReturnType<typeof lookAt>

/** Unless the contest says: matches at most, as a multiple of the format's own. */
const BUDGET = 4
const CONFIDENCE = 0.95

/**
 * Plays where it matters until the first places are decided, or the budget ends. Its companies, blocks and keys are its
 * format's, so nothing is played again. First every company plays a block; then each round has as many blocks as
 * entrants, the most promising (`worthPlaying`). `plain`: how many matches the format itself has.
 */
export function untilSettled(spec: TournamentSpec, blocks: Blocks, plain: number): Tournament {
  const campaign = campaignOf(spec, blocks, plain)
  const look = (results: Results): Look => lookAt(campaign, results)
  return {
    next(results) {
      const now = look(results)
      return now.stopped ? undefined : nextRound(campaign, now)
    },
    standings: (results) => standingsOf(campaign, look(results)),
    total: (results) => (look(results).stopped ? results.size : Math.max(campaign.budget, results.size)),
    stopped: (results) => look(results).stopped,
  }
}

function campaignOf(spec: TournamentSpec, all: Blocks, plain: number): Campaign {
  // What one who is out has not played has no score: nothing would ever be known of it.
  const stays = (company: readonly number[]): boolean =>
    spec.scoring.by !== 'score' || !company.some((entrant) => spec.out?.includes(entrant))
  const blocks = { ...all, companies: all.companies.filter(stays) }
  const entrants = among(spec, blocks.companies)
  const companies = blocks.companies.map((company) => company.map((entrant) => entrants.indexOf(entrant)))
  const last = entrants.length - 1
  const { top = last, confidence = CONFIDENCE, budget = BUDGET * plain } = spec.format.settle ?? {}
  const options = { top: Math.max(1, Math.min(top, last)), confidence }
  return { spec, blocks, entrants, companies, options, budget, plain }
}

/** `matches`: all played, entrants by index; the first open place is between those that are `open`. */
function lookAt(campaign: Campaign, results: Results) {
  const { spec, blocks, entrants, options, budget, plain } = campaign
  const matches = [...results.values()]
    .map((result) => ({ ...result, seats: result.seats.map((entrant) => entrants.indexOf(entrant)) }))
    .filter(({ seats }) => !seats.includes(-1))
  const known = knownOf(wholeBlocks(matches, blocks.size), campaign)
  const { settled, confidence, decided, open } = known.settled
  const ended = matches.length + blocks.size > budget || known.choose(1).length === 0
  const reason: Stopped['reason'] | undefined = settled ? 'settled' : ended ? 'budget' : undefined
  const stopped = reason && { reason, confidence, places: options.top, decided, budget, plain, exact: known.exact }
  const names = open.map((i) => spec.names[entrants[i] ?? -1] ?? '')
  return { ...known, matches, stopped, open: names }
}

/** Each company's blocks up to the first incomplete one: so evidence depends on no result, nor on who ended first. */
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

/** A match's number in its series, from 1: its key's last part. */
const numberOf = (key: string): number => Number(key.slice(key.lastIndexOf('/') + 1))

/**
 * What is known of the field; entrants and companies by index. `points`: by entrant the mean over its companies of its
 * mean points or scores; `exact`: the confidence holds whatever the law of results; `played`: blocks, by company;
 * `choose`: the companies most worth a block now. `results`: in an order independent of who ended first.
 */
function knownOf(results: readonly Result[], { spec, blocks, entrants, companies, options }: Campaign) {
  const { scoring, scores: range } = spec
  const field = entrants.length
  const deal = ({ key }: Result): number => Math.floor((numberOf(key) - 1) / blocks.size)
  const byEvidence = (evidence: Evidence) => decidedBy(settle(evidence, options), evidence, true)
  if (scoring.by !== 'score') {
    const games = gamesOf(results, { course: ({ course }) => course, deal, teams: scoring.teams })
    const points = meritsOf(games, field, scoring).mean.map((value) => exact(value || 0))
    return { points, ...byEvidence(evidenceOf(companies, games, field, scoring)) }
  }
  const games = scoredGamesOf(results, scoring, { deal })
  const met = scoredCompanies(games)
  const unit = unitOf(Math.max(0, ...games.flatMap(({ scores }) => scores.map(Math.abs))))
  const means = meansOf(met, field, { weighing: 'companies' })
  const points = means.mean.map((value) => rounded(value || 0, unit))
  const bounds = range && countedBounds(scoring, range)
  if (bounds) return { points, ...byEvidence(scoredEvidenceOf(companies, games, field, bounds)) }
  const blocksPlayed = new Map(met.map((company) => [company.members.join(), company.blocks]))
  const evidence = {
    companies: companies.map((members) => ({
      members,
      played: blocksPlayed.get([...new Set(members)].sort((a, b) => a - b).join()) ?? 0,
    })),
  }
  const isComplete = evidence.companies.every(({ played }) => played > 0)
  return { points, ...decidedBy(settleMeans(met, means, isComplete, options), evidence, false) }
}

const decidedBy = (settled: Settled, evidence: Parameters<typeof worthPlaying>[0], isExact: boolean) => ({
  settled,
  exact: isExact,
  played: evidence.companies.map(({ played }) => played),
  choose: (count: number) => worthPlaying(evidence, settled, count),
})

function nextRound({ blocks, entrants, budget }: Campaign, { matches, open, played, choose }: Look): Round {
  const fresh = played.filter((n) => n === 0).length
  const room = Math.floor((budget - matches.length) / blocks.size)
  const deals = [...played]
  const series = choose(Math.min(room, Math.max(fresh, entrants.length))).map((k): Series => {
    const deal = deals[k] as number
    deals[k] = deal + 1
    const pairings = blocks.of(blocks.companies[k] ?? [], deal)
    return { key: pairings[0]?.key ?? '', pairings }
  })
  return { label: fresh > 0 || open.length > 3 ? 'settling' : `settling ${listed(open)}`, series }
}

function standingsOf(campaign: Campaign, look: Look): Standings {
  const { spec, entrants } = campaign
  const lines = entrants.map((entrant, i) => ({
    entrant,
    points: look.points[i] ?? 0,
    cells: [look.matches.filter(({ seats }) => seats.includes(i)).length],
  }))
  const rows = rowsOf(spec, lines, (a, b) => b.points - a.points)
  return { columns: ['Matches'], rows, notes: look.stopped ? notesOf(campaign, look, look.stopped, rows) : [] }
}

function notesOf(
  { spec, options }: Campaign,
  { matches, open }: Look,
  { reason, places, plain, exact: isExact }: Stopped,
  rows: readonly Standing[],
): readonly string[] {
  const what = places === 1 ? 'the first place' : `the first ${places} places`
  const percent = `${Math.floor(options.confidence * 1000) / 10} %`
  const decided = reason === 'settled' ? 'decided' : 'not decided'
  const between = reason === 'settled' ? '' : `: open between ${listed(open)}`
  // No test of means holds whatever the law where a rare score may be as great as it likes.
  const about = isExact ? '' : 'about '
  const why = isExact ? '' : '; for an exact level the game would say between which numbers its scores lie'
  const note = `points are a game's; ${what} ${decided} at ${about}${percent} after ${matches.length} matches (the plain format has ${plain})${between}${why}`
  // Points are a game's: no more than a loss's, so no win, and no draw that counts.
  const { by, loss } = spec.scoring
  const first = rows.filter(({ rank }) => rank === 1)
  const none = by !== 'score' && first.length > 1 && first.every(({ points }) => points <= loss)
  return none ? [note, sharedBy(spec, firstOf(rows), () => false)] : [note]
}
