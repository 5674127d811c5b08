import type { Seat } from '../../core/index.js'
import type { Contender, State, View } from './rules.js'

/** What is not a seat's number; a number attacks that seat. */
export const meanings: Readonly<Record<string, string>> = { D: 'defend' }

/** What each key of a view means. */
export const fields: Readonly<Record<keyof View, string>> = {
  seat: 'your own seat',
  turn: 'the coming turn, from 1',
  turns: 'turns that a game may have',
  bots: "everyone in the game's shuffled order: seat, life (dead below 1), power, and last: a seat's number, D, or X for nothing",
}

/** A seat's view for a terminal: the turn, then a line a bot, seats in order. */
export function text(view: View, seat: Seat): string {
  return [`turn ${view.turn} of ${view.turns}, seat ${seat}`, ...lines(view.bots, view.seat)].join('\n')
}

/** The position for a terminal: a line a bot, seats in order. */
export function board(state: State): string {
  return lines(state.bots).join('\n')
}

/** What a bot has left. */
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
