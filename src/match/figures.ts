import type { BotFigure, BotParameters, MatchRecord, Player, Seat } from '../core/index.js'

/** A record with what the players printed of themselves; the same record where that is nothing. */
export function withFigures(record: MatchRecord, players: readonly Pick<Player, 'figures'>[]): MatchRecord {
  const figures = players.flatMap((player, seat) => figuresOf(record, player, seat))
  if (figures.length === 0) return record
  const { outcome, ...rest } = record
  return { ...rest, figures: figures.sort(([a], [b]) => a - b), outcome }
}

function figuresOf({ steps }: MatchRecord, player: Pick<Player, 'figures'>, seat: Seat): BotFigure[] {
  const printed = player.figures?.() ?? []
  if (printed.length === 0) return []
  // A bot counts its own questions; steps are shared.
  const asked = steps.flatMap((step, i) => (step.some(([who]) => who === seat) ? [i] : []))
  return printed.flatMap(([question, name, value]) => {
    const step = asked[question]
    return step === undefined ? [] : [[step, seat, name, value] as const]
  })
}

/** A record with the parameters given to the seats' modules; the same record where there were none. */
export function withParameters(record: MatchRecord, given: readonly (BotParameters | undefined)[]): MatchRecord {
  if (given.every((one) => one === undefined)) return record
  const { outcome, ...rest } = record
  return { ...rest, with: given.map((one) => one ?? null), outcome }
}

/** A record with its bots' authors' parts (figures and parameters) of those seats that may be seen. */
export function ownPartsFor(record: MatchRecord, maySee: (seat: Seat) => boolean): MatchRecord {
  const { figures = [], with: given = [], ...rest } = record
  const shown = figures.filter(([, seat]) => maySee(seat))
  const known = given.map((one, seat) => (maySee(seat) ? one : null))
  return {
    ...rest,
    figures: shown.length > 0 ? shown : undefined,
    ...(known.some((one) => one !== null) && { with: known }),
  }
}

/** What a seat's bot printed in a match: each name once, with its mean. */
export function printedMeans(
  { figures = [] }: MatchRecord,
  seat: Seat,
): readonly (readonly [name: string, mean: number])[] {
  const sums = new Map<string, { sum: number; n: number }>()
  for (const [, who, name, value] of figures) {
    if (who !== seat) continue
    const { sum, n } = sums.get(name) ?? { sum: 0, n: 0 }
    sums.set(name, { sum: sum + value, n: n + 1 })
  }
  return [...sums].map(([name, { sum, n }]) => [name, sum / n] as const)
}
