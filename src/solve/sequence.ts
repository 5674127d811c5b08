import type { GameDefinition, Options } from '../core/index.js'
import { maximum } from './highs.js'
import type { Solution, StrategyRow } from './solution.js'
import { type Knowledge, type SequenceForm, sequenceForm } from './tree.js'

/** By sequence of a seat: how probable the seat makes it. */
export type Plan = Float64Array

/**
 * Solves a game of two in which something is hidden, by linear programming in sequence form (Koller, Megiddo and von Stengel 1996): a
 * program for each seat, whose unknowns are the probabilities of its sequences.
 */
export async function solveHidden(definition: GameDefinition, options: Options): Promise<Solution> {
  const form = sequenceForm(definition, options)
  const plans = [await planOf(form, 0), await planOf(form, 1)] as const
  const [most, least] = [answer(form, 0, plans[1]), answer(form, 1, plans[0])]
  return {
    value: gain(form, plans),
    exploitability: Math.max(0, (most - least) / 2),
    strategy: [0, 1].flatMap((seat) => rowsOf(form, seat === 0 ? 0 : 1, plans[seat === 0 ? 0 : 1])),
    positions: form.positions,
    method: 'linear programming',
  }
}

/** What each seat's best answer to a policy gets, in what seat 0 gets: to seat 1's by seat 0, and to seat 0's by seat 1. */
export function answersTo(
  form: SequenceForm,
  policy: (knowledge: Knowledge) => readonly number[],
): readonly [number, number] {
  const [mine, others] = [0, 1].map((seat) => {
    const own = seat === 0 ? 0 : 1
    const plan = new Float64Array(form.sequences[own])
    plan[0] = 1
    for (const knowledge of form.knowledge[own])
      policy(knowledge).forEach((p, i) => (plan[knowledge.first + i] = p * (plan[knowledge.parent] ?? 0)))
    return plan
  }) as [Plan, Plan]
  return [answer(form, 0, others), answer(form, 1, mine)]
}

/** The plan of a seat that gets most whatever the other does. */
async function planOf(form: SequenceForm, seat: 0 | 1): Promise<Plan> {
  const other = seat === 0 ? 1 : 0
  const sign = seat === 0 ? 1 : -1
  // A row for each sequence of the other: what it leaves of the gain is no more than what it comes to.
  const rows: string[][] = Array.from({ length: form.sequences[other] }, () => [])
  form.knowledge[other].forEach(({ parent, first, actions }, i) => {
    rows[parent]?.push(`- v${i + 1}`)
    actions.forEach((_, k) => rows[first + k]?.unshift(`+ v${i + 1}`))
  })
  rows[0]?.unshift('+ v0')
  for (const [mine, others] of form.payoffs) {
    for (const [theirs, payoff] of others) {
      const [own, at] = seat === 0 ? [mine, theirs] : [theirs, mine]
      if (payoff !== 0) rows[at]?.push(term(-sign * payoff, `x${own}`))
    }
  }
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

/** What seat 0 gets by two plans. */
function gain({ payoffs }: SequenceForm, [mine, others]: readonly [Plan, Plan]): number {
  let sum = 0
  for (const [a, row] of payoffs) for (const [b, payoff] of row) sum += (mine[a] ?? 0) * (others[b] ?? 0) * payoff
  return sum
}

/** The best that a seat can make of the other's plan, in what seat 0 gets. */
function answer({ knowledge, sequences, payoffs }: SequenceForm, seat: 0 | 1, plan: Plan): number {
  const worth = new Float64Array(sequences[seat])
  for (const [a, row] of payoffs) {
    for (const [b, payoff] of row) {
      if (seat === 0) worth[a] = (worth[a] ?? 0) + payoff * (plan[b] ?? 0)
      else worth[b] = (worth[b] ?? 0) + payoff * (plan[a] ?? 0)
    }
  }
  const best = seat === 0 ? Math.max : Math.min
  // What is known later stands later: from the last, all that follows is worked out before what it follows from.
  for (const { parent, first, actions } of knowledge[seat].toReversed())
    worth[parent] = (worth[parent] ?? 0) + best(...worth.subarray(first, first + actions.length))
  return worth[0] ?? 0
}

/** A plan as policies. Where the plan itself never leads, all actions are as good: each is as probable. */
function rowsOf({ knowledge }: SequenceForm, seat: 0 | 1, plan: Plan): StrategyRow[] {
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
    return { seat, view: one.view, ...(!isAlone && { after: one.after }), policy: Object.fromEntries(policy) }
  })
}
