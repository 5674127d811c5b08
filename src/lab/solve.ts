import { type GameDefinition, type Options, UserError } from '../core/index.js'
import { type Solution, type StrategyRow, solveOpen } from './open.js'
import { type Knowledge, type RealizationPlan, SEATS, type SequenceForm, answer, gain, sequenceForm } from './tree.js'

/**
 * An equilibrium of a small zero-sum game of two: backward induction if `open`, else linear programming. Throws
 * UserError for others.
 */
export async function solveGame(definition: GameDefinition, options: Options): Promise<Solution> {
  const { game } = definition
  if (game.seats.min > 2 || game.seats.max < 2)
    throw new UserError(`${game.id} cannot be solved: it is not a game of two`)
  const why = game.refuse?.(options, 2)
  if (why !== undefined) throw new UserError(why)
  return definition.open ? solveOpen(definition, options) : solveHidden(definition, options)
}

/** By linear programming in sequence form (Koller, Megiddo, von Stengel 1996), a program for each seat. */
async function solveHidden(definition: GameDefinition, options: Options): Promise<Solution> {
  const form = sequenceForm(definition, options)
  const plans = [await planOf(form, 0), await planOf(form, 1)] as const
  const [most, least] = [answer(form, 0, plans[1]), answer(form, 1, plans[0])]
  return {
    value: gain(form, plans),
    exploitability: Math.max(0, (most - least) / 2),
    strategy: SEATS.flatMap((seat) => rowsOf(form, seat, plans[seat])),
    positions: form.positions,
    method: 'linear programming',
  }
}

/** The plan of a seat that gets most whatever the other does. */
async function planOf(form: SequenceForm, seat: 0 | 1): Promise<RealizationPlan> {
  const other = seat === 0 ? 1 : 0
  const sign = seat === 0 ? 1 : -1
  // A row for each sequence of the other: what it leaves is at most what it comes to.
  const rows: string[][] = Array.from({ length: form.sequences[other] }, () => [])
  form.knowledge[other].forEach(({ parent, first, actions }, i) => {
    rows[parent]?.push(`- v${i + 1}`)
    actions.forEach((_, k) => rows[first + k]?.unshift(`+ v${i + 1}`))
  })
  rows[0]?.unshift('+ v0')
  for (const { at, payoff } of form.ends) if (payoff !== 0) rows[at[other]]?.push(term(-sign * payoff, `x${at[seat]}`))
  const program = [
    'Maximize',
    ' obj: v0',
    'Subject To',
    ...rows.map((terms, i) => ` c${i}: ${terms.join('\n ')} <= 0`),
    ' empty: x0 = 1',
    ...form.knowledge[seat].map(
      ({ parent, first, actions }, i) =>
        ` e${i}: ${actions.map((_, k) => `+ x${first + k}`).join('\n ')}\n - x${parent} = 0`,
    ),
    'Bounds',
    ...[0, ...form.knowledge[other].map((_, i) => i + 1)].map((i) => ` v${i} free`),
    'End',
  ].join('\n')
  const found = await maximum(program)
  return Float64Array.from({ length: form.sequences[seat] }, (_, i) => Math.max(0, found(`x${i}`)))
}

const term = (factor: number, name: string): string => `${factor < 0 ? '-' : '+'} ${Math.abs(factor)} ${name}`

/** A plan as policies: equal chances where the plan never leads, as all is as good. */
function rowsOf({ knowledge }: SequenceForm, seat: 0 | 1, plan: RealizationPlan): StrategyRow[] {
  const counts = new Map<string, number>()
  const keyOf = ({ view }: Knowledge): string => JSON.stringify(view)
  for (const one of knowledge[seat]) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
  return knowledge[seat].map((one) => {
    const weights = one.actions.map((_, i) => plan[one.first + i] ?? 0)
    const sum = weights.reduce((a, b) => a + b, 0)
    const policy = one.actions.map(
      (action, i) => [action, sum < 1e-12 ? 1 / weights.length : (weights[i] ?? 0) / sum] as const,
    )
    const isAlone = counts.get(keyOf(one)) === 1
    return { seat, view: one.view, after: !isAlone ? one.after : undefined, policy: Object.fromEntries(policy) }
  })
}

interface Answer {
  readonly Status: string
  readonly Columns: Readonly<Record<string, { readonly Primal?: number }>>
}
interface Solver {
  solve(program: string, options: Readonly<Record<string, unknown>>): Answer
}

let loading: Promise<Solver> | undefined

/** As exact as the solver can be set to be. */
const EXACT = { primal_feasibility_tolerance: 1e-10, dual_feasibility_tolerance: 1e-10, small_matrix_value: 1e-12 }

/** Solves a program in CPLEX's LP format by HiGHS (Huangfu and Hall 2018): values by name. Throws for no optimum. */
async function maximum(program: string): Promise<(name: string) => number> {
  // Its types say CommonJS, which an import does not see.
  loading ??= import('highs').then((module) => (module.default as unknown as () => Promise<Solver>)())
  const { Status: status, Columns: columns } = (await loading).solve(program, EXACT)
  if (status !== 'Optimal') throw new Error(`the linear program has no optimum: ${status}`)
  return (name) => columns[name]?.Primal ?? 0
}
