import { type FinalTable, type PlayedOut, type PublishedTable, isFault } from '../../core/index.js'
import type { State } from './rules.js'

/** What the controller of 2015 prints with `-log`: who is there, and after each turn life, power, id and command of everyone. */
export function transcript({ commands, ids, states, moves }: PlayedOut): string {
  const turns = states.slice(1).map((state, i) => {
    const refused = (moves[i] ?? []).flatMap((move, seat) =>
      move !== null && isFault(move)
        ? [`${commands[seat]} returned an invalid command: (${(move.said ?? '').replace(/[^ -~]/g, '?')})`]
        : [],
    )
    const bots = (state as State).bots.map(
      ({ seat, life, power }) => `${life}\t\t${power}\t\t(${ids[seat]})\t${commands[seat]}`,
    )
    return [`Turn ${i + 1}`, ...refused, ...bots, '\n'].join('\n')
  })
  return `Player Count: ${commands.length}\n${turns.map((turn) => `${turn}\n`).join('')}`
}

/** Wins, life and command; whoever has won nothing is not listed. */
export function published({ rows }: FinalTable): PublishedTable {
  const listed = rows.filter(({ points }) => points > 0)
  return {
    form: 'columns',
    columns: [
      { head: 'Wins', cells: listed.map(({ points }) => String(points)), right: true },
      { head: 'Life(tiebreaker)', cells: listed.map(({ cells }) => String(cells[0] ?? 0)), right: true },
      { head: 'Name', cells: listed.map(({ command }) => command) },
    ],
  }
}
