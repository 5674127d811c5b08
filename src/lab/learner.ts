import { type RealizationPlan, type SequenceForm, answer, sumOfEnds } from './tree.js'

/**
 * Learns an equilibrium of a game in sequence form, a round after the other: regret matching⁺ with linear averages, the seats in turn (Tammelin
 * 2014). It needs no solver of linear programs, so that a page can do it, and is as exact as it has time.
 */
export class Learner {
  /** By seat and sequence: what is regretted; and the sum of the plans so far, each times its round. */
  private readonly regrets: readonly [RealizationPlan, RealizationPlan]
  private readonly sums: readonly [RealizationPlan, RealizationPlan]
  private readonly plans: readonly [RealizationPlan, RealizationPlan]
  rounds = 0

  constructor(readonly form: SequenceForm) {
    const empty = (): readonly [RealizationPlan, RealizationPlan] => [
      new Float64Array(form.sequences[0]),
      new Float64Array(form.sequences[1]),
    ]
    this.regrets = empty()
    this.sums = empty()
    this.plans = empty()
    for (const seat of SEATS) this.follow(seat)
  }

  round(): void {
    this.rounds++
    for (const seat of SEATS) {
      this.regret(seat)
      this.follow(seat)
      const [sum, plan] = [this.sums[seat], this.plans[seat]]
      for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + this.rounds * (plan[i] as number)
    }
  }

  /** The plans so far, which come to be an equilibrium. */
  found(): readonly [RealizationPlan, RealizationPlan] {
    if (this.rounds === 0) return this.plans
    const total = (this.rounds * (this.rounds + 1)) / 2
    const [mine, others] = this.sums
    return [mine.map((sum) => sum / total), others.map((sum) => sum / total)]
  }

  /** What best answers to the plans so far gain, as a share of all that there is to win. */
  error(): number {
    const { form } = this
    const plans = this.found()
    const [least, most] = form.range
    return (answer(form, 0, plans[1]) - answer(form, 1, plans[0])) / (2 * (most - least || 1))
  }

  /** Each action's regret grows by what it would have gained above what the seat played, and never falls below none. */
  private regret(seat: 0 | 1): void {
    const regrets = this.regrets[seat]
    const other = this.plans[seat === 0 ? 1 : 0]
    const worth = sumOfEnds(this.form, seat, other, ({ payoff }) => (seat === 0 ? payoff : -payoff))
    for (const { parent, first, actions } of this.form.knowledge[seat].toReversed()) {
      const weights = weightsOf(regrets, first, actions.length)
      const value = weights.reduce((sum, weight, i) => sum + weight * (worth[first + i] as number), 0)
      for (let i = first; i < first + actions.length; i++)
        regrets[i] = Math.max(0, (regrets[i] as number) + (worth[i] as number) - value)
      worth[parent] = (worth[parent] as number) + value
    }
  }

  private follow(seat: 0 | 1): void {
    const plan = this.plans[seat]
    plan[0] = 1
    for (const { parent, first, actions } of this.form.knowledge[seat])
      weightsOf(this.regrets[seat], first, actions.length).forEach((weight, i) => {
        plan[first + i] = weight * (plan[parent] as number)
      })
  }
}

const SEATS = [0, 1] as const

/** Regrets as probabilities; where nothing is regretted, all are alike. */
function weightsOf(regrets: RealizationPlan, first: number, length: number): readonly number[] {
  let sum = 0
  for (let i = first; i < first + length; i++) sum += regrets[i] as number
  return Array.from({ length }, (_, i) => (sum > 0 ? (regrets[first + i] as number) / sum : 1 / length))
}
