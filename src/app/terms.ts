import { secretSeed } from './run/find.js'
import { type Contest, type GameDefinition, type Options, UserError } from '../core/index.js'
import type { PrepareRules } from '../build/index.js'
import { refuseLimit, refuseOption } from '../contest/index.js'
import type { IsolationOptions } from './isolation.js'
import type { MatchHostSetting } from './match-host.js'

/** How matches are wished that belong to no contest. */
export interface MatchTerms extends IsolationOptions {
  /** Of all chance; absent: a secret one. */
  readonly seed?: string
  /** The wires of the commands among the bots, one for all or one a bot; absent: the game's standard. */
  readonly wires?: readonly string[]
  /** Those of the game's options that are not to be its standard. */
  readonly options?: Options
  /** Milliseconds by name, and `output` in bytes, over the wires' own. */
  readonly limits?: Readonly<Record<string, number>>
  /** The rest of what a contest says of its matches; absent: the usual. */
  readonly rules?: ContestRules
}

/** Steps of a match, and what bots may remember. */
type ContestRules = Pick<Contest, 'steps' | 'memory' | 'strictMemory'>

/** The terms of a contest, for a match that is none of its own: its luck is no part of them. */
export const termsOf = (contest: Contest): MatchTerms => ({
  options: contest.options,
  limits: contest.limits,
  rules: contest,
})

/** How bots are prepared for a match of these terms. */
export const preparedFor = ({ limits = {}, rules }: MatchTerms): PrepareRules => ({ ...rules, limits })

/** The setup that matches of these terms share. Throws UserError for options that the game does not take. */
export function settingOf(
  definition: GameDefinition,
  { seed = secretSeed(), options: changes = {}, limits = {}, rules: { steps } = {} }: MatchTerms,
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
