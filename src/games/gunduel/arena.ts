import type { Game, Luck, Outcome } from '../../core/index.js'
import { newLuck } from '../../core/index.js'
import type { Action, GunduelOptions, State, View } from './rules.js'

/*
 * A turn's end depends on both actions and on whether each gun has 0, 1 or at least 2 rounds. `play` is asked once for
 * these 225 cases; the match runs on the answers, making nothing per turn but two bytes of log. An action's place in
 * the tables is its character code's last five bits, which differ for the five: no search.
 */
const BITS = 5
const MASK = 2 ** BITS - 1

/** Rounds enough for any shot: more change no turn. */
const ENOUGH = 2

/** A seat's view, lent to the bot: the next turn changes it. Histories are read from the log on request. */
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

/** The duel's own match loop: millions of turns a second in one thread. */
interface GunduelArena {
  /** Plays one match; views are lent, and change once the bot has answered. Returns the number of turns. */
  match(bots: readonly ((view: View) => Action)[], luck: Luck): number
  /** The last match's actions, a byte each, seats in turn. */
  readonly log: Uint8Array
  outcome(): Outcome
}

/** The duel's fast twin. Its log: the actions' character codes, seats in turn. A bot that throws ends the match. */
export function gunduelArena(game: Rules, options: GunduelOptions): GunduelArena {
  const { ends, rounds, outcomes } = tables(game)
  const { turns, ammo } = options
  const log = new Uint8Array(2 * turns)
  const first = new LiveView(turns, log, 0)
  const second = new LiveView(turns, log, 1)
  let end = 0

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
      end = ends[place(a, b, x, y)] as number
      if (end !== 0) return turn
      a += rounds[x & MASK] as number
      b += rounds[y & MASK] as number
    }
    return turns
  }
  return { match, log, outcome: () => outcomes[end] as Outcome }
}

type Rules = Game<State, Action, View, GunduelOptions>

interface Tables {
  /** By `place`: 0 where the duel goes on, else its outcome. */
  readonly ends: Uint8Array
  /** By an action's five bits: what it does to the own rounds. */
  readonly rounds: Int8Array
  /** The first: what the turn limit makes of an unended duel. */
  readonly outcomes: readonly Outcome[]
}

/** A case's place in the table: two bits a gun, five an action. */
function place(a: number, b: number, x: number, y: number): number {
  const guns = ((a < ENOUGH ? a : ENOUGH) << 2) | (b < ENOUGH ? b : ENOUGH)
  return (guns << (2 * BITS)) | ((x & MASK) << BITS) | (y & MASK)
}

/** Asks `play` for every case: under a limit of two turns the first is not the last, under one it is. */
function tables(game: Rules): Tables {
  const ends = new Uint8Array(2 ** (4 + 2 * BITS))
  const rounds = new Int8Array(2 ** BITS)
  const start = (turns: number): State => game.setup(2, { turns, ammo: ENOUGH }, newLuck(''))
  const [open, last] = [start(2), start(1)]
  const outcomes = [game.outcome(game.play(last, ['-', '-'])) as Outcome]
  const actions = game.legal(game.view(open, 0))
  for (const x of actions) {
    for (const y of actions) {
      const [i, j] = [x.charCodeAt(0), y.charCodeAt(0)]
      for (let a = 0; a <= ENOUGH; a++) {
        for (let b = 0; b <= ENOUGH; b++) {
          const next = game.play({ ...open, ammo: [a, b] }, [x, y])
          rounds[i & MASK] = next.ammo[0] - a
          const outcome = game.outcome(next)
          if (outcome) ends[place(a, b, i, j)] = outcomes.push(outcome) - 1
        }
      }
    }
  }
  return { ends, rounds, outcomes }
}
