import type { FaultKind, JudgedMatch } from '../core/index.js'
import { cellText, csv } from '../text/index.js'

/** By entrant's name: how often each kind of fault. */
export type FaultCount = Map<string, Partial<Record<FaultKind, number>>>

/** Adds a match's faults. Returns a line for each kind that is an entrant's first. */
export function countFaults(count: FaultCount, { record, faults }: JudgedMatch): string[] {
  const first: string[] = []
  for (const { seat, turn, fault, why } of faults) {
    const name = record.seats[seat]?.entrant ?? ''
    const kinds = count.get(name) ?? {}
    if (kinds[fault] === undefined)
      first.push(`${name}: its first ${fault} (${record.key ?? 'match'}, turn ${turn + 1})${why ? `: ${why}` : ''}`)
    kinds[fault] = (kinds[fault] ?? 0) + 1
    count.set(name, kinds)
  }
  return first
}

export const faultsCsv = (count: FaultCount): string =>
  csv([
    ['name', 'fault', 'count'],
    ...sorted(count).flatMap(([name, kinds]) => kinds.map(([kind, n]) => [cellText(name), kind, String(n)])),
  ])

/** 'Ant: 1 crash, 3 timeout': a line an entrant, by name. */
export const faultLines = (count: FaultCount): string[] =>
  sorted(count).map(([name, kinds]) => `${name}: ${kinds.map(([kind, n]) => `${n} ${kind}`).join(', ')}`)

/** By name, and by the words for kinds. */
const sorted = (count: FaultCount) =>
  [...count].sort(byFirst).map(([name, kinds]) => [name, Object.entries(kinds).sort(byFirst)] as const)

const byFirst = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
