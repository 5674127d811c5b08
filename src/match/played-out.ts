import { type GameDefinition, type MatchRecord, type PlayedOut, isFault, visible } from '../core/index.js'
import { walk } from './judge.js'

/** A match in its game's own notation, or a line a step. `commands`: by name, of bots with one. Throws RecordError. */
export function transcriptOf(
  definition: GameDefinition,
  record: MatchRecord,
  commands: ReadonlyMap<string, string> = new Map(),
): string {
  const { seats, options, luck, outcome } = record
  const states: unknown[] = [definition.game.setup(seats.length, options, luck)]
  const moves: PlayedOut['moves'][number][] = []
  for (const step of walk(definition, record)) {
    states.push(step.after)
    moves.push(step.moves.map((move) => move ?? null))
  }
  const names = seats.map(({ entrant }) => visible(entrant))
  const started = seats.map(({ entrant }) => visible(commands.get(entrant) ?? entrant))
  const match = { names, commands: started, ids: seats.map(({ id }) => id), states, moves, outcome }
  return definition.transcript?.(match) ?? plain(match)
}

function plain({ names, moves, outcome }: PlayedOut): string {
  const lines = moves.map((step, i) => {
    const done = step.flatMap((move, seat) =>
      move === null ? [] : [`${names[seat]}: ${visible(isFault(move) ? `(${move.fault})` : move)}`],
    )
    return `${i + 1}. ${done.join('; ')}`
  })
  const places = names.map((name, seat) => `${name} ${outcome.place[seat]}`)
  return [...lines, `${visible(outcome.reason)}: ${places.join(', ')}`, ''].join('\n')
}
