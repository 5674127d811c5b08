import { type GameDefinition, type Moves, type Options, isFault } from '../core/index.js'
import { Draws } from './draws.js'
import type { EvaluatedCourse, EvaluatedStep, MatchEvaluator, PlayedStep } from './evaluated.js'
import { Learner } from './learner.js'
import { type Knowledge, type RealizationPlan, type SequenceForm, bestOf, sequenceForm, sumOfEnds } from './tree.js'

/** Positions of a game that is evaluated at most: a moment to go through. */
const MOST = 30_000
/** The error with which an equilibrium is exact enough, as a share of all that there is to win; and rounds at most. */
const EXACT = 0.0005
const ROUNDS = 4000
/** Rounds between two looks at the error. */
const LOOK = 100
/** An equilibrium does not reach positions that are less probable: what its player would believe there is not determined. */
const TINY = 1e-6

/**
 * Evaluates matches of a small game in which something is hidden: a position by what both get of it who play an equilibrium, each knowing its
 * own; a move by what the seat could believe that made it.
 */
export class HiddenEvaluator implements MatchEvaluator {
  private learner: Learner | undefined
  private known: Known | undefined

  constructor(
    private readonly definition: GameDefinition,
    private readonly options: Options,
  ) {}

  course(steps: readonly PlayedStep[]): EvaluatedCourse {
    let course: HiddenCourse | undefined
    const asked = <T>(goesOn: () => boolean, ask: (course: HiddenCourse) => T): T | 'later' => {
      const known = this.learn(goesOn)
      return known === undefined ? 'later' : ask((course ??= new HiddenCourse(this.definition, known, steps)))
    }
    return {
      share: (i, goesOn) => asked(goesOn, (open) => open.share(i)),
      step: (i, goesOn) => asked(goesOn, (open) => open.step(i)),
    }
  }

  /** Undefined: there was no time to learn all of it. */
  private learn(goesOn: () => boolean): Known | undefined {
    if (this.known !== undefined) return this.known
    const learner = (this.learner ??= new Learner(sequenceForm(this.definition, this.options, MOST)))
    const isLearnt = (): boolean =>
      learner.rounds >= ROUNDS || (learner.rounds > 0 && learner.rounds % LOOK === 0 && learner.error() <= EXACT)
    while (!isLearnt()) {
      if (!goesOn()) return undefined
      learner.round()
    }
    return (this.known = new Known(learner.form, learner.found()))
  }
}

class Known {
  private readonly worths: readonly [RealizationPlan, RealizationPlan]
  private readonly reaches: readonly [RealizationPlan, RealizationPlan]

  constructor(
    readonly form: SequenceForm,
    readonly plans: readonly [RealizationPlan, RealizationPlan],
  ) {
    this.worths = [bestOf(form, 0, plans[1]), bestOf(form, 1, plans[0])]
    this.reaches = [reachOf(form, 0, plans[1]), reachOf(form, 1, plans[0])]
  }

  /** How probable a seat makes each of its actions. */
  policy(knowledge: Knowledge): readonly number[] {
    const { seat, first, parent, actions } = knowledge
    const plan = this.plans[seat === 0 ? 0 : 1]
    const before = plan[parent] ?? 0
    if (before > TINY) return actions.map((_, i) => (plan[first + i] ?? 0) / before)
    // It has gone where its plan never leads: from there it does what is best, as far as that is known.
    const gains = this.gains(knowledge)
    const best = gains && gains.indexOf(Math.max(...gains))
    return actions.map((_, i) => (best === undefined ? 1 / actions.length : Number(i === best)))
  }

  /** By action: what it gains against the other's equilibrium, in what the seat gets; undefined: the other never lets it come to that. */
  gains({ seat, first, actions }: Knowledge): readonly number[] | undefined {
    const own = seat === 0 ? 0 : 1
    const reach = this.reaches[own][first] ?? 0
    if (reach < TINY) return undefined
    return actions.map((_, i) => (this.worths[own][first + i] ?? 0) / reach)
  }
}

/** By sequence: how probable the other and chance make it. */
function reachOf(form: SequenceForm, seat: 0 | 1, other: RealizationPlan): RealizationPlan {
  const reach = sumOfEnds(form, seat, other, ({ chance }) => chance)
  // Whatever the seat does there, as much lies behind it.
  for (const { parent, first } of form.knowledge[seat].toReversed())
    reach[parent] = (reach[parent] ?? 0) + (reach[first] ?? 0)
  return reach
}

/** By seat the sequence that leads to a position. */
type At = readonly [number, number]

/** A match that is followed through the sequences of both seats. */
class HiddenCourse {
  private readonly draws: Draws
  /** By position; shorter where the next one cannot be reached. */
  private readonly places: At[] = [[0, 0]]

  constructor(
    private readonly definition: GameDefinition,
    private readonly known: Known,
    private readonly steps: readonly PlayedStep[],
  ) {
    this.draws = new Draws(definition.game)
    for (let i = 0; i + 1 < steps.length; i++) {
      const next = this.after(i)
      if (next === undefined) break
      this.places.push(next)
    }
  }

  share(i: number): number | undefined {
    const at = this.places[i]
    if (at === undefined) return undefined
    const [least, most] = this.known.form.range
    return bounded((this.worth(this.draws.fresh(this.steps[i]?.state), at) - least) / (most - least))
  }

  step(i: number): EvaluatedStep | undefined {
    const [share, at] = [this.share(i), this.places[i]]
    if (share === undefined || at === undefined) return undefined
    const { form } = this.known
    const width = form.range[1] - form.range[0]
    const lost = [0, 1].map((seat) => {
      const found = this.played(i, seat, at)
      const gains = found && this.known.gains(found.knowledge)
      return gains && Math.max(0, (Math.max(...gains) - (gains[found.index] ?? 0)) / width)
    })
    return { share, lost }
  }

  /** What seat 0 gets of a position where both play on as the equilibrium does. */
  private worth(state: unknown, at: At): number {
    const payoff = this.draws.payoff(state)
    if (payoff !== undefined) return payoff
    const [mine, others] = this.knowing(state, at).map((knowledge, seat) =>
      knowledge === undefined
        ? [{ p: 1, move: undefined, next: at[seat] ?? 0 }]
        : this.known.policy(knowledge).map((p, k) => ({ p, move: knowledge.actions[k], next: knowledge.first + k })),
    )
    let sum = 0
    for (const a of mine ?? []) {
      for (const b of others ?? []) {
        const p = a.p * b.p
        if (p === 0) continue
        const moves = [a.move, b.move] as Moves<string>
        this.draws.play(state, moves, (after, chance) => (sum += p * chance * this.worth(after, [a.next, b.next])))
      }
    }
    return sum
  }

  /** What each seat that is due knows. */
  private knowing(state: unknown, at: At): readonly (Knowledge | undefined)[] {
    const { game } = this.definition
    const due = game.toMove(state)
    return [0, 1].map((seat) =>
      due.includes(seat) ? this.known.form.find(seat, at[seat] ?? 0, game.view(state, seat)) : undefined,
    )
  }

  /** The sequences behind a step. */
  private after(i: number): At | undefined {
    const at = this.places[i] as At
    const { game } = this.definition
    const due = game.toMove(this.steps[i]?.state)
    const next = [0, 1].map((seat) => {
      if (!due.includes(seat)) return at[seat]
      const found = this.played(i, seat, at)
      return found && found.knowledge.first + found.index
    })
    return next[0] === undefined || next[1] === undefined ? undefined : [next[0], next[1]]
  }

  /** What a seat knew that was due at a position, and which of its actions it took; a fault counts as what it came to. */
  private played(
    i: number,
    seat: number,
    at: At,
  ): { readonly knowledge: Knowledge; readonly index: number } | undefined {
    const [now, after] = [this.steps[i], this.steps[i + 1]]
    const knowledge = this.knowing(now?.state, at)[seat]
    const move = after?.moves[seat]
    if (knowledge === undefined || move === undefined || move === null) return undefined
    const came = JSON.stringify(after?.state)
    const index = isFault(move)
      ? knowledge.actions.findIndex((action) => JSON.stringify(this.instead(i, seat, action)) === came)
      : knowledge.actions.indexOf(move)
    return index < 0 ? undefined : { knowledge, index }
  }

  /** What a position had come to with another move of a seat. */
  private instead(i: number, seat: number, action: string): unknown {
    const moves = (this.steps[i + 1]?.moves ?? []).map((move, one) => (one === seat ? action : (move ?? undefined)))
    return this.definition.game.play(this.steps[i]?.state, moves)
  }
}

const bounded = (share: number): number => Math.min(1, Math.max(0, share))
