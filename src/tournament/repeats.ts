import type { Pairing, Result, TournamentSpec } from '../core/index.js'

/**
 * Whether more matches of this kind decide nothing: each of the last ones was answered, from the same seats, as one of those before
 * them was, in a game without chance, by bots that keep nothing from one to the next.
 */
export function repeats(
  { chanceless, shuffled }: TournamentSpec,
  last: readonly Pairing[],
  before: readonly Pairing[],
  results: ReadonlyMap<string, Result>,
): boolean {
  // Bots that live through the tournament may have changed their minds by the next one.
  if (!chanceless || shuffled || last.length === 0) return false
  const course = ({ key }: Pairing): string | undefined => results.get(key)?.course
  return last.every((now) => {
    const own = course(now)
    return own !== undefined && before.some((then) => then.seats.join() === now.seats.join() && course(then) === own)
  })
}
