import { flagOf } from '../app/flag.js'
import { type GameDefinition, UserError, visible } from '../core/index.js'
import type { Context } from '../app/context.js'
import { limitIn, optionChanges, refuseLimit } from '../app/contest-words.js'
import type { IsolationOptions } from '../app/machine.js'
import type { MatchTerms } from '../app/match-host.js'
import type { PlayedRunRef } from '../app/stored.js'
import { storeUrl, workspaceAt } from '../app/workspace.js'
import { notify } from './terminal.js'
import { type Given, append, flag, parted, value, words } from './verb.js'

export const GAME = ['<game>', 'a game, or the file of one'] as const
export const BOT = ['<bot>', "a file, a quoted command, or a house bot's name"] as const
export const CONTEST = ['<contest>', 'a contest file (.toml), or the name of a game'] as const
export const ENTRANT = ['<bot>', 'the name of the entrant'] as const
export const JSON_DOCUMENT = { json: flag('one JSON document on standard output') }

export const ISOLATION = {
  unsafeNoIsolation: flag('run all bots among your own processes: they can read your files'),
  trust: flag("run strangers' modules in agon's own process"),
}
/** Wishes for matches of no contest. */
export const MATCH = {
  seed: value('<seed>', 'the seed of all chance (default: a secret one)'),
  wire: value(
    '<names>',
    'the wire of the commands among the bots, or one for each, separated by commas (agon wires GAME lists them)',
    parted,
  ),
  option: value('<name=value>', "one of the game's options, such as turns=20; may be repeated", append),
  limit: value('<name=value>', 'a limit, such as turn=200 or late=forgive:3; may be repeated', append),
  ...ISOLATION,
}
export const STORE = {
  workspace: value('<folder>', 'where matches are kept (default: $AGON_WORKSPACE, else .agon here)', words),
  store: value('<url>', 'or on this PostgreSQL server (default: $AGON_STORE, else $DATABASE_URL)', words),
}
/** Which run of a contest is meant. */
export const STORED = {
  ...STORE,
  run: value('<id>', 'this run, as agon runs lists it (default: the latest)'),
}
/** A game that does not come with agon is code: run only if the user names its file. */
export const OWN_GAME = { game: value('<file>', 'the file of a game that does not come with agon: it is run') }
export const GAMED = { ...STORED, ...OWN_GAME }

export type StoreFlags = Partial<Given<typeof STORE>>

export function isolationOf({ unsafeNoIsolation, trust }: Given<typeof ISOLATION>): IsolationOptions {
  return { noIsolation: unsafeNoIsolation, trust }
}

/** What the command line gives every use case: notices go to standard error. */
export function contextOf(given?: StoreFlags): Context {
  return {
    workspace: workspaceAt(given?.workspace ?? (process.env['AGON_WORKSPACE'] || '.agon')),
    server: given && storeUrl(given.store, process.env),
    notice: (text) => notify(visible(text)),
    spell: flagOf,
  }
}

export function runOf(contest: string, { run, game }: Partial<Given<typeof GAMED>>): PlayedRunRef {
  return { contest, run, gameFile: game }
}

/** Terms by options. Throws UserError for ones that the game does not know, or does not take. */
export function termsOf(definition: GameDefinition, given: Given<typeof MATCH>): MatchTerms {
  const { seed, wire: wires, option = [], limit } = given
  const options = optionChanges(definition, option)
  return { ...isolationOf(given), seed, wires, options, limits: limitsOf(definition, limit) }
}

/** The limits of `--limit name=value`, checked as those of a contest file. */
export function limitsOf(definition: GameDefinition, given: readonly string[] = []): Record<string, number> {
  const limits: Record<string, number> = {}
  for (const text of given) {
    const [, name, said] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (name === undefined || said === undefined) throw new UserError(`--limit ${text}: give it as name=value`)
    const read = limitIn(name, said)
    if (typeof read !== 'number') throw new UserError(`--limit ${text}: ${read.refused}`)
    if (name !== 'late' || read > 0) limits[name] = read
  }
  for (const name of Object.keys(limits)) {
    const why = refuseLimit(definition, limits, name)
    if (why !== undefined) throw new UserError(`--limit ${given.find((text) => text.startsWith(`${name}=`))}: ${why}`)
  }
  return limits
}
