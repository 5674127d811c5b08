import type { Bot } from '../../../core/index.js'
import type { Action, View } from '../rules.js'

/**
 * Fulcrum: plays the duel's equilibrium, which `agon solve` finds, too: it works backwards from the last turn, each pair of counts of rounds
 * being a game of one joint choice between those of the next turn.
 */
const bot: Bot<View, Action> = (view, chance) => {
  const mixture = mixtureOf(view)
  let left = chance.random()
  return ACTIONS.find((_, n) => (left -= mixture[n] ?? 0) < 0) ?? '-'
}
export default bot

/** How probable each of its actions is. */
export const policy = (view: View): Readonly<Record<string, number>> => {
  const mixture = mixtureOf(view)
  return Object.fromEntries(ACTIONS.map((action, n) => [action, mixture[n] ?? 0]))
}

const ACTIONS: readonly Action[] = ['0', '1', '2', '-', '=']
const ROUNDS: readonly number[] = [1, -1, -2, 0, 0]
const KILLS = ['', '0=', '01-', '', ''] as const

/** So far ahead the end of the duel tells: another turn would change no probability by a ten-thousandth. */
const AHEAD = 24
/** More rounds are worth no more than these, to a hundred-thousandth. Within the last five turns that is exact: none can spend more. */
const MOST = 10

interface Moment {
  readonly value: number
  readonly rows: readonly number[]
}
const known = new Map<number, Moment>()

const mixtureOf = ({ turn, turns, ammo, opponentAmmo }: View): readonly number[] =>
  momentOf(Math.min(AHEAD, turns - turn), ammo, opponentAmmo).rows

/** What the duel is worth, and how it is played, with so many turns left and so many rounds in both guns. */
function momentOf(left: number, mine: number, theirs: number): Moment {
  const useful = Math.min(MOST, 2 * left)
  const [a, b] = [Math.min(mine, useful), Math.min(theirs, useful)]
  const key = (left * (MOST + 1) + a) * (MOST + 1) + b
  const found = known.get(key) ?? equilibrium(ACTIONS.map((_, x) => ACTIONS.map((__, y) => payoff(left, a, b, x, y))))
  known.set(key, found)
  return found
}

function payoff(left: number, a: number, b: number, x: number, y: number): number {
  const [mine, theirs] = [a + (ROUNDS[x] ?? 0), b + (ROUNDS[y] ?? 0)]
  // A gun that bursts is lost, whatever is shot meanwhile.
  if (mine < 0 || theirs < 0) return Number(theirs < 0) - Number(mine < 0)
  const [won, lost] = [KILLS[x]?.includes(ACTIONS[y] ?? ''), KILLS[y]?.includes(ACTIONS[x] ?? '')].map(Number)
  if (won !== lost) return (won ?? 0) - (lost ?? 0)
  if (won === 1 || left === 1) return 0
  return momentOf(left - 1, mine, theirs).value
}

/** Below this a figure counts as zero. */
const TINY = 1e-12

/**
 * A game of one joint choice by the simplex method: the column player's program, the greatest sum of y ≥ 0 with payoffs·y ≤ 1, the payoffs
 * made positive. Its dual is how the row player mixes. Bland's rule keeps it from going in circles.
 */
function equilibrium(payoffs: readonly (readonly number[])[]): Moment {
  const size = payoffs.length
  const shift = 1 - Math.min(...payoffs.flat())
  const unit = (at: number): number[] => Array.from({ length: size }, (_, i) => Number(i === at))
  const table = payoffs.map((row, i) => [...row.map((each) => each + shift), ...unit(i), 1])
  const costs = [...Array.from({ length: size }, () => -1), ...unit(-1), 0]
  const basis = payoffs.map((_, i) => size + i)
  for (;;) {
    const entering = costs.slice(0, -1).findIndex((cost) => cost < -TINY)
    if (entering < 0) break
    const ratios = table.map((line) =>
      (line[entering] ?? 0) > TINY ? (line.at(-1) ?? 0) / (line[entering] ?? 1) : Infinity,
    )
    const least = Math.min(...ratios) + TINY
    const ties = ratios.flatMap((ratio, i) => (ratio <= least ? [i] : []))
    const [leaving = 0] = ties.sort((i, j) => (basis[i] ?? 0) - (basis[j] ?? 0))
    const by = table[leaving]?.[entering] ?? 1
    const line = (table[leaving] ?? []).map((each) => each / by)
    table[leaving] = line
    basis[leaving] = entering
    for (const other of [...table, costs]) {
      const times = other[entering] ?? 0
      if (other !== line) line.forEach((each, j) => (other[j] = (other[j] ?? 0) - times * each))
    }
  }
  const total = costs.at(-1) ?? 1
  return { value: 1 / total - shift, rows: costs.slice(size, 2 * size).map((cost) => Math.max(0, cost / total)) }
}
