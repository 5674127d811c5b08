import { type RealizationPlan, SEATS, type SequenceForm, answer, sumOfEnds } from './tree.js'

export type Learner = ReturnType<typeof learnerOf>

/**
 * Learns an equilibrium by rounds, without a solver: regret matching⁺, linear averages, seats in turn (Tammelin 2014).
 */
export function learnerOf(form: SequenceForm) {
  const empty = (): readonly [RealizationPlan, RealizationPlan] => [
    new Float64Array(form.sequences[0]),
    new Float64Array(form.sequences[1]),
  ]
  /** By seat and sequence: regrets; and the sum of plans, each times its round. */
  const [regrets, sums, plans] = [empty(), empty(), empty()]
  let rounds = 0

  /** Each action's regret grows by its gain above what the seat played, never below none. */
  function regret(seat: 0 | 1): void {
    const own = regrets[seat]
    const worth = sumOfEnds(form, seat, plans[seat === 0 ? 1 : 0], ({ payoff }) => (seat === 0 ? payoff : -payoff))
    for (const { parent, first, actions } of form.knowledge[seat].toReversed()) {
      const weights = weightsOf(own, first, actions.length)
      const value = weights.reduce((sum, weight, i) => sum + weight * (worth[first + i] as number), 0)
      for (let i = first; i < first + actions.length; i++)
        own[i] = Math.max(0, (own[i] as number) + (worth[i] as number) - value)
      worth[parent] = (worth[parent] as number) + value
    }
  }

  function follow(seat: 0 | 1): void {
    const plan = plans[seat]
    plan[0] = 1
    for (const { parent, first, actions } of form.knowledge[seat])
      weightsOf(regrets[seat], first, actions.length).forEach((weight, i) => {
        plan[first + i] = weight * (plan[parent] as number)
      })
  }

  function round(): void {
    rounds++
    for (const seat of SEATS) {
      regret(seat)
      follow(seat)
      const [sum, plan] = [sums[seat], plans[seat]]
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + rounds * (plan[i] as number)
    }
  }

  /** The plans so far, which come to be an equilibrium. */
  function found(): readonly [RealizationPlan, RealizationPlan] {
    if (rounds === 0) return plans
    const total = (rounds * (rounds + 1)) / 2
    return [sums[0].map((sum) => sum / total), sums[1].map((sum) => sum / total)]
  }

  /** Best answers' gain against the plans so far, as a share of all there is to win. */
  function error(): number {
    const [mine, others] = found()
    const [least, most] = form.range
    return (answer(form, 0, others) - answer(form, 1, mine)) / (2 * (most - least || 1))
  }

  for (const seat of SEATS) follow(seat)
  return { form, round, found, error, rounds: () => rounds }
}

/** Regrets as probabilities; equal ones where nothing is regretted. */
function weightsOf(regrets: RealizationPlan, first: number, length: number): readonly number[] {
  let sum = 0
  for (let i = first; i < first + length; i++) sum += regrets[i] as number
  return Array.from({ length }, (_, i) => (sum > 0 ? (regrets[first + i] as number) / sum : 1 / length))
}
