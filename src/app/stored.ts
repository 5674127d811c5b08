import { specOf } from './run/spec.js'
import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { withExclusions } from './run/live-run.js'
import {
  type GameDefinition,
  type Result,
  type Standings,
  type Tournament,
  type TournamentSpec,
  UserError,
  didYouMean,
  command,
  message,
} from '../core/index.js'
import { CONTESTS, folderContest, recordGame } from '../contest/index.js'
import type { Exclusion, NoteStore, MatchStore, StoredRun, Store } from '../store/index.js'
import { tableBefore, tournamentWithout } from '../tournament/exclusions.js'
import {
  type Crosstable,
  countedTable,
  crosstable,
  crosstableOfPairs,
  formatOf,
  isPlayoff,
} from '../tournament/index.js'
import { pointsOf, tally } from '../tournament/scoring.js'
import type { FaultCount } from '../results/faults.js'
import { withStore } from './open-store.js'
import type { Context } from './context.js'

export type { Exclusion, LogEntry } from '../store/index.js'

export interface RunRef {
  /** A contest's file or folder, the folder of a run's results, or the name of a game for its own contest. */
  readonly contest: string
  /** Its id or the beginning; absent: the contest's latest. */
  readonly run?: string
}
export interface PlayedRunRef extends RunRef {
  /** The file of a game that does not come with agon: it is run. */
  readonly gameFile?: string
}

/** Opens the store and finds the run that is meant. */
export function withRun<T>(
  contest: string,
  id: string | undefined,
  context: Context,
  work: (store: Store, run: StoredRun) => Promise<T>,
): Promise<T> {
  return withStore(context, async (store) => work(store, await runNamed(store, contest, id)))
}

/**
 * The run of an id or its beginning, else a contest's latest without `only`, else its latest; of a contest that lies elsewhere by its file's name, or
 * by the folder of results. Throws UserError.
 */
async function runNamed(store: Pick<Store, 'runs' | 'where'>, ref: string, id?: string): Promise<StoredRun> {
  const runs = await store.runs()
  const path = contestPath(ref)
  const inFolder = runs.filter(({ out }) => out === resolve(ref))
  const here = inFolder.length > 0 ? inFolder : runs.filter(({ file }) => file === path)
  const strays = runs.filter(({ file }) => isStrayOf(path, file))
  const own = here.length > 0 ? here : strays
  if (own.length === 0) {
    const names = [...new Set(runs.map(({ file }) => basename(file, '.toml')))]
    const guess = didYouMean(basename(path, '.toml'), names)
    throw new UserError(message`${store.where} holds no run of ${ref}${guess}: ${command('runs')} lists what it holds`)
  }
  if (id === undefined) return own.find(({ contest }) => contest.only === undefined) ?? (own[0] as StoredRun)
  const meant = own.filter((run) => run.id.startsWith(id))
  const exact = meant.find((run) => run.id === id) ?? (meant.length === 1 ? meant[0] : undefined)
  if (exact !== undefined) return exact
  const ids = own.map((run) => run.id)
  throw new UserError(
    `${meant.length === 0 ? 'no' : 'more than one'} run of ${ref} is "${id}"${didYouMean(id, ids)}; there are ${ids.join(', ')}`,
  )
}

/** Whether a contest's file is meant, or has its name and has moved. */
export function isContest(ref: string): (contest: string) => boolean {
  const path = contestPath(ref)
  return (contest) => contest === path || isStrayOf(path, contest)
}

function contestPath(ref: string): string {
  const shipped = join(CONTESTS, `${ref}.toml`)
  if (!/\.toml$|[\\/]/.test(ref) && existsSync(shipped)) return shipped
  return folderContest(ref) ?? (/\.toml$|[\\/]/.test(ref) ? resolve(ref) : shipped)
}

const isStrayOf = (path: string, contest: string): boolean =>
  basename(contest) === basename(path) && !existsSync(contest)

/** `file`: as the user named it. */
export const gameOf = ({ game }: Pick<StoredRun, 'game'>, file: string | undefined): Promise<GameDefinition> =>
  recordGame(game.id, file, game.file)

/** The index, whatever the name's case. Throws UserError for a stranger. */
export function entrantNamed({ entrants }: Pick<StoredRun, 'entrants'>, name: string): number {
  const names = entrants.map((entrant) => entrant.name)
  const index = names.findIndex((one) => one.toLowerCase() === name.toLowerCase())
  if (index >= 0) return index
  throw new UserError(`no entrant "${name}"${didYouMean(name, names)}; there are ${names.join(', ')}`)
}

export interface RunStandings {
  readonly standings: Standings
  /** Of the first so many of the table. Made on demand: that of a large field takes a while. */
  readonly crosstable: (most?: number) => Crosstable
  readonly faults: FaultCount
  readonly exclusions: readonly Exclusion[]
  /** Matches that the table counts. */
  readonly matches: number
  /** Nothing is left to play. */
  readonly finished: boolean
}

interface Playing {
  readonly schedule: Pick<Tournament, 'standings'>
  readonly results: ReadonlyMap<string, Result>
}

/**
 * How a run stands: by the store's counts, if they decide it, at one cost for any number of matches; else by its
 * results. `playing`: by this process; its schedule is not drawn again, and it counts as unfinished.
 */
export async function standingsOfRun(
  store: NoteStore & MatchStore,
  run: StoredRun,
  playing?: Playing,
): Promise<RunStandings> {
  const spec = specOf(run)
  const exclusions = await store.exclusions(run.id)
  const isCounted = !playing && exclusions.length === 0 && formatOf(run.contest.format.kind).meetings !== undefined
  // If results decide, they are read first, and counted.
  const results = playing?.results ?? (isCounted ? undefined : await store.results(run.id))
  const board = await store.leaderboard(run.id)
  const faults = board.flatMap(({ name, faults: own }) => (Object.keys(own).length > 0 ? [[name, own] as const] : []))
  const about = { faults: new Map(faults), exclusions }
  const { names, scoring } = spec
  const pairs = isCounted ? await store.pairs(run.id) : []
  const counted = isCounted ? countedTable(spec, board, pairs) : undefined
  if (counted !== undefined) {
    const table = (most?: number) => crosstableOfPairs(names, scoring, pairs, rankedIn(counted.standings, most))
    return { ...about, ...counted, matches: run.matches, crosstable: table }
  }
  const all = results ?? (await store.results(run.id))
  const found = playing
    ? { standings: playing.schedule.standings(all), finished: false }
    : tableOf(run, spec, exclusions, all)
  const counting = countingAmong(names, exclusions, all)
  const table = (most?: number) => crosstable(names, scoring, counting, rankedIn(found.standings, most))
  return { ...about, ...found, matches: counting.length, crosstable: table }
}

function tableOf(
  run: StoredRun,
  spec: TournamentSpec,
  exclusions: readonly Exclusion[],
  results: ReadonlyMap<string, Result>,
): Pick<RunStandings, 'standings' | 'finished'> {
  const schedule = scheduleOf(run, spec, exclusions)
  const finished = schedule.next(results) === undefined
  const before = !finished && run.state === 'finished' ? tableBefore(spec, exclusions, results) : undefined
  return { standings: withExclusions(before ?? schedule.standings(results), exclusions), finished }
}

const rankedIn = ({ rows }: Standings, most?: number): readonly number[] =>
  rows.slice(0, most).map(({ entrant }) => entrant)

/** What the table counts, rulings applied. */
export async function countingResults(store: NoteStore & MatchStore, run: StoredRun): Promise<readonly Result[]> {
  const names = run.entrants.map(({ name }) => name)
  return countingAmong(names, await store.exclusions(run.id), await store.results(run.id))
}

export function countingAmong(
  names: readonly string[],
  exclusions: readonly Exclusion[],
  results: ReadonlyMap<string, Result>,
): readonly Result[] {
  const voided = voidedBy(exclusions)
  return [...results.values()].filter(({ seats }) => !seats.some((one) => voided.has(names[one] ?? '')))
}

/** Names of entrants none of whose matches counts. */
export const voidedBy = (exclusions: readonly Exclusion[]): ReadonlySet<string> =>
  new Set(exclusions.flatMap(({ name, treatment }) => (treatment === 'void' ? [name] : [])))

/**
 * How an entrant stands, and how often it was ahead of, level with and behind each that it met, as its table counts:
 * `voided` matches do not, as another entrant is out. Of one that is out itself all matches count.
 */
export async function pageOfEntrant(store: NoteStore & MatchStore, run: StoredRun, entrant: number) {
  const standing = (await store.leaderboard(run.id)).find((row) => row.entrant === entrant)
  if (standing === undefined) throw new Error(`the run ${run.id} has no entrant ${entrant}`)
  const voided = voidedBy(await store.exclusions(run.id))
  if (voided.size === 0 || voided.has(standing.name)) {
    const pairs = (await store.pairs(run.id)).flatMap(({ one, other, ahead, level, behind }) => {
      if (one !== entrant && other !== entrant) return []
      const [opponent, lead, lag] = one === entrant ? [other, ahead, behind] : [one, behind, ahead]
      return [{ opponent, name: run.entrants[opponent]?.name ?? '', ahead: lead, level, behind: lag }]
    })
    return { standing, pairs: pairs.sort((a, b) => a.opponent - b.opponent), voided: 0 }
  }
  const names = run.entrants.map(({ name }) => name)
  const { scoring } = run.contest
  const own = (await countingResults(store, run)).filter(({ key, seats }) => seats.includes(entrant) && !isPlayoff(key))
  const pairings = own.map(({ key, seats }) => ({ key, seats, deal: 0 }))
  const { scores } = tally(scoring, names.length, pairings, new Map(own.map((one) => [one.key, one])))
  const score = scores[entrant]
  if (score === undefined) throw new Error(`the run ${run.id} has no entrant ${entrant}`)
  const { wins, draws, losses } = score
  const byWins = { ...scoring, by: undefined }
  const points = pointsOf(byWins, score)
  const { rows } = crosstable(names, byWins, own)
  return {
    standing: { ...standing, matches: own.length, wins, draws, losses, points },
    pairs: (rows[entrant] ?? []).map(({ opponent, wins: ahead, draws: level, losses: behind }) => {
      return { opponent, name: names[opponent] ?? '', ahead, level, behind }
    }),
    voided: standing.matches - own.length,
  }
}

/** Milliseconds that an unused schedule is kept. */
const KEPT_MS = 60_000
let kept: { readonly of: string; readonly schedule: Tournament; readonly timer: NodeJS.Timeout } | undefined

/**
 * Without those who are out. The last is kept a while: a watched table needs it again, and a large one takes seconds.
 */
export function scheduleOf(run: StoredRun, spec: TournamentSpec, exclusions: readonly Exclusion[]): Tournament {
  const of = JSON.stringify([run.id, spec, exclusions])
  const schedule = kept?.of === of ? kept.schedule : tournamentWithout(spec, exclusions)
  clearTimeout(kept?.timer)
  kept = { of, schedule, timer: setTimeout(() => (kept = undefined), KEPT_MS).unref() }
  return schedule
}
