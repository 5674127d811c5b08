import { type GameDefinition, type Move, type Moves, type Options, isFault } from '../core/index.js'
import { drawsOf } from './draws.js'
import { type Learner, learnerOf } from './learner.js'
import { inductionOf } from './open.js'
import { type Knowledge, type RealizationPlan, type SequenceForm, bestOf, sequenceForm, sumOfEnds } from './tree.js'

/** What a match's step was worth between players who play the rest as well as can be. */
export interface EvaluatedStep {
  /** Seat 0's expected share of the match before the step: 1 a win, ½ a draw or even chances. */
  readonly share: number
  /** By seat: the share that its move gives away to an equilibrium player; undefined: not due. */
  readonly lost: readonly (number | undefined)[]
}

/** A position, with the moves by seat that led to it. */
export interface PlayedStep {
  readonly state: unknown
  readonly moves: readonly (Move<string> | null | undefined)[]
}

/** What positions and steps are worth; undefined: unknown. 'later': `goesOn` said no meanwhile. */
export interface EvaluatedCourse {
  share(position: number, goesOn: () => boolean): number | undefined | 'later'
  /** A step from a position that is not over. */
  step(position: number, goesOn: () => boolean): EvaluatedStep | undefined | 'later'
}

/** Evaluates a game's matches, in slices; keeps what it found for the next match. */
export interface MatchEvaluator {
  course(steps: readonly PlayedStep[]): EvaluatedCourse
}

/** What positions are worth to seat 0, and what each move gave away, by position and seat; null: unknown. */
export interface EvaluatedMatch {
  readonly shares: readonly (number | null)[]
  readonly lost: readonly (readonly (number | null)[])[]
}

/** Evaluates all positions, last first. Yields after each: false if `goesOn` said no. Undefined: none known. */
export function* evaluating(
  course: EvaluatedCourse,
  positions: number,
  goesOn: () => boolean = () => true,
): Generator<boolean, EvaluatedMatch | undefined> {
  const shares: (number | null)[] = []
  const lost: (readonly (number | null)[])[] = []
  for (let at = positions - 1; at >= 0;) {
    const share = course.share(at, goesOn)
    const step = at > 0 ? course.step(at - 1, goesOn) : undefined
    const isLater = share === 'later' || step === 'later'
    if (!isLater) {
      shares[at] = share ?? null
      lost[at] = step?.lost.map((own) => own ?? null) ?? []
      at--
    }
    yield !isLater
  }
  return shares.some((share) => share !== null) ? { shares, lost } : undefined
}

/** By game and options: a match need not look for what another found. */
const evaluators = new WeakMap<GameDefinition, Map<string, MatchEvaluator | undefined>>()

/** Evaluates matches of a game with those options; undefined: it cannot. */
export function matchEvaluator(definition: GameDefinition, options: Options): MatchEvaluator | undefined {
  const own = evaluators.get(definition) ?? new Map<string, MatchEvaluator | undefined>()
  evaluators.set(definition, own)
  const key = JSON.stringify(options)
  if (!own.has(key)) own.set(key, newEvaluator(definition, options))
  return own.get(key)
}

function newEvaluator(definition: GameDefinition, options: Options): MatchEvaluator | undefined {
  const { game, open, small, scoring } = definition
  if (game.seats.min > 2 || game.seats.max < 2) return undefined
  if (open !== true) return small === true ? hiddenEvaluator(definition, options) : undefined
  const isSmall = small === true || definition.reduced !== undefined
  return isSmall && scoring?.by !== 'score' ? openEvaluator(definition) : undefined
}

const bounded = (share: number): number => Math.min(1, Math.max(0, share))

/** Positions to look at for a game without hidden things at most: some seconds. */
const MOST_OPEN = 60_000

/** A game, or a position of it, is too large to be evaluated. */
class TooLarge extends Error {}
/** The time of a slice is up. */
class Pause extends Error {}

/** Evaluates a game of two that hides nothing and is won or lost. */
function openEvaluator(definition: GameDefinition): MatchEvaluator {
  let isGoing = (): boolean => true
  const onNew = (): void => {
    if (induction.positions() >= MOST_OPEN) throw new TooLarge()
    if (!isGoing()) throw new Pause()
  }
  const smaller = (state: unknown): unknown => {
    const small = definition.reduced ? definition.reduced(state) : state
    if (small === undefined) throw new TooLarge()
    return small
  }
  const induction = inductionOf(definition, { onNew }, smaller)
  /** 1, 0 and −1 as 1, ½ and 0. */
  const shareOf = (state: unknown): number => bounded((1 + induction.worthOf(state).value) / 2)

  function stepOf(state: unknown, moves: PlayedStep['moves']): EvaluatedStep {
    const at = smaller(state)
    const { value } = induction.worthOf(at)
    const { legal, solved } = induction.choice(at)
    const due = definition.game.toMove(at)
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
    return { share: shareOf(at), lost }
  }

  function within<T>(goesOn: () => boolean, work: () => T): T | undefined | 'later' {
    isGoing = goesOn
    try {
      return work()
    } catch (error) {
      if (error instanceof Pause) return 'later'
      if (error instanceof TooLarge) return undefined
      throw error
    }
  }

  return {
    course: (steps) => ({
      share: (i, goesOn) => within(goesOn, () => shareOf(steps[i]?.state)),
      step: (i, goesOn) => within(goesOn, () => stepOf(steps[i]?.state, steps[i + 1]?.moves ?? [])),
    }),
  }
}

/** Positions at most of an evaluated game with hidden things: a moment. */
const MOST_HIDDEN = 30_000
/** An equilibrium's accepted error, as a share of all there is to win; and rounds at most. */
const EXACT = 0.0005
const ROUNDS = 4000
/** Rounds between two looks at the error. */
const LOOK = 100
/** An equilibrium does not reach less probable positions: what its player would believe there is undetermined. */
const TINY = 1e-6

/** Small games that hide something: positions by what an equilibrium gets, moves by what a seat could believe. */
function hiddenEvaluator(definition: GameDefinition, options: Options): MatchEvaluator {
  let learner: Learner | undefined
  let equilibrium: Equilibrium | undefined
  /** Undefined: there was no time to learn all of it. */
  const learnt = (goesOn: () => boolean): Equilibrium | undefined => {
    if (equilibrium !== undefined) return equilibrium
    learner ??= learnerOf(sequenceForm(definition, options, MOST_HIDDEN))
    const isLearnt = (own: Learner): boolean =>
      own.rounds() >= ROUNDS || (own.rounds() > 0 && own.rounds() % LOOK === 0 && own.error() <= EXACT)
    while (!isLearnt(learner)) {
      if (!goesOn()) return undefined
      learner.round()
    }
    return (equilibrium = equilibriumOf(learner.form, learner.found()))
  }
  return {
    course(steps) {
      let course: ReturnType<typeof hiddenCourse> | undefined
      const asked = <T>(goesOn: () => boolean, ask: (found: NonNullable<typeof course>) => T): T | 'later' => {
        const found = learnt(goesOn)
        return found === undefined ? 'later' : ask((course ??= hiddenCourse(definition, found, steps)))
      }
      return {
        share: (i, goesOn) => asked(goesOn, (found) => found.share(i)),
        step: (i, goesOn) => asked(goesOn, (found) => found.step(i)),
      }
    },
  }
}

type Equilibrium = ReturnType<typeof equilibriumOf>

function equilibriumOf(form: SequenceForm, plans: readonly [RealizationPlan, RealizationPlan]) {
  const worths = [bestOf(form, 0, plans[1]), bestOf(form, 1, plans[0])] as const
  const reaches = [reachOf(form, 0, plans[1]), reachOf(form, 1, plans[0])] as const

  /** By action: its gain against the other's equilibrium, as the seat counts; undefined: the other prevents it. */
  function gains({ seat, first, actions }: Knowledge): readonly number[] | undefined {
    const reach = reaches[seat][first] ?? 0
    return reach < TINY ? undefined : actions.map((_, i) => (worths[seat][first + i] ?? 0) / reach)
  }

  /** How probable a seat makes each of its actions. */
  function policy(knowledge: Knowledge): readonly number[] {
    const { seat, first, parent, actions } = knowledge
    const plan = plans[seat]
    const before = plan[parent] ?? 0
    if (before > TINY) return actions.map((_, i) => (plan[first + i] ?? 0) / before)
    // Where its plan never leads it does what is best, as far as known.
    const own = gains(knowledge)
    const best = own && own.indexOf(Math.max(...own))
    return actions.map((_, i) => (best === undefined ? 1 / actions.length : Number(i === best)))
  }

  return { form, gains, policy }
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

/** A match, followed through both seats' sequences. */
function hiddenCourse({ game }: GameDefinition, equilibrium: Equilibrium, steps: readonly PlayedStep[]) {
  const { form, gains, policy } = equilibrium
  const [least, most] = form.range
  const draws = drawsOf(game)

  /** What a seat knows; undefined: it is not due. */
  const knows = (state: unknown, seat: number, at: At): Knowledge | undefined =>
    game.toMove(state).includes(seat) ? form.find(seat, at[seat] ?? 0, game.view(state, seat)) : undefined

  /** What a seat due at a position knew, and the action it took; a fault counts as what it became. */
  function playedAt(i: number, seat: number, at: At) {
    const [now, next] = [steps[i], steps[i + 1]]
    const knowledge = knows(now?.state, seat, at)
    const move = next?.moves[seat]
    if (knowledge === undefined || move === undefined || move === null) return undefined
    const came = JSON.stringify(next?.state)
    const comesTo = (action: string): boolean => {
      const moves = (next?.moves ?? []).map((other, who) => (who === seat ? action : (other ?? undefined)))
      return JSON.stringify(game.play(now?.state, moves)) === came
    }
    const index = isFault(move) ? knowledge.actions.findIndex(comesTo) : knowledge.actions.indexOf(move)
    return index < 0 ? undefined : { knowledge, index }
  }

  /** What seat 0 gets of a position where both play the equilibrium on. */
  function worth(state: unknown, at: At): number {
    const payoff = draws.payoff(state)
    if (payoff !== undefined) return payoff
    const [mine = [], others = []] = [0, 1].map((seat) => {
      const knowledge = knows(state, seat, at)
      if (knowledge === undefined) return [{ p: 1, move: undefined, next: at[seat] ?? 0 }]
      return policy(knowledge).map((p, k) => ({ p, move: knowledge.actions[k], next: knowledge.first + k }))
    })
    let sum = 0
    for (const a of mine) {
      for (const b of others) {
        const p = a.p * b.p
        if (p === 0) continue
        const moves = [a.move, b.move] as Moves<string>
        draws.play(state, moves, (after, chance) => (sum += p * chance * worth(after, [a.next, b.next])))
      }
    }
    return sum
  }

  /** By position; shorter where the next one cannot be reached. */
  const places: At[] = [[0, 0]]
  for (let i = 0; i + 1 < steps.length; i++) {
    const at = places[i] as At
    const due = game.toMove(steps[i]?.state)
    const [mine, others] = [0, 1].map((seat) => {
      if (!due.includes(seat)) return at[seat]
      const played = playedAt(i, seat, at)
      return played && played.knowledge.first + played.index
    })
    if (mine === undefined || others === undefined) break
    places.push([mine, others])
  }

  const share = (i: number): number | undefined => {
    const at = places[i]
    return at && bounded((worth(draws.fresh(steps[i]?.state), at) - least) / (most - least))
  }
  const step = (i: number): EvaluatedStep | undefined => {
    const [own, at] = [share(i), places[i]]
    if (own === undefined || at === undefined) return undefined
    const lost = [0, 1].map((seat) => {
      const played = playedAt(i, seat, at)
      const gained = played && gains(played.knowledge)
      return gained && Math.max(0, (Math.max(...gained) - (gained[played.index] ?? 0)) / (most - least))
    })
    return { share: own, lost }
  }
  return { share, step }
}
