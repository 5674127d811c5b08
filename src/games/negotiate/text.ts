import { type PlayedOut, type Seat, isFault } from '../../core/index.js'
import { UNIT } from './settle.js'
import type { State } from './rules.js'
import type { View } from './view.js'

/** What a view's keys mean; you are daimyo 0 in every row. */
export const fields: Readonly<Record<keyof View, string>> = {
  seat: 'your own seat',
  due: 'whether you are asked now',
  turn: 'the turn to be played, from 1',
  turns: 'turns of the game',
  day: 'whether it is day; by night nobody sees where you go',
  negotiations: 'how many lords you name this turn',
  nightWorth: 'intimacy that a negotiation by night brings',
  settling: 'the turns at whose end strength is settled',
  forces: 'the force of each lord',
  intimacy: 'for each lord the visible intimacy of each daimyo, you first; nights are left out',
  real: 'your own intimacy with each lord, the nights included',
  visits: 'by day: how often each lord was visited in the night before',
  strength24: 'settled strength of each daimyo, you first, in 24ths',
}

export const question = ({ day }: View): string => (day ? 'by day' : 'by night')

/** What a seat may know, in a few lines; its own column first. */
export function text(view: View): string {
  const head = [
    'lord',
    'force',
    ...view.strength24.map((_, k) => (k === 0 ? 'you' : `d${k}`)),
    'real',
    ...(view.day ? ['visits'] : []),
  ]
  const rows = view.forces.map((force, lord) => [
    lord,
    force,
    ...(view.intimacy[lord] ?? []),
    view.real[lord] ?? 0,
    ...(view.day ? [view.visits[lord] ?? 0] : []),
  ])
  return [
    view.turn > view.turns
      ? 'the game is over'
      : `turn ${view.turn} of ${view.turns}, ${view.day ? 'day' : 'night'}: name ${view.negotiations} lords`,
    ...table([head, ...rows]),
    `strength: ${view.strength24.map(strength).join('  ')}`,
  ].join('\n')
}

/** The position, nothing hidden: real intimacies by lord and seat. */
export function board(state: State): string {
  const head = ['lord', 'force', ...state.strength24.map((_, seat) => `${seat}${state.terminated[seat] ? ' out' : ''}`)]
  return [
    state.turn > state.options.turns ? 'the game is over' : `turn ${state.turn} of ${state.options.turns}`,
    ...table([head, ...state.forces.map((force, lord) => [lord, force, ...(state.real[lord] ?? [])])]),
    `strength: ${state.strength24.map(strength).join('  ')}`,
  ].join('\n')
}

export function figures({ strength24, terminated }: State, seat: Seat): string {
  return `${strength(strength24[seat] ?? 0)}${terminated[seat] ? ' out' : ''}`
}

function table(rows: readonly (readonly (string | number)[])[]): readonly string[] {
  return rows.map((row) => row.map((cell) => String(cell).padStart(6)).join(''))
}

/** 24ths as a person reads them: 84 is '3 1/2'. */
function strength(parts: number): string {
  const whole = Math.floor(Math.abs(parts) / UNIT)
  const rest = Math.abs(parts) % UNIT
  const sign = parts < 0 ? '-' : ''
  if (rest === 0) return `${sign}${whole}`
  const shared = divisor(rest, UNIT)
  return `${sign}${whole > 0 ? `${whole} ` : ''}${rest / shared}/${UNIT / shared}`
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

/** What programs are sent (settings, forces, each turn's number and D or N), and answer; a fault names lord 0. */
export function transcript({ names, states, moves }: PlayedOut): string {
  const { forces, options } = states[0] as State
  const turns = moves.map((step, i) => {
    const day = i % 2 === 0
    const silent = Array.from({ length: day ? options.day : options.night }, () => 0).join(' ')
    return [`${i + 1} ${day ? 'D' : 'N'}`, ...step.map((move) => (move === null || isFault(move) ? silent : move))]
  })
  return [`${options.turns} ${names.length} ${forces.length}`, forces.join(' '), ...turns.flat(), ''].join('\n')
}
