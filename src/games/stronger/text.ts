import { type FinalTable, type PlayedOut, type PublishedTable, type Seat, isFault } from '../../core/index.js'
import type { Contender, State, View } from './rules.js'

/** What is not a seat's number; a number attacks that seat. */
export const actions: Readonly<Record<string, string>> = { D: 'defend' }

export const fields: Readonly<Record<keyof View, string>> = {
  seat: 'your own seat',
  turn: 'the coming turn, from 1',
  turns: 'turns that a game may have',
  bots: "everyone in the game's shuffled order: seat, life (dead below 1), power, and last: a seat's number, D, or X for nothing",
}

export function text(view: View, seat: Seat): string {
  return [`turn ${view.turn} of ${view.turns}, seat ${seat}`, ...lines(view.bots, view.seat)].join('\n')
}

export function board(state: State): string {
  return lines(state.bots).join('\n')
}

export function figures({ bots }: State, seat: Seat): string {
  const bot = bots.find((one) => one.seat === seat)
  return bot === undefined || bot.life <= 0 ? 'dead' : `life ${bot.life}, power ${bot.power}`
}

function lines(bots: readonly Contender[], own?: Seat): string[] {
  return [...bots]
    .sort((a, b) => a.seat - b.seat)
    .map((bot) => {
      const who = `seat ${bot.seat}`.padEnd(8)
      const left =
        bot.life > 0 ? `life ${String(bot.life).padStart(4)}  power ${String(bot.power).padStart(3)}` : 'dead'
      return `${bot.seat === own ? '* ' : '  '}${who}  ${left.padEnd(20)}  ${did(bot)}`.trimEnd()
    })
}

function did({ last, said }: Contender): string {
  if (said !== undefined) return `said "${said.replace(/[^\x20-\x7e]/g, '?')}"`
  if (last === 'X') return ''
  return last === 'D' ? 'defended' : `attacked ${last}`
}

/** The 2015 controller's `-log`: who is there, and after each turn everyone's life, power, id and command. */
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

/** Wins, life and command; who won nothing is not listed. */
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
