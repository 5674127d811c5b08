import type { EntrantFacts } from './facts.js'

type Rival = EntrantFacts['opponents'][number]

/** A bot's share of the matches against an opponent, a draw for a half. */
export const share = ({ ahead, level, behind }: Rival): number =>
  (ahead + level / 2) / Math.max(1, ahead + level + behind)

/** Opponents, those first whom it beats most; its prey is the first that it beats more often than not, its nemesis the last that beats it. */
export function rivals(opponents: readonly Rival[]): {
  readonly sorted: readonly Rival[]
  readonly prey?: Rival
  readonly nemesis?: Rival
} {
  const sorted = [...opponents].sort((a, b) => share(b) - share(a))
  const met = sorted.filter(({ ahead, level, behind }) => ahead + level + behind > 0)
  const [first] = met
  const last = met.at(-1)
  return {
    sorted,
    prey: first && share(first) > 0.5 ? first : undefined,
    nemesis: last && share(last) < 0.5 ? last : undefined,
  }
}
