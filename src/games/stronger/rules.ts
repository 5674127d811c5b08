import { shuffle } from '../../core/index.js'
import type { Fault, Game, Move, Seat } from '../../core/index.js'
import { whatIn2015 } from './controller2015.js'
import type { Deed } from './controller2015.js'

/** 'D' defends; a seat's number attacks it (rules 2.1–2.5). */
export type Action = string

/** Whose word counts: the rules', or the controller's printed with them in 2015. */
const CONTROLLERS = ['text', '2015'] as const

export type StrongerOptions = {
  /** Life at the start. */
  readonly life: number
  /** Power at the start. */
  readonly power: number
  /** Turns a game may have. */
  readonly turns: number
  readonly controller: string
}

export interface Contender {
  readonly seat: Seat
  /** Dead below 1. */
  readonly life: number
  readonly power: number
  /** The last action: a seat's number, 'D', or 'X' where none counted. */
  readonly last: string
  /** Controller 2015 only: what was said for an action, passed on to all. */
  readonly said?: string
}

export interface State {
  readonly options: StrongerOptions
  /** Turns played. */
  readonly turn: number
  /** In the order of everyone's list, the dead included. */
  readonly bots: readonly Contender[]
}

/** All is open; `bots`: in the game's shuffled order. See `fields` in text.ts. */
export interface View {
  readonly seat: Seat
  readonly turn: number
  readonly turns: number
  readonly bots: readonly Contender[]
}

/** What Doesn't Kill Me Makes Me Stronger, as RULES.md numbers it. */
export const game: Game<State, Action, View, StrongerOptions> = {
  id: 'stronger',
  version: 1,
  seats: { min: 2, max: 256 },
  options: { life: 1000, power: 10, turns: 1000, controller: 'text' },

  refuse(options) {
    for (const name of ['life', 'power', 'turns'] as const) {
      const value: unknown = options[name]
      if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > 1_000_000) {
        return `${name} must be a whole number from 1 to 1000000, not ${JSON.stringify(value)}`
      }
    }
    if ((CONTROLLERS as readonly string[]).includes(options.controller)) return undefined
    return `controller must be one of ${CONTROLLERS.map((name) => `"${name}"`).join(', ')}, not ${JSON.stringify(options.controller)}`
  },

  setup(seats, options, luck) {
    const [order] = shuffle(luck, [...Array(seats).keys()])
    return {
      options,
      turn: 0,
      bots: order.map((seat) => ({ seat, life: options.life, power: options.power, last: 'X' })),
    }
  },

  toMove(state) {
    const left = alive(state.bots)
    return isOver(state, left.length) ? [] : left.map((bot) => bot.seat).sort((a, b) => a - b)
  },

  view: ({ options, turn, bots }, seat) => ({ seat, turn: turn + 1, turns: options.turns, bots }),

  legal(view) {
    // The harmless one first: a new bot plays it.
    return ['D', ...alive(view.bots).map((bot) => String(bot.seat))]
  },

  // A turn: what answers mean, who is struck, then all figures at once (rules 1.3, 2.1–2.8).
  play({ options, turn, bots }, moves) {
    const deeds = bots.map((): Deed | undefined => undefined)
    for (const { seat } of alive(bots)) deeds[seat] = meaning(moves[seat], options, bots)
    const struck = strikes(bots, deeds)
    return {
      options,
      turn: turn + 1,
      bots: bots.map((bot) => {
        const deed = deeds[bot.seat]
        return deed ? after(bot, deed, struck[bot.seat] ?? NONE, options) : bot
      }),
    }
  },

  // Rules 4.1–4.4.
  outcome(state) {
    const { bots } = state
    const left = alive(bots).length
    if (!isOver(state, left)) return undefined
    const bySeat = [...bots].sort((a, b) => a.seat - b.seat)
    return {
      place: bySeat.map((bot) => (left === 0 || bot.life > 0 ? 1 : left + 1)),
      reason: left === 0 ? 'nobody left' : left === 1 ? 'last one alive' : 'turn limit',
      tally: { life: bySeat.map((bot) => bot.life) },
    }
  },
}

const alive = (bots: readonly Contender[]): readonly Contender[] => bots.filter((bot) => bot.life > 0)

/** `left`: how many are alive. */
const isOver = ({ turn, options }: State, left: number): boolean => left < 2 || turn >= options.turns

function meaning(move: Move<Action> | undefined, options: StrongerOptions, bots: readonly Contender[]): Deed {
  if (move === 'D') return { cost: 1, last: 'D' }
  if (typeof move === 'string') return { cost: 0, last: move, target: Number(move) }
  const fault: Fault = move ?? { fault: 'silent' }
  return options.controller === '2015' ? whatIn2015(fault, bots.length) : { cost: 1, last: 'X' }
}

/**
 * By seat the strikes on it: the power behind each at the turn's start, the dying's too (rule 2.7). `deeds`: by seat.
 */
function strikes(
  bots: readonly Contender[],
  deeds: readonly (Deed | undefined)[],
): readonly (readonly number[] | undefined)[] {
  const struck = bots.map((): number[] | undefined => undefined)
  for (const { seat, power } of bots) {
    const target = deeds[seat]?.target
    if (target === undefined) continue
    const there = struck[target]
    if (there === undefined) struck[target] = [power]
    else there.push(power)
  }
  return struck
}

const NONE: readonly number[] = []

function after(bot: Contender, deed: Deed, struck: readonly number[], options: StrongerOptions): Contender {
  const defends = deed.last === 'D'
  const wounds = struck.reduce((sum, power) => sum + (defends ? power - Math.floor(power / 2) : power), 0)
  const life = (deed.dies ? 0 : bot.life) - wounds
  const next = {
    seat: bot.seat,
    life: options.controller === '2015' ? life : Math.max(0, life),
    power: Math.max(1, bot.power - deed.cost + struck.length * (defends ? 2 : 1)),
    last: deed.last,
  }
  return deed.said === undefined ? next : { ...next, said: deed.said }
}
