import type { Game, GameDefinition, Moves, Options, Seat } from '../../src/core/index.js'

/** A disc's owner, or none. */
type Square = Seat | null
interface State {
  /** 64 squares, row by row. */
  readonly board: readonly Square[]
  readonly toMove: Seat
  /** Neither side can move any more, or one has lost by a fault. */
  readonly over: boolean
  /** Who lost by a fault. */
  readonly faulted: Seat | null
}
export interface View {
  readonly board: readonly Square[]
  readonly me: Seat
}

const SIDE = 8
const COLUMNS = 'abcdefgh'
const NAMES = Array.from({ length: SIDE * SIDE }, (_, at) => `${COLUMNS[at % SIDE]}${Math.floor(at / SIDE) + 1}`)
const AT = new Map(NAMES.map((name, at) => [name, at]))

/** By square the squares that lie in each of the eight directions from it, nearest first. */
const RAYS: readonly (readonly (readonly number[])[])[] = NAMES.map((_, at) => {
  const [row, column] = [Math.floor(at / SIDE), at % SIDE]
  const on = (n: number): boolean => n >= 0 && n < SIDE
  return [-1, 0, 1]
    .flatMap((down) => [-1, 0, 1].map((right) => [down, right] as const))
    .filter(([down, right]) => down !== 0 || right !== 0)
    .map(([down, right]) => {
      const ray: number[] = []
      for (let r = row + down, c = column + right; on(r) && on(c); r += down, c += right) ray.push(r * SIDE + c)
      return ray
    })
    .filter((ray) => ray.length > 1)
})

/** How many discs a disc of `me` would turn along a ray. */
function turned(board: readonly Square[], me: Seat, ray: readonly number[]): number {
  for (let n = 0; n < ray.length; n++) {
    const square = board[ray[n] as number]
    if (square === null) return 0
    if (square === me) return n
  }
  return 0
}

const mayPlace = (board: readonly Square[], me: Seat, at: number): boolean =>
  board[at] === null && (RAYS[at] ?? []).some((ray) => turned(board, me, ray) > 0)
const canMove = (board: readonly Square[], me: Seat): boolean => NAMES.some((_, at) => mayPlace(board, me, at))

function place(board: readonly Square[], me: Seat, at: number): readonly Square[] {
  const next = [...board]
  next[at] = me
  for (const ray of RAYS[at] ?? []) {
    const n = turned(board, me, ray)
    for (let i = 0; i < n; i++) next[ray[i] as number] = me
  }
  return next
}

function play(state: State, moves: Moves<string>): State {
  const { board, toMove: me } = state
  const move = moves[me]
  if (typeof move !== 'string') return { ...state, over: true, faulted: me }
  const next = place(board, me, AT.get(move) as number)
  if (canMove(next, 1 - me)) return { ...state, board: next, toMove: 1 - me }
  return { ...state, board: next, over: !canMove(next, me) }
}

const count = (board: readonly Square[], seat: Seat): number => board.filter((square) => square === seat).length

/** Othello on eight by eight squares; who cannot move is passed over. A board game of some 60 moves, with an array in its view. */
const othello: Game<State, string, View, Options> = {
  id: 'othello',
  version: 1,
  seats: { min: 2, max: 2 },
  options: {},
  setup: () => {
    const start = new Map([
      ['d4', 1],
      ['e5', 1],
      ['e4', 0],
      ['d5', 0],
    ])
    return { board: NAMES.map((name) => start.get(name) ?? null), toMove: 0, over: false, faulted: null }
  },
  toMove: (state) => (state.over ? [] : [state.toMove]),
  view: ({ board }, seat) => ({ board, me: seat }),
  legal: ({ board, me }) => NAMES.filter((_, at) => mayPlace(board, me, at)),
  play,
  outcome: ({ board, over, faulted }) => {
    if (!over) return undefined
    const discs = [0, 1].map((seat) => (seat === faulted ? -1 : count(board, seat)))
    const [black = 0, white = 0] = discs
    const places = black === white ? [1, 1] : black > white ? [1, 2] : [2, 1]
    return { place: places, reason: faulted === null ? 'no move left' : 'fault', tally: { discs } }
  },
}

export const othelloDefinition: GameDefinition = {
  game: othello,
  title: 'Othello',
  summary: 'The discs that lie between two of yours become yours.',
}
