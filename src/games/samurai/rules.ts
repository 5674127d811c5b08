import type { Game, Move, Outcome, Seat } from '../../core/index.js'

/** Wait, bow, guard, quick draw, parry, overhead strike (rules 2.1–2.6). */
export const ACTIONS = ['W', 'B', 'G', 'I', 'P', 'O'] as const
export type Action = (typeof ACTIONS)[number]

/** What a variant may change: usual, least and most of each number. */
const NUMBERS = {
  /** Turns after which the gods grow bored. */
  turns: [500, 1, 100_000],
  /** Health at the start. */
  health: [20, 1, 1_000_000],
  /** Honour at the start. */
  honour: [1, 0, 1_000_000],
  /** Honour that grants the Sword of the Gods. */
  sword: [7, 0, 1_000_000],
} as const
export type SamuraiOptions = Readonly<Record<keyof typeof NUMBERS, number>>

export interface Samurai {
  /** A letter for each turn so far: what counted, not what was said. */
  readonly history: string
  /** May end below 0. */
  readonly health: number
  /** May end at −1. */
  readonly honour: number
}

export interface State {
  readonly options: SamuraiOptions
  /** By seat. */
  readonly samurai: readonly [Samurai, Samurai]
}

/** All is open: a seat sees both samurai, itself first. See `fields` in text.ts. */
export interface View {
  readonly turn: number
  readonly turns: number
  readonly sword: number
  readonly history: string
  readonly enemyHistory: string
  readonly health: number
  readonly enemyHealth: number
  readonly honour: number
  readonly enemyHonour: number
}

/** Which strike each overcomes (rules 3.4–3.6); others overcome nothing. */
const OVERCOMES: Partial<Record<Action, Action>> = { I: 'O', P: 'I', O: 'P' }

/** Ultimate Samurai Showdown, as RULES.md numbers it. */
export const game: Game<State, Action, View, SamuraiOptions> = {
  id: 'samurai',
  version: 1,
  seats: { min: 2, max: 2 },
  options: Object.fromEntries(Object.entries(NUMBERS).map(([name, [usual]]) => [name, usual])) as SamuraiOptions,

  refuse(options) {
    for (const [name, [, least, most]] of Object.entries(NUMBERS)) {
      const value: unknown = options[name as keyof SamuraiOptions]
      if (!Number.isInteger(value) || Number(value) < least || Number(value) > most) {
        return `${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(value)}`
      }
    }
    return undefined
  },

  setup(_seats, options) {
    const fresh: Samurai = { history: '', health: options.health, honour: options.honour }
    return { options, samurai: [fresh, fresh] }
  },

  toMove: (state) => (game.outcome(state) ? [] : [0, 1]),

  view(state, seat) {
    const [own, enemy] = seat === 0 ? state.samurai : ([state.samurai[1], state.samurai[0]] as const)
    return {
      turn: own.history.length + 1,
      turns: state.options.turns,
      sword: state.options.sword,
      history: own.history,
      enemyHistory: enemy.history,
      health: own.health,
      enemyHealth: enemy.health,
      honour: own.honour,
      enemyHonour: enemy.honour,
    }
  },

  legal: () => ACTIONS,

  // A turn: what counts as each action, then both samurai at once (rule 1.4).
  play(state, moves) {
    const { options, samurai } = state
    const [a, b] = [counted(moves[0]), counted(moves[1])]
    return {
      options,
      samurai: [
        after(samurai[0], a, lands(b, a) ? strength(samurai[1], options) : 0),
        after(samurai[1], b, lands(a, b) ? strength(samurai[0], options) : 0),
      ],
    }
  },

  // The gods first, then death, then the limit (rules 4.1–4.4).
  outcome(state) {
    const [a, b] = state.samurai
    if (a.honour < 0 && b.honour < 0) return draw('both struck down by the gods')
    if (a.honour < 0 || b.honour < 0) return won(a.honour < 0 ? 1 : 0, 'struck down by the gods')
    if (a.health <= 0 || b.health <= 0) return won(a.health <= 0 ? 1 : 0, 'killed')
    return a.history.length < state.options.turns ? undefined : draw('turn limit')
  },
}

/** A fault is a wait (rules 5.1–5.3). */
function counted(move: Move<Action> | undefined): Action {
  return typeof move === 'string' ? move : 'W'
}

function after(own: Samurai, action: Action, wounds: number): Samurai {
  return {
    history: own.history + action,
    health: own.health - wounds,
    honour: own.honour + earned(own, action),
  }
}

const strength = ({ honour }: Samurai, { sword }: SamuraiOptions): 1 | 2 => (honour >= sword ? 2 : 1)

/** Whether a strike wounds who does this meanwhile (rules 3.1–3.6). */
function lands(strike: Action, meanwhile: Action): boolean {
  const overcomes = OVERCOMES[strike]
  return overcomes !== undefined && (meanwhile === 'W' || meanwhile === 'B' || meanwhile === overcomes)
}

/** An action's honour for who does it, whatever the other does (rules 2.1–2.6). */
function earned(own: Samurai, action: Action): -1 | 0 | 1 {
  if (action === 'W') return 0
  if (action === 'B') return 1
  return action === 'G' && !own.history.endsWith('G') ? 0 : -1
}

const draw = (reason: string): Outcome => ({ place: [1, 1], reason })
const won = (seat: Seat, reason: string): Outcome => ({ place: seat === 0 ? [1, 2] : [2, 1], reason })
