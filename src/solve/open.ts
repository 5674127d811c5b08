import {
  type AnyGame,
  type GameDefinition,
  type Moves,
  type Options,
  UserError,
  message,
  option,
} from '../core/index.js'
import { Draws, MOST_POSITIONS } from './draws.js'
import { type MatrixSolution, solveMatrix } from './matrix-game.js'
import type { Solution, StrategyRow } from './solution.js'

/** What is known of a position, all in what seat 0 gets. */
interface Worth {
  readonly value: number
  /** What the best answer of each seat to the other's strategy makes of it. */
  readonly best: readonly [number, number]
}

/**
 * Solves a game of two in which nothing is hidden but what the other chooses at the same time, by backward induction: each position is a
 * game of one joint choice between those that follow. Throws UserError where it has too many positions.
 */
export function solveOpen(definition: GameDefinition, options: Options): Solution {
  return new Induction(definition, options).solution()
}

class Induction {
  private readonly worths = new Map<string, Worth>()
  private readonly rows: StrategyRow[] = []
  private readonly draws: Draws
  private readonly game: AnyGame

  constructor(
    private readonly definition: GameDefinition,
    private readonly options: Options,
  ) {
    this.game = definition.game
    this.draws = new Draws(definition.game)
  }

  solution(): Solution {
    const { value, best } = this.mean((visit) => this.draws.setup(this.options, visit))
    const exploitability = Math.max(0, (best[0] - best[1]) / 2)
    return { value, exploitability, strategy: this.rows, positions: this.worths.size, method: 'backward induction' }
  }

  /** What comes of something that chance has a part in. */
  private mean(run: (visit: (state: unknown, p: number) => void) => void): Worth {
    let [value, first, second] = [0, 0, 0]
    run((state, p) => {
      const worth = this.worthOf(state)
      value += p * worth.value
      first += p * worth.best[0]
      second += p * worth.best[1]
    })
    return { value, best: [first, second] }
  }

  private worthOf(state: unknown): Worth {
    const { game } = this
    const payoff = this.draws.payoff(state)
    if (payoff !== undefined) return { value: payoff, best: [payoff, payoff] }
    const views = [0, 1].map((seat) => game.view(state, seat))
    const essences = views.map((view) => this.definition.essence?.(view) ?? view)
    const key = JSON.stringify([this.definition.essence ? essences : state, game.toMove(state)], withoutLuck)
    const known = this.worths.get(key)
    if (known !== undefined) return known
    if (this.worths.size >= MOST_POSITIONS)
      throw new UserError(
        message`${game.id} is too large to be solved: more than ${MOST_POSITIONS.toLocaleString('en-US')} positions; make it smaller with ${option('option')}`,
      )
    const due = game.toMove(state)
    const legal = views.map((view, seat) => (due.includes(seat) ? game.legal(view) : [undefined]))
    const [mine = [], others = []] = legal
    const table = mine.map((a) =>
      others.map((b) => this.mean((visit) => this.draws.play(state, [a, b] as Moves<string>, visit))),
    )
    const solved = solveMatrix(table.map((row) => row.map(({ value }) => value)))
    const worth = { value: solved.value, best: answers(table, solved) }
    this.worths.set(key, worth)
    for (const seat of due) {
      const weights = seat === 0 ? solved.rows : solved.columns
      const policy = Object.fromEntries((legal[seat] ?? []).map((action, i) => [action as string, weights[i] ?? 0]))
      this.rows.push({ seat, view: essences[seat], policy })
    }
    return worth
  }
}

/** The best that each seat can get, in what seat 0 gets, while the other holds to its strategy here and behind. */
function answers(table: readonly (readonly Worth[])[], { rows, columns }: MatrixSolution): readonly [number, number] {
  const against = table.map((row) => row.reduce((sum, { best }, j) => sum + (columns[j] ?? 0) * best[0], 0))
  const others = columns.map((_, j) => table.reduce((sum, row, i) => sum + (rows[i] ?? 0) * (row[j]?.best[1] ?? 0), 0))
  return [Math.max(...against), Math.min(...others)]
}

/** A luck is not part of a position: what it will give is gone through in any case. */
function withoutLuck(_key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'seed' in value && 'at' in value ? undefined : value
}
