import type { Pairing, Result, Round } from '../core/index.js'

/** How matches ended, by their pairings' keys; while a tournament is played, more come to them and none changes. */
export type Results = ReadonlyMap<string, Result>

/**
 * How a tournament stands whose rounds follow from each other: the last state that is reached from the `first` one. `after` gives the state
 * behind the round of a state, and undefined as long as that round is not over. Of results that grow, a round that is over is looked at
 * once, and not again for each next round and table.
 */
export function courseFrom<State>(
  first: () => State,
  after: (state: State, results: Results) => State | undefined,
): (results: Results) => State {
  const reached = new WeakMap<Results, State>()
  return (results) => {
    let state = reached.get(results) ?? first()
    for (let next = after(state, results); next !== undefined; next = after(state, results)) state = next
    reached.set(results, state)
    return state
  }
}

/** The matches of a round. */
export const pairingsOf = ({ series }: Round): readonly Pairing[] => series.flatMap(({ pairings }) => pairings)
