import { type GameDefinition, type Move, type Moves, type Options, isFault } from '../core/index.js'
import { Draws } from './draws.js'
import { Learner } from './learner.js'
import { Induction } from './open.js'
import { type Knowledge, type RealizationPlan, type SequenceForm, bestOf, sequenceForm, sumOfEnds } from './tree.js'

/** What a step of a match was worth, as it is between players who play the rest as well as can be. */
export interface EvaluatedStep {
  /** The share of the match that seat 0 can expect before the step: 1 is a win, ½ a draw or even chances. */
  readonly share: number
  /** By seat: how much of its share the move gives away to who plays an equilibrium; undefined: it was not due. */
  readonly lost: readonly (number | undefined)[]
}

/** A position of a match, with the moves by seat that led to it. */
export interface PlayedStep {
  readonly state: unknown
  readonly moves: readonly (Move<string> | null | undefined)[]
}

/** What the positions and steps of a match are worth; undefined: it is not known. 'later': `goesOn` said no meanwhile. */
export interface EvaluatedCourse {
  share(position: number, goesOn: () => boolean): number | undefined | 'later'
  /** A step from a position that is not over. */
  step(position: number, goesOn: () => boolean): EvaluatedStep | undefined | 'later'
}

/** Evaluates matches of a game. It works in slices, and keeps what it has found from one match to the next. */
export interface MatchEvaluator {
  course(steps: readonly PlayedStep[]): EvaluatedCourse
}

/** What evaluates matches of a game with those options; undefined: its matches cannot be evaluated. */
export function matchEvaluator(definition: GameDefinition, options: Options): MatchEvaluator | undefined {
  const { game, open, small, scoring } = definition
  if (game.seats.min > 2 || game.seats.max < 2) return undefined
  if (open !== true) return small === true ? new HiddenEvaluator(definition, options) : undefined
  const isSmall = small === true || definition.reduced !== undefined
  return isSmall && scoring?.by !== 'score' ? new OpenEvaluator(definition) : undefined
}

const bounded = (share: number): number => Math.min(1, Math.max(0, share))

/** Positions that are looked at for one game without hidden things at most: some seconds. */
const MOST_OPEN = 60_000

/** A game, or a position of it, is too large to be evaluated. */
class TooLarge extends Error {}
/** The time of a slice is up. */
class Pause extends Error {}

/** Evaluates positions and moves of a game of two that hides nothing and is won or lost. */
class OpenEvaluator implements MatchEvaluator {
  private readonly induction: Induction
  private goesOn: () => boolean = () => true

  constructor(private readonly definition: GameDefinition) {
    const onNew = (): void => {
      if (this.induction.positions >= MOST_OPEN) throw new TooLarge()
      if (!this.goesOn()) throw new Pause()
    }
    this.induction = new Induction(definition, { onNew }, (state) => this.smaller(state))
  }

  course(steps: readonly PlayedStep[]): EvaluatedCourse {
    return {
      share: (i, goesOn) => this.within(goesOn, () => this.shareOf(steps[i]?.state)),
      step: (i, goesOn) => this.within(goesOn, () => this.step(steps[i]?.state, steps[i + 1]?.moves ?? [])),
    }
  }

  /** 1, 0 and −1 as 1, ½ and 0. */
  private shareOf(state: unknown): number {
    return bounded((1 + this.induction.worthOf(state).value) / 2)
  }

  private step(state: unknown, moves: PlayedStep['moves']): EvaluatedStep {
    const { induction } = this
    const at = this.smaller(state)
    const { value } = induction.worthOf(at)
    const { legal, solved } = induction.choice(at)
    const due = this.definition.game.toMove(at)
    const lost = [0, 1].map((seat) => {
      const move = moves[seat]
      if (!due.includes(seat) || move === null || move === undefined) return undefined
      // Against the other's equilibrium.
      const weights = seat === 0 ? solved.columns : solved.rows
      const gained = (legal[1 - seat] ?? []).reduce((sum, other, i) => {
        const p = weights[i] ?? 0
        if (p === 0) return sum
        const both = (seat === 0 ? [move, other] : [other, move]) as Moves<string>
        return sum + p * induction.after(at, both).value
      }, 0)
      return Math.max(0, (seat === 0 ? value - gained : gained - value) / 2)
    })
    return { share: this.shareOf(at), lost }
  }

  private smaller(state: unknown): unknown {
    const { definition } = this
    const small = definition.reduced ? definition.reduced(state) : state
    if (small === undefined) throw new TooLarge()
    return small
  }

  private within<T>(goesOn: () => boolean, work: () => T): T | undefined | 'later' {
    this.goesOn = goesOn
    try {
      return work()
    } catch (error) {
      if (error instanceof Pause) return 'later'
      if (error instanceof TooLarge) return undefined
      throw error
    }
  }
}

/** Positions of a game that hides something and is evaluated, at most: a moment to go through. */
const MOST_HIDDEN = 30_000
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
class HiddenEvaluator implements MatchEvaluator {
  private learner: Learner | undefined
  private equilibrium: Equilibrium | undefined

  constructor(
    private readonly definition: GameDefinition,
    private readonly options: Options,
  ) {}

  course(steps: readonly PlayedStep[]): EvaluatedCourse {
    let course: HiddenCourse | undefined
    const asked = <T>(goesOn: () => boolean, ask: (course: HiddenCourse) => T): T | 'later' => {
      const equilibrium = this.learn(goesOn)
      if (equilibrium === undefined) return 'later'
      return ask((course ??= new HiddenCourse(this.definition, equilibrium, steps)))
    }
    return {
      share: (i, goesOn) => asked(goesOn, (found) => found.share(i)),
      step: (i, goesOn) => asked(goesOn, (found) => found.step(i)),
    }
  }

  /** Undefined: there was no time to learn all of it. */
  private learn(goesOn: () => boolean): Equilibrium | undefined {
    if (this.equilibrium !== undefined) return this.equilibrium
    const learner = (this.learner ??= new Learner(sequenceForm(this.definition, this.options, MOST_HIDDEN)))
    const isLearnt = (): boolean =>
      learner.rounds >= ROUNDS || (learner.rounds > 0 && learner.rounds % LOOK === 0 && learner.error() <= EXACT)
    while (!isLearnt()) {
      if (!goesOn()) return undefined
      learner.round()
    }
    return (this.equilibrium = new Equilibrium(learner.form, learner.found()))
  }
}

class Equilibrium {
  private readonly worths: readonly [RealizationPlan, RealizationPlan]
  private readonly reaches: readonly [RealizationPlan, RealizationPlan]

  constructor(
    readonly form: SequenceForm,
    private readonly plans: readonly [RealizationPlan, RealizationPlan],
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
    return reach < TINY ? undefined : actions.map((_, i) => (this.worths[own][first + i] ?? 0) / reach)
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
    private readonly equilibrium: Equilibrium,
    private readonly steps: readonly PlayedStep[],
  ) {
    this.draws = new Draws(definition.game)
    for (let i = 0; i + 1 < steps.length; i++) {
      const at = this.places[i] as At
      const due = definition.game.toMove(steps[i]?.state)
      const [mine, others] = [0, 1].map((seat) => {
        if (!due.includes(seat)) return at[seat]
        const played = this.played(i, seat, at)
        return played && played.knowledge.first + played.index
      })
      if (mine === undefined || others === undefined) break
      this.places.push([mine, others])
    }
  }

  share(i: number): number | undefined {
    const at = this.places[i]
    if (at === undefined) return undefined
    const [least, most] = this.equilibrium.form.range
    return bounded((this.worth(this.draws.fresh(this.steps[i]?.state), at) - least) / (most - least))
  }

  step(i: number): EvaluatedStep | undefined {
    const [share, at] = [this.share(i), this.places[i]]
    if (share === undefined || at === undefined) return undefined
    const [least, most] = this.equilibrium.form.range
    const lost = [0, 1].map((seat) => {
      const played = this.played(i, seat, at)
      const gains = played && this.equilibrium.gains(played.knowledge)
      return gains && Math.max(0, (Math.max(...gains) - (gains[played.index] ?? 0)) / (most - least))
    })
    return { share, lost }
  }

  /** What seat 0 gets of a position where both play on as the equilibrium does. */
  private worth(state: unknown, at: At): number {
    const payoff = this.draws.payoff(state)
    if (payoff !== undefined) return payoff
    const [mine = [], others = []] = [0, 1].map((seat) => {
      const knowledge = this.knows(state, seat, at)
      if (knowledge === undefined) return [{ p: 1, move: undefined, next: at[seat] ?? 0 }]
      return this.equilibrium
        .policy(knowledge)
        .map((p, k) => ({ p, move: knowledge.actions[k], next: knowledge.first + k }))
    })
    let sum = 0
    for (const a of mine) {
      for (const b of others) {
        const p = a.p * b.p
        if (p === 0) continue
        const moves = [a.move, b.move] as Moves<string>
        this.draws.play(state, moves, (after, chance) => (sum += p * chance * this.worth(after, [a.next, b.next])))
      }
    }
    return sum
  }

  /** What a seat knows; undefined: it is not due. */
  private knows(state: unknown, seat: number, at: At): Knowledge | undefined {
    const { game } = this.definition
    return game.toMove(state).includes(seat)
      ? this.equilibrium.form.find(seat, at[seat] ?? 0, game.view(state, seat))
      : undefined
  }

  /** What a seat knew that was due at a position, and which of its actions it took; a fault counts as what it came to. */
  private played(i: number, seat: number, at: At) {
    const [now, next] = [this.steps[i], this.steps[i + 1]]
    const knowledge = this.knows(now?.state, seat, at)
    const move = next?.moves[seat]
    if (knowledge === undefined || move === undefined || move === null) return undefined
    const came = JSON.stringify(next?.state)
    const comesTo = (action: string): boolean => {
      const moves = (next?.moves ?? []).map((other, who) => (who === seat ? action : (other ?? undefined)))
      return JSON.stringify(this.definition.game.play(now?.state, moves)) === came
    }
    const index = isFault(move) ? knowledge.actions.findIndex(comesTo) : knowledge.actions.indexOf(move)
    return index < 0 ? undefined : { knowledge, index }
  }
}
