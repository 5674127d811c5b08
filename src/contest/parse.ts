import { dirname, resolve } from 'node:path'
import { type Contest, type FormatSpec, type GameKit, UserError } from '../core/index.js'
import { createTournament, FormatError } from '../tournament/index.js'
import { checkAuthors } from './authors.js'
import { reserve } from '../files/index.js'
import { type Entry, readEntries } from './entries.js'
import { refuseLimit } from './limits.js'
import { loadGame } from './load-game.js'
import { refuseOption } from './options.js'
import { type ContestDocument, contestSchema } from './schema.js'
import { TomlFile } from './toml-file.js'

/** A contest with its game, and its entrants as they are to be prepared. */
export interface LoadedContest {
  /** Absolute. */
  readonly file: string
  readonly contest: Contest
  readonly kit: GameKit
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

async function check(file: TomlFile): Promise<LoadedContest> {
  // It may hold the seed.
  reserve(file.path)
  const document = file.as(contestSchema)
  const kit = await gameOf(file, document)
  const options = { ...kit.game.options, ...document.options }
  for (const [name, value] of Object.entries(document.options ?? {})) {
    const why = refuseOption(kit, name, value)
    if (why !== undefined) throw file.error(['options', name], why)
  }
  checkLimits(file, document, kit)
  const entries = readEntries(file, document.entrants ?? [], kit)
  const { entries_per_author: entriesPerAuthor } = document
  if (entriesPerAuthor !== undefined) checkAuthors(entries, entriesPerAuthor)
  const { title = kit.title, seed, memory, steps, limits = {}, scoring = {} } = document
  const contest: Contest = {
    title,
    game: document.game,
    ...(seed !== undefined && { seed: String(seed) }),
    options,
    format: formatOf(document, kit, entries.length),
    scoring: {
      win: scoring.win ?? kit.scoring?.win ?? 1,
      draw: scoring.draw ?? kit.scoring?.draw ?? 0.5,
      loss: scoring.loss ?? kit.scoring?.loss ?? 0,
      ties:
        scoring.ties?.map(({ tally, of = 'all', name = tally }) => ({ tally, of, name })) ?? kit.scoring?.ties ?? [],
    },
    limits,
    ...(steps !== undefined && { steps }),
    ...(memory !== undefined && { memory }),
    ...(document.strict_memory && { strictMemory: true }),
    ...(entriesPerAuthor !== undefined && { entriesPerAuthor }),
    entrants: entries.map(({ spec }) => spec),
  }
  checkFormat(file, contest, kit)
  const why = kit.game.refuse?.(options, seatsOf(contest, kit))
  if (why !== undefined) throw file.error(['options'], `${kit.game.id} cannot be played so: ${why}`)
  return { file: file.path, contest, kit, entries }
}

async function gameOf(file: TomlFile, { game }: ContestDocument): Promise<GameKit> {
  try {
    return await loadGame(game, dirname(file.path))
  } catch (error) {
    throw error instanceof UserError ? file.error(['game'], error.message) : error
  }
}

function checkLimits(file: TomlFile, { limits = {} }: ContestDocument, kit: GameKit): void {
  for (const [name, value] of Object.entries(limits)) {
    const why = refuseLimit(kit, name, value)
    if (why !== undefined) throw file.error(['limits', name], why)
  }
}

/**
 * Where the contest does not say: a game for two is played by every pair, any other by everyone at once, or, where its seats
 * are too few for that, in groups as large as can be.
 */
function formatOf({ format = {} }: ContestDocument, { game }: GameKit, entrants: number): FormatSpec {
  const { max } = game.seats
  const standard = max === 2 ? 'round-robin' : entrants > max ? 'groups' : 'free-for-all'
  const { kind = standard, repetitions = 1, swap = true, playoff = 0, quick } = format
  const size = format.size ?? (kind === 'groups' || kind === 'heats' ? Math.min(max, entrants) : undefined)
  return {
    kind,
    repetitions,
    swap,
    playoff,
    ...(size !== undefined && { size }),
    ...(format.rounds !== undefined && { rounds: format.rounds }),
    ...(format.places !== undefined && { places: format.places }),
    ...(format.challengers !== undefined && { challengers: format.challengers }),
    ...(format.seeding !== undefined && { seeding: format.seeding }),
    ...(quick !== undefined && { quick }),
  }
}

/** The tournament itself knows what it can play: it is made once, to be asked. */
function checkFormat(file: TomlFile, { format, scoring, entrants }: Contest, { game }: GameKit): void {
  try {
    createTournament({
      format,
      scoring,
      names: entrants.map(({ name }) => name),
      seed: '',
      seats: game.seats,
      shuffled: false,
    })
  } catch (error) {
    throw error instanceof FormatError ? file.error(['format'], error.message) : error
  }
}

/** How many play in a match. */
function seatsOf({ format, entrants }: Contest, { game }: GameKit): number {
  if (format.kind === 'free-for-all') return entrants.length
  return format.kind === 'groups' || format.kind === 'heats' ? (format.size ?? game.seats.min) : 2
}
