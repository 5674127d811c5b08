import { didYouMean } from './errors.js'
import type { Legal } from './legal.js'

/** What a contest gives a module beside its view (`with`), by name. */
export type BotParameters = Readonly<Record<string, number | string | boolean>>

/**
 * A bot as a module: the default export of a JavaScript or TypeScript file. Its variables last as long as the contest's
 * memory allows; then it is loaded afresh. `legal`: the legal actions, worked out only for functions that declare this
 * third parameter; `Actions`: what the game's `legal` gives, a list or a `Shape`. `given`: the parameters of a module
 * that exports their defaults, `export const parameters = { p: 0.1 }`: a `Bot<View, Action, typeof parameters>`.
 */
export type Bot<View, Action extends string, Parameters = never, Actions extends Legal<Action> = readonly Action[]> = (
  view: View,
  chance: Chance,
  legal: Actions,
  ...given: [Parameters] extends [never] ? [] : [given: Parameters]
) => Action | Promise<Action>

/** A module of a bot, as it was imported. */
export interface BotModule {
  readonly default?: unknown
  readonly parameters?: unknown
}

/** A module's bot with these parameters. Throws TypeError, for its author, for no function or an unfit parameter. */
export function botOf(module: BotModule, given: BotParameters = {}): Bot<unknown, string> {
  const { default: bot } = module
  if (typeof bot !== 'function')
    throw new TypeError(`its default export is ${typeof bot}, not a function (view) => action`)
  const usual = parametersOf(module.parameters)
  for (const [name, value] of Object.entries(given)) refuseParameter(usual, name, value)
  if (usual === undefined) return bot as Bot<unknown, string>
  const parameters = Object.freeze({ ...usual, ...given })
  const own = bot as Bot<unknown, string, BotParameters>
  const bound: Bot<unknown, string> = (view, chance, legal) => own(view, chance, legal, parameters)
  // Whether it takes the legal actions shows in this.
  return Object.defineProperty(bound, 'length', { value: own.length })
}

/** As a text: an action, or JSON { action, say } where bots may speak; undefined: neither. */
export function returnedText(returned: unknown): string | undefined {
  if (typeof returned === 'string' || typeof returned === 'number') return String(returned)
  if (typeof returned !== 'object' || returned === null || !('action' in returned)) return undefined
  const { action, say } = returned as { readonly action: unknown; readonly say?: unknown }
  return typeof action === 'string' && typeof say === 'string' ? JSON.stringify({ action, say }) : undefined
}

/** A module's parameters as it says them; undefined: none. */
function parametersOf(exported: unknown): BotParameters | undefined {
  if (exported === undefined) return undefined
  const values = typeof exported === 'object' && exported !== null ? Object.values(exported) : [undefined]
  if (!values.every((value) => ['number', 'string', 'boolean'].includes(typeof value)))
    throw new TypeError('its parameters are no numbers, texts and booleans by name, such as { p: 0.1 }')
  return exported as BotParameters
}

function refuseParameter(usual: BotParameters | undefined, name: string, value: unknown): void {
  if (usual === undefined)
    throw new TypeError(`it has no parameters: leave with out, or export const parameters = { ${name}: … }`)
  const known = Object.keys(usual)
  if (!known.includes(name))
    throw new TypeError(
      `it has no parameter ${JSON.stringify(name)}${didYouMean(name, known)}; it has ${known.join(', ') || 'none'}`,
    )
  const like = usual[name]
  if (typeof value !== typeof like)
    throw new TypeError(
      `its parameter ${name} = ${JSON.stringify(value)} must be a ${typeof like}, such as ${JSON.stringify(like)}`,
    )
}

/** Whether a bot declares the parameter of legal actions. */
export function takesLegal(bot: (...words: never[]) => unknown): boolean {
  return bot.length > 2
}

/** A bot's chance from its AGON_SEED: a bot with no other chance plays the same again. */
export interface Chance {
  /** The AGON_SEED of this life: a whole number below 2³¹. */
  readonly seed: number
  /** A number in [0, 1). */
  random(): number
  /** A whole number in [0, n), each equally likely. */
  below(n: number): number
}
