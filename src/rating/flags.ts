import type { Meetings } from './meetings.js'
import type { Flag } from './strengths.js'

/** By entrant: why its rating would not be finite without the prior. */
export function flagsOf({ field, wins, draws }: Meetings): readonly (readonly Flag[])[] {
  const group = groupsOf({ field, wins, draws })
  const sizes = new Map<number, number>()
  for (const g of group) sizes.set(g, (sizes.get(g) ?? 0) + 1)
  const largest = Math.max(...sizes.values())
  // Of two groups of the same size, neither is the field to which the other is not connected.
  const main = [...sizes].filter(([, size]) => size === largest)
  return group.map((g, i) => {
    let won = 0
    let drawn = 0
    let lost = 0
    for (let j = 0; j < field; j++) {
      won += wins[i * field + j] as number
      drawn += draws[i * field + j] as number
      lost += wins[j * field + i] as number
    }
    const flags: Flag[] = []
    if (won > 0 && drawn + lost === 0) flags.push('unbeaten')
    if (lost > 0 && won + drawn === 0) flags.push('winless')
    if (main.length > 1 || main[0]?.[0] !== g) flags.push('unconnected')
    return flags
  })
}

/** By entrant, the smallest entrant to which a chain of games leads. */
function groupsOf({ field, wins, draws }: Meetings): readonly number[] {
  const group = Array.from({ length: field }, () => -1)
  for (let start = 0; start < field; start++) {
    if (group[start] !== -1) continue
    group[start] = start
    const open = [start]
    for (let i = open.pop(); i !== undefined; i = open.pop()) {
      for (let j = 0; j < field; j++) {
        const at = i * field + j
        const met = (wins[at] as number) + (draws[at] as number) + (wins[j * field + i] as number) > 0
        if (met && group[j] === -1) {
          group[j] = start
          open.push(j)
        }
      }
    }
  }
  return group
}
