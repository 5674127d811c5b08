import { dirname, isAbsolute, resolve } from 'node:path'
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
import { kindOf, reserve } from '../files/index.js'
import { quote } from './explain.js'
import { GAP, readEntries, readHosted } from './entrants.js'
import { type Entry, checkAuthors } from './entries.js'
import { loadGame } from './load-game.js'
import { limitIn, refuseOption, refuseLimit } from './options.js'
import { Mistakes } from './mistakes.js'
import { type ContestDocument, contestSchema } from './schema.js'
import { TomlFile } from './toml-file.js'
import type { TomlPath } from './toml-lines.js'
import { isFileName } from './words.js'

/** A contest with its game, and its entrants as they are to be prepared. */
export interface LoadedContest {
  /** Absolute. */
  readonly file: string
  readonly contest: Contest
  readonly definition: GameDefinition
  /** In the order of `contest.entrants`. */
  readonly entries: readonly Entry[]
}

/** Reads and checks a contest file. Throws a UserError that names the file, the line and the remedy. */
export async function loadContest(file: string): Promise<LoadedContest> {
  return check(TomlFile.read(resolve(file)))
}

/** The same of a text; `file` is where it is taken to lie. */
export async function parseContest(text: string, file: string): Promise<LoadedContest> {
  return check(new TomlFile(text, resolve(file)))
}

/**
 * A contest that a site hosts, of its text. It names only house bots, or no entrants yet: all others are entered, and are given here as
 * `entered`. `games`: what may be played; a file that a text names is not loaded. Throws as `loadContest`.
 */
export function parseHosted(
  text: string,
  file: string,
  games: readonly GameDefinition[],
  entered: readonly Entry[] = [],
): Promise<LoadedContest> {
  return check(new TomlFile(text, resolve(file)), { games, entered })
}

/** What holds of a contest that a site hosts. */
interface Hosted {
  readonly games: readonly GameDefinition[]
  readonly entered: readonly Entry[]
}

async function check(file: TomlFile, hosted?: Hosted): Promise<LoadedContest> {
  // It may hold the seed.
  reserve(file.path)
  const mistakes = new Mistakes()
  const document = file.asFar(contestSchema, mistakes, withoutPart)
  // Without its game nothing else can be looked at.
  if (document === undefined) mistakes.refuse()
  const loaded = await checkDocument(file, document as ContestDocument, mistakes, hosted)
  mistakes.refuse()
  return loaded as LoadedContest
}

/** A document without what is wrong at a place: an entrant, which leaves a gap, or the key. undefined: it cannot be without. */
function withoutPart(document: unknown, place: TomlPath): unknown {
  const [key, inner] = place
  if (document === undefined || key === undefined || key === 'game') return undefined
  const { [key]: value, ...rest } = document as Record<string, unknown>
  // The value that was wrong stood for some entrants: one gap takes their place.
  if (key === 'entrants' && inner === undefined) return { ...rest, [key]: [GAP] }
  if (Array.isArray(value) && typeof inner === 'number')
    return { ...rest, [key]: value.map((one: unknown, i) => (i === inner ? GAP : one)) }
  if (typeof value !== 'object' || value === null || typeof inner !== 'string') return rest
  return { ...rest, [key]: Object.fromEntries(Object.entries(value).filter(([name]) => name !== inner)) }
}

/** Puts what is wrong into `mistakes`; what it returns counts only where there are none. */
async function checkDocument(
  file: TomlFile,
  document: ContestDocument,
  mistakes: Mistakes,
  hosted: Hosted | undefined,
): Promise<LoadedContest | undefined> {
  const definition = await gameFor(file, document, mistakes, hosted)
  if (definition === undefined) return undefined
  const options = { ...definition.game.options, ...document.options }
  for (const [name, value] of Object.entries(document.options ?? {})) {
    const why = refuseOption(definition, name, value)
    if (why !== undefined) mistakes.add(file.error(['options', name], why))
  }
  const limits = limitsOf(file, document, definition, mistakes)
  const entries =
    hosted === undefined
      ? readEntries(file, document, definition, mistakes)
      : (mistakes.try(() => readHosted(file, document, definition, hosted.entered)) ?? [])
  const { entries_per_author: entriesPerAuthor } = document
  if (entriesPerAuthor !== undefined) checkAuthors(entries, entriesPerAuthor, mistakes)
  const scoring = mistakes.try(() => scoringOf(file, document, definition))
  const { title = definition.title, seed, memory, steps } = document
  if (scoring === undefined) {
    lookForFiles(entries, mistakes)
    return undefined
  }
  const contest: Contest = {
    title,
    game: typeof document.game === 'string' ? document.game : definition.game.id,
    seed: seed === undefined ? undefined : String(seed),
    options,
    format: formatOf(document, definition, entries.length),
    scoring,
    limits,
    steps,
    memory,
    ...(document.strict_memory && { strictMemory: true }),
    ...(document.mixed_builds && { mixedBuilds: true }),
    entriesPerAuthor,
    ...siteRules(document),
    entrants: entries.map(({ spec }) => spec),
  }
  // How many there are is not known where some could not be read.
  if (mistakes.none) {
    const seats = playersOf(contest.format, definition.game.seats.min, contest.entrants.length)
    const { min, max } = definition.game.seats
    const why = seats < min || seats > max ? undefined : definition.game.refuse?.(options, seats)
    mistakes.try(() => checkFormat(file, contest, definition, hosted === undefined ? 0 : LEAST))
    if (why !== undefined) mistakes.add(file.error(['options'], `${definition.game.id} cannot be played so: ${why}`))
  }
  if (!mistakes.none) lookForFiles(entries, mistakes)
  return { file: file.path, contest, definition, entries }
}

/** Where a file is wrong anyway: which of its entrants' files are not there, which is otherwise reported when they are staged. */
function lookForFiles(entries: readonly Entry[], mistakes: Mistakes): void {
  for (const entry of entries) {
    const { spec, base, house } = entry
    if (house) continue
    const places = [base, resolve(base, spec.folder ?? '.')]
    const look = (key: 'module' | 'class' | 'command', name: string): void => {
      if (places.every((place) => kindOf(resolve(place, name)) === undefined))
        mistakes.add(entry.error(key, `${quote(name)} of ${quote(spec.name)} is not there`))
    }
    if (spec.folder !== undefined && kindOf(resolve(base, spec.folder)) === undefined) {
      // Nothing in it can be there.
      mistakes.add(entry.error('folder', `${quote(spec.folder)} of ${quote(spec.name)} is not there`))
      continue
    }
    for (const key of ['module', 'class'] as const) {
      const name = spec[key]
      if (name !== undefined) look(key, name)
    }
    // What a build makes is not there yet.
    for (const word of spec.build === undefined ? (spec.command ?? []) : [])
      if (isFileName(word) && !isAbsolute(word)) look('command', word)
  }
}

async function gameFor(
  file: TomlFile,
  document: ContestDocument,
  mistakes: Mistakes,
  hosted: Hosted | undefined,
): Promise<GameDefinition | undefined> {
  if (hosted !== undefined) return mistakes.try(() => hostedGame(file, document, hosted.games))
  return mistakes.later(gameOf(file, document))
}

function siteRules({ signup, sittings, publish, notice, remote, reconnect }: ContestDocument): Pick<Contest, 'site'> {
  const site = { signup, sittings, publish, notice, remote, reconnect }
  return { site: Object.values(site).some((value) => value !== undefined) ? site : undefined }
}

function hostedGame(
  file: TomlFile,
  { game: named }: ContestDocument,
  games: readonly GameDefinition[],
): GameDefinition {
  const game = typeof named === 'string' ? named : 'a program'
  const definition = games.find((one) => one.game.id === game)
  if (definition !== undefined) return definition
  const ids = games.map((one) => one.game.id)
  throw file.error(
    ['game'],
    `unknown game ${JSON.stringify(game)}${didYouMean(game, ids)}; this site has ${ids.join(', ')}`,
  )
}

async function gameOf(file: TomlFile, { game, limits }: ContestDocument): Promise<GameDefinition> {
  try {
    // A program's commands stand in the contest file itself.
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

/**
 * Where the contest does not say: a game for two is played by every pair, any other by everyone at once, or, where its seats
 * are too few for that, in groups as large as can be.
 */
function formatOf({ format = {} }: ContestDocument, { game }: GameDefinition, entrants: number): FormatSpec {
  const { max } = game.seats
  const by = format.by
  const standard = max === 2 || by === 'team' ? 'round-robin' : entrants > max ? 'groups' : 'free-for-all'
  const { kind = standard, repetitions = 1, swap = true, playoff = 0, quick } = format
  const size =
    format.size ??
    (by === undefined && FORMATS.some((one) => one.kind === kind && one.sizes === 'size')
      ? Math.min(max, entrants)
      : undefined)
  return {
    kind,
    repetitions,
    swap,
    playoff,
    size,
    rounds: format.rounds,
    places: format.places,
    placing: format.placing,
    hourly: format.hourly,
    challengers: format.challengers,
    seeding: format.seeding,
    ...(by === 'team' && { by, teams: teamsOf(game) ?? {} }),
    ...(format.self && { self: true }),
    quick,
  }
}

/** Entrants that a hosted contest is taken to have while there are fewer: more may still enter. */
const LEAST = 2

/** The tournament itself knows what it can play: it is made once, to be asked. `least`: how many entrants there will be. */
function checkFormat(
  file: TomlFile,
  { format, scoring, entrants }: Contest,
  { game }: GameDefinition,
  least: number,
): void {
  const names = entrants.map(({ name }) => name)
  const wanted = least === 0 ? 0 : Math.max(least, game.seats.min, format.size ?? 0)
  try {
    createTournament({
      format,
      scoring,
      names: [...names, ...Array.from({ length: Math.max(0, wanted - names.length) }, (_, n) => `\0${n}`)],
      seed: '',
      seats: game.seats,
      shuffled: false,
    })
  } catch (error) {
    throw error instanceof FormatError ? file.error(['format'], error.message) : error
  }
}

/** What matches are worth: as the contest says, else as its game does. Throws UserError for what would silently mean nothing. */
function scoringOf(file: TomlFile, document: ContestDocument, definition: GameDefinition): ScoringSpec {
  checkScoring(file, document, definition)
  const { scoring: own } = definition
  const { scoring: given = {} } = document
  return {
    ...countedBy(definition, given),
    win: given.win ?? own?.win ?? 1,
    draw: given.draw ?? own?.draw ?? 0.5,
    loss: given.loss ?? own?.loss ?? 0,
    teams: document.format?.by === 'team' ? undefined : teamsOf(definition.game),
    ties: given.ties?.map(({ tally, of = 'all', name = tally }) => ({ tally, of, name })) ?? own?.ties ?? [],
  }
}

/** Refuses settings of wins where scores count, and of scores where wins do. */
function checkScoring(file: TomlFile, { scoring = {} }: ContestDocument, { game, scoring: own }: GameDefinition): void {
  if (scoring.points !== undefined) {
    const other = (['by', 'per', 'win', 'draw', 'loss'] as const).find((key) => scoring[key] !== undefined)
    if (other === undefined) return
    throw file.error(['scoring', other], `points are what places are worth: leave ${other} or points out`)
  }
  const by = scoring.by ?? own?.by ?? 'wins'
  const idle = (by === 'score' ? (['win', 'draw', 'loss'] as const) : (['per', 'of'] as const)).find(
    (key) => scoring[key] !== undefined,
  )
  if (idle === undefined) return
  const whose = own?.by === undefined ? 'without by ' : `as ${game.id} has it `
  const why = scoring.by === undefined ? whose : ''
  const mismatch =
    by === 'score'
      ? `${idle} is what a result is worth, and ${why}scores count`
      : `${idle} is about scores, and ${why}wins count`
  throw file.error(['scoring', idle], `${mismatch}: leave it out, or write by = "${by === 'score' ? 'wins' : 'score'}"`)
}

/** What counts, where it is not wins; settings of scores mean nothing where wins count. */
function countedBy(
  { scoring: own }: GameDefinition,
  given: NonNullable<ContestDocument['scoring']>,
): Pick<ScoringSpec, 'by' | 'per' | 'of' | 'points'> {
  const { points } = given
  if (points !== undefined) return { by: 'score', of: given.of === 'mean' ? undefined : 'total', points }
  if ((given.by ?? own?.by) !== 'score') return {}
  const turn = (given.per ?? own?.per) === 'turn'
  const total = (given.of ?? own?.of) === 'total'
  return { by: 'score', per: turn ? 'turn' : undefined, of: total ? 'total' : undefined }
}
