import { dirname, resolve } from 'node:path'
import {
  type Contest,
  type FormatSpec,
  type GameDefinition,
  UserError,
  didYouMean,
  type ScoringSpec,
  teamsOf,
} from '../core/index.js'
import { createTournament, FormatError, FORMATS, playersOf } from '../tournament/index.js'
import { reserve } from '../files/index.js'
import { readEntries } from './entrants.js'
import { type Entry, checkAuthors } from './entries.js'
import { loadGame } from './load-game.js'
import { limitIn, refuseOption, refuseLimit } from './options.js'
import { Mistakes } from './mistakes.js'
import { type ContestDocument, contestSchema } from './schema.js'
import { TomlFile } from './toml-file.js'

/** A contest with its game, and its entrants as they are to be prepared. */
export interface LoadedContest {
  /** Absolute. */
  readonly file: string
  readonly contest: Contest
  readonly definition: GameDefinition
  /** In the order of `contest.entrants`. */
  readonly entries: readonly Entry[]
}

/** Reads and checks a contest file. Throws UserError that names the file, the line and the remedy. */
export async function loadContest(file: string): Promise<LoadedContest> {
  return parseContest(TomlFile.read(resolve(file)))
}

/** A hosted contest: house bots and the `entered`; `games`: may be played, none loaded. Throws as `loadContest`. */
export function parseHosted(
  text: string,
  file: string,
  games: readonly GameDefinition[],
  entered: readonly Entry[] = [],
): Promise<LoadedContest> {
  return parseContest(new TomlFile(text, resolve(file)), { games, entered })
}

/** What holds of a contest that a site hosts. */
interface Hosted {
  readonly games: readonly GameDefinition[]
  readonly entered: readonly Entry[]
}

/** The contest of a file read. Throws as `loadContest`. */
export async function parseContest(file: TomlFile, hosted?: Hosted): Promise<LoadedContest> {
  // It may hold the seed.
  reserve(file.path)
  const document = file.as(contestSchema)
  const definition = await gameOf(file, document, hosted)
  const mistakes = new Mistakes()
  const options = { ...definition.game.options, ...document.options }
  for (const [name, value] of Object.entries(document.options ?? {})) {
    const why = refuseOption(definition, name, value)
    if (why !== undefined) mistakes.add(file.error(['options', name], why))
  }
  const limits = limitsOf(file, document, definition, mistakes)
  const entries = readEntries(file, document, definition, { mistakes, entered: hosted?.entered })
  const { entries_per_author: entriesPerAuthor } = document
  if (entriesPerAuthor !== undefined) checkAuthors(entries, entriesPerAuthor, mistakes)
  const scoring = mistakes.try(() => scoringOf(file, document, definition))
  if (scoring === undefined || !mistakes.none) throw mistakes.all()
  const { signup, sittings, publish, notice, remote, reconnect } = document
  const site = { signup, sittings, publish, notice, remote, reconnect }
  const { title = definition.title, game, seed, memory, steps } = document
  const contest: Contest = {
    title,
    game: typeof game === 'string' ? game : definition.game.id,
    seed: seed === undefined ? undefined : String(seed),
    options,
    format: formatOf(document, definition, entries.length),
    scoring,
    limits,
    steps,
    memory,
    strictMemory: document.strict_memory || undefined,
    mixedBuilds: document.mixed_builds || undefined,
    entriesPerAuthor,
    site: Object.values(site).some((value) => value !== undefined) ? site : undefined,
    entrants: entries.map(({ spec }) => spec),
  }
  const { min, max } = definition.game.seats
  const seats = playersOf(contest.format, min, entries.length)
  const why = seats < min || seats > max ? undefined : definition.game.refuse?.(options, seats)
  mistakes.try(() => checkFormat(file, contest, definition, hosted === undefined ? 0 : LEAST))
  if (why !== undefined) mistakes.add(file.error(['options'], `${definition.game.id} cannot be played so: ${why}`))
  if (!mistakes.none) throw mistakes.all()
  return { file: file.path, contest, definition, entries }
}

/** Of a hosted contest one of the site's games; a program's commands stand in the contest file itself. */
async function gameOf(file: TomlFile, { game, limits }: ContestDocument, hosted?: Hosted): Promise<GameDefinition> {
  if (hosted !== undefined) {
    const name = typeof game === 'string' ? game : 'a program'
    const definition = hosted.games.find((one) => one.game.id === name)
    if (definition !== undefined) return definition
    const ids = hosted.games.map((one) => one.game.id)
    const why = `unknown game ${JSON.stringify(name)}${didYouMean(name, ids)}; this site has ${ids.join(', ')}`
    throw file.error(['game'], why)
  }
  try {
    const patience = limits?.['game']
    const own = typeof game === 'string' ? game : file.path
    return await loadGame(own, dirname(file.path), typeof patience === 'number' ? patience : undefined)
  } catch (error) {
    throw error instanceof UserError ? file.error(['game'], error.message) : error
  }
}

function limitsOf(
  file: TomlFile,
  { limits: written = {} }: ContestDocument,
  definition: GameDefinition,
  mistakes: Mistakes,
): Contest['limits'] {
  const limits: Record<string, number> = {}
  for (const [name, value] of Object.entries(written)) {
    const read = limitIn(name, value)
    if (typeof read !== 'number') mistakes.add(file.error(['limits', name], read.refused))
    else if (name !== 'late' || read > 0) limits[name] = read
  }
  for (const name of Object.keys(limits)) {
    const why = refuseLimit(definition, limits, name)
    if (why !== undefined) mistakes.add(file.error(['limits', name], why))
  }
  return limits
}

/** By default every pair plays a game for two; any other all play at once, or in groups as large as can be. */
function formatOf({ format = {} }: ContestDocument, { game }: GameDefinition, entrants: number): FormatSpec {
  const { max } = game.seats
  const isByTeam = format.by === 'team'
  const usual = max === 2 || isByTeam ? 'round-robin' : entrants > max ? 'groups' : 'free-for-all'
  const { kind = usual, repetitions = 1, swap = true, playoff = 0, size, self, ...rest } = format
  const isSized = FORMATS.some((one) => one.kind === kind && one.sizes === 'size')
  return {
    kind,
    repetitions,
    swap,
    playoff,
    size: size ?? (isSized && !isByTeam ? Math.min(max, entrants) : undefined),
    ...rest,
    self: self || undefined,
    teams: isByTeam ? (teamsOf(game) ?? {}) : undefined,
  }
}

/** Entrants that a hosted contest is taken to have while there are fewer: more may still enter. */
const LEAST = 2

/** A tournament knows what it can play: it is made once, to be asked. `least`: how many entrants there will be. */
function checkFormat(file: TomlFile, { format, scoring, entrants }: Contest, { game }: GameDefinition, least: number) {
  const wanted = least === 0 ? 0 : Math.max(least, game.seats.min, format.size ?? 0)
  const names = entrants.map(({ name }) => name)
  while (names.length < wanted) names.push(`\0${names.length}`)
  try {
    createTournament({ format, scoring, names, seed: '', seats: game.seats, shuffled: false })
  } catch (error) {
    throw error instanceof FormatError ? file.error(['format'], error.message) : error
  }
}

/** What matches are worth, by the contest, else the game. Throws UserError for what would silently mean nothing. */
function scoringOf(file: TomlFile, document: ContestDocument, { game, scoring: own }: GameDefinition): ScoringSpec {
  const { scoring: given = {} } = document
  const by = given.by ?? own?.by ?? 'wins'
  const worth = {
    win: given.win ?? own?.win ?? 1,
    draw: given.draw ?? own?.draw ?? 0.5,
    loss: given.loss ?? own?.loss ?? 0,
    teams: document.format?.by === 'team' ? undefined : teamsOf(game),
    ties: given.ties?.map(({ tally, of = 'all', name = tally }) => ({ tally, of, name })) ?? own?.ties ?? [],
  }
  if (given.points !== undefined) {
    const other = (['by', 'per', 'win', 'draw', 'loss'] as const).find((key) => given[key] !== undefined)
    if (other !== undefined)
      throw file.error(['scoring', other], `points are what places are worth: leave ${other} or points out`)
    return { by: 'score', of: given.of === 'mean' ? undefined : 'total', points: given.points, ...worth }
  }
  const idle = (by === 'score' ? (['win', 'draw', 'loss'] as const) : (['per', 'of'] as const)).find(
    (key) => given[key] !== undefined,
  )
  if (idle !== undefined) {
    const [counts, other] = by === 'score' ? ['scores', 'wins'] : ['wins', 'score']
    throw file.error(
      ['scoring', idle],
      `${idle} means nothing if ${counts} count: leave it out, or write by = "${other}"`,
    )
  }
  if (by !== 'score') return worth
  const isPerTurn = (given.per ?? own?.per) === 'turn'
  const isTotal = (given.of ?? own?.of) === 'total'
  return { by, per: isPerTurn ? 'turn' : undefined, of: isTotal ? 'total' : undefined, ...worth }
}
