import type { Memory, Run, TournamentSpec } from '../../core/index.js'
import { formatOf, isPlayoff } from '../../tournament/index.js'

/** What a run's schedule and table are drawn from. */
export function specOf({
  contest: { format, scoring, only, against },
  game,
  seed,
  entrants,
  history = [],
}: Pick<Run, 'contest' | 'game' | 'seed' | 'history'> & {
  readonly entrants: readonly { readonly name: string; readonly memory: Memory }[]
}): TournamentSpec {
  const index = new Map(entrants.map(({ name }, i) => [name, i]))
  const met = history.flatMap(([a, b, n]) => {
    const [i, j] = [index.get(a), index.get(b)]
    return i === undefined || j === undefined ? [] : [[i, j, n] as const]
  })
  const chosen = new Set(only?.map((name) => index.get(name)))
  return {
    format,
    scoring,
    names: entrants.map(({ name }) => name),
    seed,
    seats: game.seats,
    shuffled: entrants.some(({ memory }) => memory === 'tournament'),
    scores: game.scores,
    chanceless: game.chanceless,
    history: met.length === 0 ? undefined : met,
    wanted: against && ((playing) => playing.some((entrant) => chosen.has(entrant))),
  }
}

/**
 * Whether what only its record shows of a match (`factsOf`) matters to its tournament, asked by the pairing's key: the course that a match
 * took, of those that may end a tournament by repeating each other, and how many turns it had, if scores count a turn.
 */
export function factsMatter({ format, scoring, chanceless }: TournamentSpec): (key: string) => boolean {
  if (scoring.by === 'score' && scoring.per === 'turn') return () => true
  if (chanceless !== true || format.playoff === 0) return () => false
  return (key) => isPlayoff(key) || formatOf(format.kind).playoff === 'pairing'
}
