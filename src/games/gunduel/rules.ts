import type { Game, Moves, Outcome, Seat } from '../../core/index.js'
import { isFault } from '../../core/index.js'

/** Load, bullet, plasma, metal shield, thermal deflector, as in the contest's C++ enumeration. */
export const ACTIONS = ['0', '1', '2', '-', '='] as const
export type Action = (typeof ACTIONS)[number]

/** Why a duel ended. */
export type Reason = 'shot' | 'burst' | 'fault' | 'turn limit'

export type GunduelOptions = {
  /** Turns after which a duel is a draw. */
  readonly turns: number
  /** Rounds in each gun at the start. */
  readonly ammo: number
}

/** What a duellist knows: all but the other's coming action. `fields` in text.ts says what each part is. */
export interface View {
  readonly turn: number
  readonly turns: number
  readonly ammo: number
  readonly opponentAmmo: number
  readonly history: string
  readonly opponentHistory: string
  readonly over: Reason | null
}

type Pair<T> = readonly [T, T]
export interface State {
  readonly options: GunduelOptions
  readonly ammo: Pair<number>
  readonly histories: Pair<string>
  readonly end: { readonly reason: Reason; readonly lost: Pair<boolean> } | null
}

/** What an action does to one's own rounds (rules 2 and 6). */
const ROUNDS: Readonly<Record<Action, number>> = { '0': 1, '1': -1, '2': -2, '-': 0, '=': 0 }

/** What each shot kills (rules 3 to 5). */
const KILLS: Readonly<Partial<Record<Action, readonly Action[]>>> = { '1': ['0', '='], '2': ['0', '1', '-'] }

export const gunduel: Game<State, Action, View, GunduelOptions> = {
  id: 'gunduel',
  version: 1,
  seats: { min: 2, max: 2 },
  options: { turns: 100, ammo: 0 },

  refuse({ turns, ammo }, seats) {
    if (seats !== 2) return `a gun duel has two seats, not ${seats}`
    if (!isWithin(turns, 1)) return `turns must be a whole number from 1 to ${MOST}, not ${turns}`
    if (!isWithin(ammo, 0)) return `ammo must be a whole number from 0 to ${MOST}, not ${ammo}`
    return undefined
  },

  setup: (_seats, options) => ({ options, ammo: [options.ammo, options.ammo], histories: ['', ''], end: null }),

  toMove: (state): readonly Seat[] => (state.end === null ? [0, 1] : []),

  view: ({ options, ammo, histories, end }, seat) => {
    const [own, other] = seat === 0 ? ([0, 1] as const) : ([1, 0] as const)
    return {
      turn: histories[0].length,
      turns: options.turns,
      ammo: ammo[own],
      opponentAmmo: ammo[other],
      history: histories[own],
      opponentHistory: histories[other],
      over: end?.reason ?? null,
    }
  },

  /** Always all five: firing without rounds is allowed and bursts the gun (rule 10). */
  legal: () => ACTIONS,

  /** Faults, then burst guns, shots, and the turn limit (rules 9 and 12). */
  play: (state, moves) => {
    if (state.end !== null) return state
    const [a, b] = moves
    if (a === undefined || b === undefined || isFault(a) || isFault(b)) return faulted(state, moves)
    const ammo = [state.ammo[0] + ROUNDS[a], state.ammo[1] + ROUNDS[b]] as const
    const histories = [state.histories[0] + a, state.histories[1] + b] as const
    const ended = (reason: Reason, lost: Pair<boolean>): State => ({ ...state, ammo, histories, end: { reason, lost } })

    if (ammo[0] < 0 || ammo[1] < 0) return ended('burst', [ammo[0] < 0, ammo[1] < 0])
    if (kills(b, a) || kills(a, b)) return ended('shot', [kills(b, a), kills(a, b)])
    if (histories[0].length >= state.options.turns) return ended('turn limit', [false, false])
    return { ...state, ammo, histories }
  },

  outcome: ({ end }): Outcome | undefined => {
    if (end === null) return undefined
    const [a, b] = end.lost
    return { place: a === b ? [1, 1] : a ? [2, 1] : [1, 2], reason: end.reason }
  },
}

/** Whether the shot kills who does the other thing, both with rounds enough. */
function kills(shot: Action, other: Action): boolean {
  return KILLS[shot]?.includes(other) ?? false
}

/** A turn with a fault leaves only the end (rule 11); a gun burst by a shot at the same time is as lost (rule 9). */
function faulted(state: State, moves: Moves<Action>): State {
  const burst = (seat: 0 | 1): boolean => {
    const move = moves[seat]
    return move === undefined || isFault(move) || state.ammo[seat] + ROUNDS[move] < 0
  }
  return { ...state, end: { reason: 'fault', lost: [burst(0), burst(1)] } }
}

/** The greatest turns and ammo of a match. */
const MOST = 1_000_000
const isWithin = (n: number, least: number): boolean => Number.isInteger(n) && n >= least && n <= MOST
