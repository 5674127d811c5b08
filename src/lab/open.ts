import { type GameDefinition, type Moves, type Options, UserError, message, option, allActions } from '../core/index.js'
import { MOST_POSITIONS, drawsOf, isLuck } from './draws.js'
import { type MatrixSolution, solveMatrix } from './matrix-game.js'

/** How a seat plays where it knows this. */
export interface StrategyRow {
  readonly seat: number
  /** What it knows; only what matters, where a game tells it (`essence`). */
  readonly view: unknown
  /** Its actions before, if the view alone does not tell rows apart. */
  readonly after?: readonly string[]
  /** The probability of each legal action. */
  readonly policy: Readonly<Record<string, number>>
}

/** An equilibrium of a zero-sum game of two. */
export interface Solution {
  /** What seat 0 gets where both play it: a win is 1, a loss −1, or half the scores' difference. */
  readonly value: number
  /** The best answers' gain, mean of the two seats: 0 but for rounding. */
  readonly exploitability: number
  readonly strategy: readonly StrategyRow[]
  /** Positions, or what seats may know in them, looked at. */
  readonly positions: number
  readonly method: 'backward induction' | 'linear programming'
}

/** What is known of a position, all in what seat 0 gets. */
export interface PositionValue {
  readonly value: number
  /** What each seat's best answer to the other's strategy makes of it. */
  readonly best: readonly [number, number]
}

/** Solves a game of two that hides nothing by backward induction. Throws UserError for too many positions. */
export function solveOpen(definition: GameDefinition, options: Options): Solution {
  const rows: StrategyRow[] = []
  const most = (): void => {
    if (induction.positions() < MOST_POSITIONS) return
    throw new UserError(
      message`${definition.game.id} is too large to be solved: more than ${MOST_POSITIONS.toLocaleString('en-US')} positions; make it smaller with ${option('option')}`,
    )
  }
  const induction = inductionOf(definition, { onNew: most, onSolved: (row) => rows.push(row) })
  const { value, best } = induction.start(options)
  const exploitability = Math.max(0, (best[0] - best[1]) / 2)
  return { value, exploitability, strategy: rows, positions: induction.positions(), method: 'backward induction' }
}

interface Lookers {
  /** Before a new position: what it throws ends the work; all done is kept. */
  onNew(): void
  onSolved?(row: StrategyRow): void
}

/** Solves each position once, from those that follow. `reduced`: an equally good position with fewer behind it. */
export function inductionOf(
  definition: GameDefinition,
  lookers: Lookers,
  reduced: (state: unknown) => unknown = (state) => state,
) {
  const { game } = definition
  const draws = drawsOf(game)
  const worths = new Map<string, PositionValue>()

  /** What comes of something that chance has a part in. */
  function mean(run: (visit: (state: unknown, p: number) => void) => void): PositionValue {
    let [value, first, second] = [0, 0, 0]
    run((state, p) => {
      const worth = worthOf(state)
      value += p * worth.value
      first += p * worth.best[0]
      second += p * worth.best[1]
    })
    return { value, best: [first, second] }
  }

  const after = (state: unknown, moves: Moves<string>): PositionValue =>
    mean((visit) => draws.play(state, moves, visit))

  function worthOf(full: unknown): PositionValue {
    const payoff = draws.payoff(full)
    if (payoff !== undefined) return { value: payoff, best: [payoff, payoff] }
    const state = reduced(full)
    const essences = [0, 1].map((seat) => {
      const view = game.view(state, seat)
      return definition.essence?.(view) ?? view
    })
    const due = game.toMove(state)
    const key = JSON.stringify([definition.essence ? essences : state, due], withoutLuck)
    const known = worths.get(key)
    if (known !== undefined) return known
    lookers.onNew()
    const { legal, table, solved } = choice(state)
    const worth = { value: solved.value, best: answers(table, solved) }
    worths.set(key, worth)
    for (const seat of due) {
      const weights = seat === 0 ? solved.rows : solved.columns
      const policy = Object.fromEntries((legal[seat] ?? []).map((action, i) => [action as string, weights[i] ?? 0]))
      lookers.onSolved?.({ seat, view: essences[seat], policy })
    }
    return worth
  }

  /** A position that is not over as one joint choice: by seat its choices; who is not due does nothing. */
  function choice(state: unknown) {
    const due = game.toMove(state)
    const legal = [0, 1].map((seat) =>
      due.includes(seat) ? allActions(game.legal(game.view(state, seat))) : [undefined],
    )
    const [mine = [], others = []] = legal
    const table = mine.map((a) => others.map((b) => after(state, [a, b] as Moves<string>)))
    return { legal, table, solved: solveMatrix(table.map((row) => row.map(({ value }) => value))) }
  }

  const start = (options: Options): PositionValue => mean((visit) => draws.setup(options, visit))
  return { start, after, worthOf, choice, positions: () => worths.size }
}

/** Each seat's best, as seat 0 counts, while the other holds to its strategy from here on. */
function answers(
  table: readonly (readonly PositionValue[])[],
  { rows, columns }: MatrixSolution,
): readonly [number, number] {
  const against = table.map((row) => row.reduce((sum, { best }, j) => sum + (columns[j] ?? 0) * best[0], 0))
  const others = columns.map((_, j) => table.reduce((sum, row, i) => sum + (rows[i] ?? 0) * (row[j]?.best[1] ?? 0), 0))
  return [Math.max(...against), Math.min(...others)]
}

/** A luck is no part of a position: all it may give is gone through. */
function withoutLuck(_key: string, value: unknown): unknown {
  return isLuck(value) ? undefined : value
}
