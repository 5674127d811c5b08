import type { Bot } from '../../../core/index.js'
import type { Action, View } from '../rules.js'

/**
 * Tightrope: mixes its actions so that no opponent can do better than by chance. Each pair of counts of rounds is a small
 * game of its own, worth what the duel is worth from there on; the mixtures are found by regret matching, sweep after sweep.
 */
const bot: Bot<View, Action> = (view, chance) => {
  const { mixture } = solve(view.ammo, view.opponentAmmo)
  let left = chance.random()
  return ACTIONS.find((_, n) => (left -= mixture[n] ?? 0) < 0) ?? '-'
}
export default bot

const ACTIONS: readonly Action[] = ['0', '1', '2', '-', '=']
const LOADS: readonly number[] = [1, -1, -2, 0, 0]
const KILLS = ['', '0=', '01-', '', ''] as const
/** More rounds are worth no more than these. */
const MOST = 4
/** A win later is worth a little less, so that the worths settle. */
const LATER = 0.98

/** The chance to win less the chance to lose, by both counts of rounds. */
const worth: number[] = Array.from({ length: (MOST + 1) ** 2 }, () => 0)
const place = (mine: number, theirs: number): number => Math.min(mine, MOST) * (MOST + 1) + Math.min(theirs, MOST)

function payoff(mine: number, theirs: number, x: number, y: number): number {
  if (KILLS[x]?.includes(ACTIONS[y] ?? '')) return 1
  if (KILLS[y]?.includes(ACTIONS[x] ?? '')) return -1
  return LATER * (worth[place(mine + (LOADS[x] ?? 0), theirs + (LOADS[y] ?? 0))] ?? 0)
}

/** What the rounds allow, as indices. */
const allowed = (rounds: number): readonly number[] => [0, 1, 2, 3, 4].filter((n) => rounds + (LOADS[n] ?? 0) >= 0)

/** The average play of two sides that each regret what they did not do, and what it is worth. */
function solve(mine: number, theirs: number, rounds = 400): { mixture: number[]; value: number } {
  const sides = [allowed(mine), allowed(theirs)] as const
  const table = sides[0].map((x) => sides[1].map((y) => payoff(mine, theirs, x, y)))
  const regrets = sides.map((side) => side.map(() => 0))
  const mixture = ACTIONS.map(() => 0)
  let value = 0
  for (let round = 1; round <= rounds; round++) {
    const [p, q] = [weights(regrets[0] ?? []), weights(regrets[1] ?? [])]
    const mineEach = table.map((row) => dot(row, q))
    const theirsEach = sides[1].map(
      (_, j) =>
        -dot(
          table.map((row) => row[j] ?? 0),
          p,
        ),
    )
    const now = dot(mineEach, p)
    regrets[0] = mineEach.map((each, i) => Math.max(0, (regrets[0]?.[i] ?? 0) + each - now))
    regrets[1] = theirsEach.map((each, j) => Math.max(0, (regrets[1]?.[j] ?? 0) + each + now))
    // Later rounds count for more: they know more.
    const share = (2 * round) / (rounds * (rounds + 1))
    value += share * now
    for (const [i, x] of sides[0].entries()) mixture[x] = (mixture[x] ?? 0) + share * (p[i] ?? 0)
  }
  return { mixture, value }
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, each, n) => sum + each * (b[n] ?? 0), 0)

function weights(regrets: readonly number[]): number[] {
  const total = regrets.reduce((sum, each) => sum + each, 0)
  return regrets.map((each) => (total > 0 ? each / total : 1 / regrets.length))
}

for (let sweep = 0; sweep < 25; sweep++) {
  for (let mine = 0; mine <= MOST; mine++) {
    for (let theirs = 0; theirs <= MOST; theirs++) worth[place(mine, theirs)] = solve(mine, theirs, 100).value
  }
}
