import { visible } from '../core/index.js'
import { aligned, percent } from '../text/index.js'
import type { Twins } from './twins.js'

/** Pairs that are shown at least, however unlike. */
const SHOWN = 5
/** Below this, a pair is listed, however many there are. */
const ALIKE = 0.05

/** Pairs of bots for people, the most alike first. */
export function twinsText({ title, names, matches, views, pairs }: Twins): string {
  const alike = pairs.filter(({ adjusted }) => adjusted < ALIKE).length
  const shown = pairs.slice(0, Math.max(SHOWN, alike))
  const name = (index: number) => visible(names[index] ?? '')
  const table = aligned([
    { head: 'Pair', cells: shown.map(({ pair: [a, b] }) => `${name(a)}, ${name(b)}`), right: false },
    { head: 'Views', cells: shown.map((one) => String(one.views)), right: true },
    { head: 'Agree', cells: shown.map(({ agreement }) => percent(agreement)), right: true },
    { head: 'Expected', cells: shown.map(({ expected }) => percent(expected)), right: true },
    { head: 'p', cells: shown.map(({ adjusted }) => probability(adjusted)), right: true },
  ])
  return [
    `${visible(title)}: ${views} views of ${matches} matches, answered by ${names.length} bots`,
    '',
    table,
    alike === 0
      ? 'No two behave more alike than chance would have it.'
      : `${alike === 1 ? 'One pair behaves' : `${alike} pairs behave`} more alike than chance would have it. That is a reason to look, and no proof of anything.`,
  ].join('\n')
}

const probability = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3))
