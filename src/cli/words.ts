import type { Command } from 'commander'
import { type GameDefinition, UserError } from '../core/index.js'
import type { MatchTerms } from '../app/terms.js'
import { limitIn, optionChanges, refuseLimit } from '../app/contest-words.js'
import { type IsolationFlags, addIsolationOptions, isolationOf, parted } from './options.js'

export interface MatchFlags extends IsolationFlags {
  readonly seed?: string
  readonly wire?: readonly string[]
  readonly option?: readonly string[]
  readonly limit?: readonly string[]
}

export function addMatchOptions(command: Command): Command {
  return addIsolationOptions(
    command
      .option('--seed <seed>', 'the seed of all chance (default: a secret one)')
      .option(
        '--wire <names>',
        'the wire of the commands among the bots, or one for each, separated by commas (agon wires GAME lists them)',
        parted,
      )
      .option('--option <name=value>', "one of the game's options, such as turns=20; may be repeated", append)
      .option('--limit <name=value>', 'a limit, such as turn=200 or late=forgive:3; may be repeated', append),
  )
}

/** Collects the values of an option that may be repeated. */
export const append = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** The options that these flags give. Throws UserError for ones that the game does not know, or does not take. */
export function termsOf(
  definition: GameDefinition,
  { seed, wire, option = [], limit, ...isolation }: MatchFlags,
): MatchTerms {
  return {
    ...isolationOf(isolation),
    seed,
    wires: wire,
    options: optionChanges(definition, option),
    limits: limitsOf(definition, limit),
  }
}

/** The limits of `--limit name=value`, checked as those of a contest file. */
export function limitsOf(definition: GameDefinition, given: readonly string[] = []): Record<string, number> {
  const limits: Record<string, number> = {}
  for (const text of given) {
    const { name, value } = pair('--limit', text)
    const read = limitIn(name, value)
    if (typeof read !== 'number') throw new UserError(`--limit ${text}: ${read.refused}`)
    if (name !== 'late' || read > 0) limits[name] = read
  }
  for (const name of Object.keys(limits)) {
    const why = refuseLimit(definition, limits, name)
    if (why !== undefined) throw new UserError(`--limit ${given.find((text) => text.startsWith(`${name}=`))}: ${why}`)
  }
  return limits
}

function pair(option: string, text: string): { name: string; value: string } {
  const at = text.indexOf('=')
  if (at < 1) throw new UserError(`${option} ${text}: give it as name=value`)
  return { name: text.slice(0, at), value: text.slice(at + 1) }
}
