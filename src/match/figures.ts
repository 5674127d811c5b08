import type { BotFigure, BotParameters, MatchRecord, Player, Seat } from '../core/index.js'

/** A record with what the players have printed of themselves meanwhile; the record itself where they have printed nothing. */
export function withFigures(record: MatchRecord, players: readonly Pick<Player, 'figures'>[]): MatchRecord {
  const figures = players.flatMap((player, seat) => figuresOf(record, player, seat))
  if (figures.length === 0) return record
  const { outcome, ...rest } = record
  return { ...rest, figures: figures.sort(([a], [b]) => a - b), outcome }
}

function figuresOf({ steps }: MatchRecord, player: Pick<Player, 'figures'>, seat: Seat): BotFigure[] {
  const printed = player.figures?.() ?? []
  if (printed.length === 0) return []
  // A bot counts its own questions; a step is shared by all bots.
  const asked = steps.flatMap((step, i) => (step.some(([who]) => who === seat) ? [i] : []))
  return printed.flatMap(([question, name, value]) => {
    const step = asked[question]
    return step === undefined ? [] : [[step, seat, name, value] as const]
  })
}

/** A record with the parameters that the seats' modules were given; the record itself where none were. */
export function withParameters(record: MatchRecord, given: readonly (BotParameters | undefined)[]): MatchRecord {
  if (given.every((one) => one === undefined)) return record
  const { outcome, ...rest } = record
  return { ...rest, with: given.map((one) => one ?? null), outcome }
}

/** A record with what belongs to its bots' authors, figures and parameters, as far as these seats may be seen. */
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

/** What a seat's bot printed in a match: each name once, with the mean of its values. */
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
