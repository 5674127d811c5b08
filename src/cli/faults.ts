import type { FaultKind, GameKit, MatchRecord } from '../core/index.js'
import { judge } from '../match/index.js'

/** By entrant's name: how often each kind of fault. */
export type FaultCount = Map<string, Partial<Record<FaultKind, number>>>

/** Adds the faults of a match, as the rules judge it. */
export function countFaults(count: FaultCount, kit: GameKit, record: MatchRecord): void {
  for (const { seat, fault } of judge(kit, record).faults) {
    const name = record.seats[seat]?.entrant ?? ''
    const kinds = count.get(name) ?? {}
    kinds[fault] = (kinds[fault] ?? 0) + 1
    count.set(name, kinds)
  }
}

/** 'Ant: 3 timeouts, 1 crash', a line a bot, in order of names. */
export function faultLines(count: FaultCount): string[] {
  const names = [...count.keys()].sort()
  return names.map(
    (name) =>
      `${name}: ${Object.entries(count.get(name) ?? {})
        .map(([kind, n]) => `${n} ${kind}`)
        .join(', ')}`,
  )
}
