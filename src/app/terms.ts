import { relative } from 'node:path'
import { type Contest, type GameDefinition, type Options, UserError } from '../core/index.js'
import { type BuiltEntrant, type PrepareRules, planOf, removeStaged } from '../build/index.js'
import { refuseLimit, refuseOption, type Entry } from '../contest/index.js'
import { secretSeed } from './run/find.js'
import type { Context } from './context.js'
import { type IsolationOptions, findBotIsolation } from './machine.js'
import { type MatchHostSetting, botsReady } from './match-host.js'

/** How matches are wished that belong to no contest: `limits` are over the wires' own. */
export interface MatchTerms extends IsolationOptions, PrepareRules {
  /** Of all chance; absent: a secret one. */
  readonly seed?: string
  /** The wires of the commands among the bots, one for all or one a bot; absent: the game's standard. */
  readonly wires?: readonly string[]
  /** Those of the game's options that are not to be its standard. */
  readonly options?: Options
  /** Steps of a match at most; absent: the usual. */
  readonly steps?: number
}

/** The terms of a contest, for a match that is none of its own: its luck is no part of them. */
export const termsOf = ({ options, limits, steps, memory, strictMemory }: Contest): MatchTerms => ({
  options,
  limits,
  steps,
  memory,
  strictMemory,
})

/**
 * Builds bots for matches of these terms, and says what these matches have in common. `guests`: seats that are not these bots'. Throws UserError if one
 * cannot play, and for options that the game does not take.
 */
export async function botsOfTerms(
  definition: GameDefinition,
  entries: readonly Entry[],
  { guests = 0, ...terms }: MatchTerms & { readonly guests?: number },
  context: Context,
): Promise<{ readonly bots: readonly BuiltEntrant[]; readonly setting: MatchHostSetting }> {
  const setting = settingOf(definition, terms, entries.length + guests)
  context.signal?.throwIfAborted()
  const isolation = await findBotIsolation(terms, entries, context)
  const bots = await botsReady(definition, entries, { ...terms, isolation }, context)
  return { bots, setting: { ...setting, isolation } }
}

/** The setup that matches of these terms share. Throws UserError for options that the game does not take. */
export function settingOf(
  definition: GameDefinition,
  { seed = secretSeed(), options: changes = {}, limits = {}, steps }: MatchTerms,
  seats: number,
): Omit<MatchHostSetting, 'isolation'> {
  for (const [name, value] of Object.entries(changes)) refuse(refuseOption(definition, name, value))
  const options = { ...definition.game.options, ...changes }
  const why = definition.game.refuse?.(options, seats)
  if (why !== undefined) throw new UserError(`${definition.game.id} cannot be played so: ${why}`)
  for (const name of Object.keys(limits)) refuse(refuseLimit(definition, limits, name))
  return { seed, options, limits, steps }
}

function refuse(why: string | undefined): void {
  if (why !== undefined) throw new UserError(why)
}

export { removeStaged }

/**
 * The source of an entrant: its hash, by which a workspace stages it, and its files. Throws UserError for a mistake in its entry.
 */
export async function sourceOf(
  entry: Entry,
  definition: GameDefinition,
  terms: MatchTerms,
): Promise<{ readonly hash: string; readonly files: ReadonlySet<string> }> {
  const { hash, source } = await planOf(entry, definition, terms)
  return { hash, files: new Set(source.files.map(({ path }) => relative(source.root, path))) }
}
