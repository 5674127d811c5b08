import type { Knowledge, SequenceForm } from './tree.js'

/** By sequence of a seat: how probable the seat makes it. */
export type RealizationPlan = Float64Array

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
  }) as [RealizationPlan, RealizationPlan]
  return [answer(form, 0, others), answer(form, 1, mine)]
}

/** What seat 0 gets by two plans. */
export function gain({ payoffs }: SequenceForm, [mine, others]: readonly [RealizationPlan, RealizationPlan]): number {
  let sum = 0
  for (const [a, row] of payoffs) for (const [b, payoff] of row) sum += (mine[a] ?? 0) * (others[b] ?? 0) * payoff
  return sum
}

/** The best that a seat can make of the other's plan, in what seat 0 gets. */
export function answer({ knowledge, sequences, payoffs }: SequenceForm, seat: 0 | 1, plan: RealizationPlan): number {
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
