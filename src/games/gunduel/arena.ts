import type { Arena, Game } from '../../core/index.js'
import { newLuck } from '../../core/index.js'
import type { Action, GunduelOptions, State, View } from './rules.js'

/*
 * Theory of operation. How a turn ends depends on the two actions and on whether each gun has 0, 1 or at least 2 rounds. `play` is asked once for each of
 * these 225 cases; the match then runs on the answers, with nothing made per turn but the two bytes of the log. An action's
 * place in the tables is the last five bits of its character code, which differ for the five: nothing is searched for.
 */
const BITS = 5
const MASK = 2 ** BITS - 1

/** Enough rounds for any shot: more make no difference to a turn. */
const ENOUGH = 2

/** The view of one seat, lent to the bot: it changes with the next turn. The histories are read out of the log when asked for. */
class LiveView implements View {
  turn = 0
  ammo = 0
  opponentAmmo = 0
  readonly over = null
  constructor(
    readonly turns: number,
    private readonly log: Uint8Array,
    private readonly seat: number,
  ) {}
  get history(): string {
    return this.read(this.seat)
  }
  get opponentHistory(): string {
    return this.read(1 - this.seat)
  }
  private read(seat: number): string {
    let text = ''
    for (let turn = 0; turn < this.turn; turn++) text += String.fromCharCode(this.log[2 * turn + seat] as number)
    return text
  }
}

/**
 * The duel's fast twin: the same turns as `play`. Its log holds the actions' character codes, the first seat's and the second's
 * by turns. Bots answer with actions only; a bot that throws ends the match with its exception.
 */
export function gunduelArena(
  game: Game<State, Action, View, GunduelOptions>,
  options: GunduelOptions,
): Arena<View, Action> {
  const { ends, rounds } = tables(game)
  const { turns, ammo } = options
  const log = new Uint8Array(2 * turns)
  const first = new LiveView(turns, log, 0)
  const second = new LiveView(turns, log, 1)

  const match = (bots: readonly ((view: View) => Action)[]): number => {
    const [one, two] = bots
    if (one === undefined || two === undefined) throw new RangeError('a gun duel has two seats')
    let a = ammo
    let b = ammo
    for (let turn = 0; turn < turns;) {
      first.turn = second.turn = turn
      first.ammo = second.opponentAmmo = a
      first.opponentAmmo = second.ammo = b
      const x = one(first).charCodeAt(0)
      const y = two(second).charCodeAt(0)
      log[2 * turn] = x
      log[2 * turn + 1] = y
      turn++
      const at = place(a, b, x, y)
      if (ends[at] !== 0) return turn
      a += rounds[x & MASK] as number
      b += rounds[y & MASK] as number
    }
    return turns
  }
  return { match, log }
}

/** Where a case stands in the table: two bits for each gun, five for each action. */
function place(a: number, b: number, x: number, y: number): number {
  const guns = ((a < ENOUGH ? a : ENOUGH) << 2) | (b < ENOUGH ? b : ENOUGH)
  return (guns << (2 * BITS)) | ((x & MASK) << BITS) | (y & MASK)
}

/** Whether a turn ends the duel, by `place`, and what each action does to the rounds: both as `play` has it. */
function tables(game: Game<State, Action, View, GunduelOptions>): { ends: Uint8Array; rounds: Int8Array } {
  const ends = new Uint8Array(2 ** (4 + 2 * BITS))
  const rounds = new Int8Array(2 ** BITS)
  const start = game.setup(2, { turns: 2, ammo: ENOUGH }, newLuck(''))
  const actions = game.legal(game.view(start, 0))
  for (const x of actions) {
    for (const y of actions) {
      const [i, j] = [x.charCodeAt(0), y.charCodeAt(0)]
      for (let a = 0; a <= ENOUGH; a++) {
        for (let b = 0; b <= ENOUGH; b++) {
          const next = game.play({ ...start, ammo: [a, b] }, [x, y])
          ends[place(a, b, i, j)] = game.outcome(next) ? 1 : 0
          rounds[i & MASK] = next.ammo[0] - a
        }
      }
    }
  }
  return { ends, rounds }
}
