import type { Scored } from './scored.js'
import type { Flag } from './strengths.js'

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
