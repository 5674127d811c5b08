import { type Command, InvalidArgumentError } from 'commander'
import { flagOf } from '../app/flag.js'
import { visible } from '../core/index.js'
import type { Context } from '../app/context.js'
import type { IsolationOptions } from '../app/machine.js'
import type { PlayedRunRef } from '../app/stored.js'
import { storeUrl, workspaceAt } from '../app/workspace.js'
import { notify } from './terminal.js'

export interface IsolationFlags {
  readonly unsafeNoIsolation?: boolean
  readonly trust?: boolean
}
export interface StoredFlags extends StoreFlags {
  readonly run?: string
}
export interface StoreFlags {
  readonly workspace?: string | undefined
  readonly store?: string | undefined
}
/** What a verb takes that needs the game of a run. */
export interface GamedFlags extends StoredFlags {
  readonly game?: string
}

export function addIsolationOptions(command: Command): Command {
  return command
    .option('--unsafe-no-isolation', 'run all bots among your own processes: they can read your files')
    .option('--trust', "run strangers' modules in agon's own process")
}

export function isolationOf({ unsafeNoIsolation, trust }: IsolationFlags): IsolationOptions {
  return { noIsolation: unsafeNoIsolation ? true : undefined, trust }
}

/** What a verb about a stored run takes: how the run is named, and where it is stored. */
export function addStoredOptions(
  command: Command,
  ref = 'a contest file (.toml), or the name of a game',
  name = 'contest',
): Command {
  return addWorkspaceOption(command.argument(`<${name}>`, ref)).option(
    '--run <id>',
    'this run, as agon runs lists it (default: the latest)',
  )
}

/** The same of a verb that needs the game of the run. */
export function addGamedOptions(command: Command, ref?: string, name?: string): Command {
  return addGameOption(addStoredOptions(command, ref, name))
}

export function addWorkspaceOption(command: Command): Command {
  return command
    .option('--workspace <folder>', 'where matches are kept (default: $AGON_WORKSPACE, else .agon here)', words)
    .option('--store <url>', 'or on this PostgreSQL server (default: $AGON_STORE, else $DATABASE_URL)', words)
}

/** A game that does not come with agon is code, and is run only where the user names its file. */
export function addGameOption(command: Command): Command {
  return command.option('--game <file>', 'the file of a game that does not come with agon: it is run')
}

/** The workspace, where agon keeps its data: --workspace, else AGON_WORKSPACE, else `.agon` here. */
function workspaceFolder(given?: string): string {
  return workspaceAt(given ?? (process.env['AGON_WORKSPACE'] || '.agon'))
}

/** What the command line gives every use case: notices go to standard error. */
export function contextOf(given?: StoreFlags): Context {
  const server = given && storeUrl(given.store, process.env)
  return {
    workspace: workspaceFolder(given?.workspace),
    server,
    notice: (text) => notify(visible(text)),
    spell: flagOf,
  }
}

/** The run that a verb is about. */
export function runOf(contest: string, { run, game }: GamedFlags): PlayedRunRef {
  return { contest, run, gameFile: game }
}

/** Reads an option's whole number from `least` on. */
export const countFrom =
  (least: number) =>
  (value: string): number => {
    const n = Number(value)
    if (!Number.isInteger(n) || n < least) throw new InvalidArgumentError(`It must be a whole number from ${least}.`)
    return n
  }

export const count = countFrom(1)

/** The parts of a list with commas, without the blanks around them. */
export const parted = (text: string): string[] => text.split(',').map((part) => part.trim())

/** Reads an option's text, which may not be empty. */
export function words(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must not be empty.')
  return value
}
