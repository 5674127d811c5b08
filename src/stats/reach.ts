import type { Flag } from './strengths.js'
import type { Line } from './lines.js'

/** Who scored against whom: memory is linear in the pairs that met, however large the field is. */
interface Scored {
  readonly field: number
  /** By entrant: whom it won or drew against, and who won or drew against it. */
  readonly over: readonly (readonly number[])[]
  readonly under: readonly (readonly number[])[]
  /** By entrant: what it won, drew and lost, weighted. */
  readonly won: Float64Array
  readonly drawn: Float64Array
  readonly lost: Float64Array
}

export function scoredOf(lines: readonly Line[], field: number): Scored {
  const lists = (): number[][] => Array.from({ length: field }, () => [])
  const sums = (): Float64Array => new Float64Array(field)
  const scored = { field, over: lists(), under: lists(), won: sums(), drawn: sums(), lost: sums() }
  const { over, under, won, drawn, lost } = scored
  const add = (i: number, j: number, line: Pick<Line, 'won' | 'drawn' | 'lost'>): void => {
    won[i] = (won[i] as number) + line.won
    drawn[i] = (drawn[i] as number) + line.drawn
    lost[i] = (lost[i] as number) + line.lost
    if (line.won + line.drawn === 0) return
    over[i]?.push(j)
    under[j]?.push(i)
  }
  for (const line of lines) {
    add(line.i, line.j, line)
    add(line.j, line.i, { won: line.lost, drawn: line.drawn, lost: line.won })
  }
  return scored
}

/** Which of a field's strengths the games bound at all. */
export interface StrengthBounds {
  /**
   * With whom the others are compared: the largest group in which each has scored against each, by some chain of games; all, where there
   * is no such group.
   */
  readonly core: readonly number[]
  /** By entrant: whether games bound how far it is above the core's average, and how far below it. */
  readonly above: readonly boolean[]
  readonly below: readonly boolean[]
}

type Chains = readonly (readonly number[])[]

/**
 * Ford (1957): strengths have a maximum of the likelihood where each entrant has scored, by some chain of games, against each other one. Of
 * two, the distance is bounded on the side of the one that has scored against the other so. Linear in the pairs that met.
 */
export function boundsOf({ over, under }: Scored): StrengthBounds {
  const core = coreOf(over)
  const [one] = core
  if (core.length > 1 && one !== undefined) {
    const [below, above] = [reachedFrom(one, over), reachedFrom(one, under)]
    // The core has scored against each entrant that a chain leads to from it.
    return { core, above: below, below: above }
  }
  // No two have scored against each other, so that chains never return: they all lead to an entrant where it alone has scored against nobody.
  return { core: over.map((_, i) => i), above: onlyEnd(over), below: onlyEnd(under) }
}

/** By entrant: whether all chains end with it, as it alone leads no further. */
function onlyEnd(to: Chains): boolean[] {
  const ends = to.filter((next) => next.length === 0).length
  return to.map((next) => ends === 1 && next.length === 0)
}

/** The largest group of which each can reach each; of several, the one with the first entrant. */
function coreOf(over: Chains): readonly number[] {
  const group = strongGroups(over)
  const members = new Map<number, number[]>()
  group.forEach((g, i) => {
    const known = members.get(g)
    if (known) known.push(i)
    else members.set(g, [i])
  })
  let core: readonly number[] = []
  for (const list of members.values()) if (list.length > core.length) core = list
  return core
}

/** By entrant: the number of its strongly connected component (Tarjan 1972, with a stack of its own: chains may be as long as the field). */
function strongGroups(to: Chains): readonly number[] {
  const order = new Int32Array(to.length).fill(-1)
  const lowest = new Int32Array(to.length)
  const group = Array.from(to, () => -1)
  const open: number[] = []
  let seen = 0
  let groups = 0
  for (let start = 0; start < to.length; start++) {
    if (order[start] !== -1) continue
    const path = [{ i: start, next: 0 }]
    while (path.length > 0) {
      const here = path[path.length - 1] as { i: number; next: number }
      const { i } = here
      if (here.next === 0) {
        order[i] = lowest[i] = seen++
        open.push(i)
      }
      const j = to[i]?.[here.next++]
      if (j !== undefined) {
        if (order[j] === -1) path.push({ i: j, next: 0 })
        else if (group[j] === -1) lowest[i] = Math.min(lowest[i] as number, order[j] as number)
        continue
      }
      path.pop()
      const before = path[path.length - 1]
      if (before) lowest[before.i] = Math.min(lowest[before.i] as number, lowest[i] as number)
      if (lowest[i] !== order[i]) continue
      for (let k = open.pop(); k !== undefined; k = open.pop()) {
        group[k] = groups
        if (k === i) break
      }
      groups++
    }
  }
  return group
}

/** By entrant: whether a chain leads to it, itself included. */
function reachedFrom(start: number, to: Chains): boolean[] {
  const reached = to.map(() => false)
  reached[start] = true
  const open = [start]
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    for (const j of to[i] ?? []) {
      if (reached[j]) continue
      reached[j] = true
      open.push(j)
    }
  }
  return reached
}

/** By entrant: why its rating would not be finite without the prior. */
export function flagsOf(scored: Scored): readonly (readonly Flag[])[] {
  const group = groupsOf(scored)
  const sizes = new Map<number, number>()
  for (const g of group) sizes.set(g, (sizes.get(g) ?? 0) + 1)
  let largest = 0
  for (const size of sizes.values()) largest = Math.max(largest, size)
  // Of two groups of the same size, neither is the field to which the other is not connected.
  const main = [...sizes].filter(([, size]) => size === largest)
  return group.map((g, i) => {
    const [won, drawn, lost] = [scored.won[i] as number, scored.drawn[i] as number, scored.lost[i] as number]
    const flags: Flag[] = []
    if (won > 0 && drawn + lost === 0) flags.push('unbeaten')
    if (lost > 0 && won + drawn === 0) flags.push('winless')
    if (main.length > 1 || main[0]?.[0] !== g) flags.push('unconnected')
    return flags
  })
}

/** By entrant, the smallest entrant to which a chain of games leads. */
function groupsOf({ field, over, under }: Scored): readonly number[] {
  const group = Array.from({ length: field }, () => -1)
  for (let start = 0; start < field; start++) {
    if (group[start] !== -1) continue
    group[start] = start
    const open = [start]
    for (let i = open.pop(); i !== undefined; i = open.pop()) {
      for (const met of [over[i] ?? [], under[i] ?? []]) {
        for (const j of met) {
          if (group[j] !== -1) continue
          group[j] = start
          open.push(j)
        }
      }
    }
  }
  return group
}
