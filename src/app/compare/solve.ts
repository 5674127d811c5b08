import { type GameDefinition, type Options, visible } from '../../core/index.js'
import { type StrategyRow, solveGame } from '../../lab/index.js'
import { aligned, counted } from '../../text/index.js'
import { measured } from './measure.js'

/** A game that was solved, with the options that it was solved with, and the bots that were measured against it, if any were named. */
export type SolvedGame = Awaited<ReturnType<typeof solve>>

/**
 * Finds an equilibrium of a game with these changes of its options, and measures modules against it (`measured`). Throws UserError where that cannot be.
 */
export async function solve(
  definition: GameDefinition,
  changes: Options,
  { bots = [], trust = false }: { readonly bots?: readonly string[]; readonly trust?: boolean } = {},
) {
  const options = { ...definition.game.options, ...changes }
  const solution = await solveGame(definition, options)
  const found = await measured(definition, options, bots, trust)
  return { game: definition.game.id, options, ...solution, bots: found.length > 0 ? found : undefined }
}

/** Rows of a strategy that are shown. */
const ROWS = 12

/** A solution for a terminal: its value, and the strategy's first rows. */
export function solvedText({ value, exploitability, strategy, positions, method, bots = [] }: SolvedGame): string {
  const rows = strategy.filter(({ seat }) => seat === 0)
  // Backward induction comes to the beginning last.
  const shown = (method === 'backward induction' ? rows.toReversed() : rows).slice(0, ROWS)
  return [
    `value ${figure(value)} for seat 0, exploitability ${figure(exploitability)} (${method}, ${counted(positions, 'position')})`,
    ...bots.map(
      (bot) =>
        `${visible(bot.name)}: exploitability ${figure(bot.exploitability)}${bot.exact ? '' : ', about: its policy was sampled'}`,
    ),
    '',
    aligned([
      { head: 'seat 0 plays', cells: shown.map(({ policy }) => policyText(policy)), right: false },
      { head: 'where it knows', cells: shown.map(({ view }) => visible(JSON.stringify(view))), right: false },
    ]),
    ...(rows.length > shown.length
      ? [`and ${counted(rows.length - shown.length, 'more case')} in the JSON document`]
      : []),
  ].join('\n')
}

/** Rounded so that what is 0 but for rounding is 0. */
const figure = (value: number): string => String(Math.round(1e7 * value) / 1e7 || 0)

function policyText(policy: StrategyRow['policy']): string {
  const played = Object.entries(policy).filter(([, p]) => p > 0.0005)
  return played
    .map(([action, p]) => (p > 0.9995 ? visible(action) : `${visible(action)} ${(100 * p).toFixed(1)}%`))
    .join(', ')
}
