import type { Memory, Run, TournamentSpec } from '../../core/index.js'
import { formatOf, isPlayoff } from '../../tournament/index.js'

/** What a run's schedule and table are drawn from. */
export function specOf({
  contest,
  game,
  seed,
  entrants,
  history,
}: Pick<Run, 'contest' | 'game' | 'seed' | 'history'> & {
  readonly entrants: readonly { readonly name: string; readonly memory: Memory }[]
}): TournamentSpec {
  const { format, scoring } = contest
  const names = entrants.map(({ name }) => name)
  return {
    format,
    scoring,
    names,
    seed,
    seats: game.seats,
    shuffled: entrants.some(({ memory }) => memory === 'tournament'),
    scores: game.scores,
    chanceless: game.chanceless,
    history: historyOf(names, history),
    wanted: wantedOf(contest, names),
  }
}

/** The earlier meetings of the entrants, by index; undefined: there are none. */
function historyOf(names: readonly string[], history: Run['history'] = []): TournamentSpec['history'] {
  const index = new Map(names.map((name, i) => [name, i]))
  const known = history.flatMap(([a, b, n]) => {
    const [i, j] = [index.get(a), index.get(b)]
    return i === undefined || j === undefined ? [] : [[i, j, n] as const]
  })
  return known.length === 0 ? undefined : known
}

/** Whether these entrants may meet, if `against` says that not all may. */
function wantedOf({ only, against }: Run['contest'], names: readonly string[]): TournamentSpec['wanted'] {
  const chosen = new Set(only)
  return against && ((playing) => playing.some((entrant) => chosen.has(names[entrant] ?? '')))
}

/**
 * Whether what only its record shows of a match (`factsOf`) matters to its tournament, asked by the pairing's key: the course that a match
 * took, of those that may end a tournament by repeating each other, and how many turns it had, where scores count a turn.
 */
export function factsMatter({
  format,
  scoring,
  chanceless,
}: Pick<TournamentSpec, 'format' | 'scoring' | 'chanceless'>): (key: string) => boolean {
  if (scoring.by === 'score' && scoring.per === 'turn') return () => true
  if (chanceless !== true || format.playoff === 0) return () => false
  return (key) => isPlayoff(key) || formatOf(format.kind).playoff === 'pairing'
}
