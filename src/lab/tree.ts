import { type GameDefinition, type Move, type Options, UserError, message, option, allActions } from '../core/index.js'
import { MOST_POSITIONS, drawsOf } from './draws.js'

/** A seat's knowledge and choice: positions it cannot tell apart. */
export interface Knowledge {
  readonly seat: 0 | 1
  readonly view: unknown
  readonly actions: readonly string[]
  /** Its own actions before. */
  readonly after: readonly string[]
  /** The sequence that led here, and the first of those that go on, one for each action in order. */
  readonly parent: number
  readonly first: number
}

/** A game's ends to which the same sequences of both seats lead. */
interface Ends {
  readonly at: readonly [number, number]
  /** What seat 0 gains there, weighed with their chance. */
  payoff: number
  chance: number
}

/** A game of two in sequence form. */
export interface SequenceForm {
  /** By seat: what it may know, each behind what it knew before. */
  readonly knowledge: readonly [readonly Knowledge[], readonly Knowledge[]]
  /** How many sequences a seat has: 0 is the empty one. */
  readonly sequences: readonly [number, number]
  readonly ends: readonly Readonly<Ends>[]
  /** The least and the most that seat 0 can get. */
  readonly range: readonly [number, number]
  readonly positions: number
  /** A seat's knowledge with this view behind that sequence; undefined: never. */
  find(seat: number, parent: number, view: unknown): Knowledge | undefined
}

type Pair = readonly [number, number]

export const SEATS = [0, 1] as const

/** A game in sequence form, through every course. Throws UserError for more than `most` positions. */
export function sequenceForm({ game }: GameDefinition, options: Options, most = MOST_POSITIONS): SequenceForm {
  const draws = drawsOf(game)
  const knowledge: [Knowledge[], Knowledge[]] = [[], []]
  const sequences: [number, number] = [1, 1]
  /** Own actions by sequence: seats forget none. */
  const done: [(readonly string[])[], (readonly string[])[]] = [[[]], [[]]]
  const known = new Map<string, Knowledge>()
  const ends = new Map<string, Ends>()
  let range: Pair = [Infinity, -Infinity]
  let positions = 0

  /** What a seat knows here: its view, and all it knew and did. */
  function knows(state: unknown, seat: 0 | 1, parent: number): Knowledge {
    const view = game.view(state, seat)
    const key = keyOf(seat, parent, view)
    const before = known.get(key)
    if (before !== undefined) return before
    const actions = allActions(game.legal(view))
    const after = done[seat][parent] ?? []
    const fresh: Knowledge = { seat, view, actions, after, parent, first: sequences[seat] }
    for (const action of actions) done[seat].push([...after, action])
    sequences[seat] += actions.length
    knowledge[seat].push(fresh)
    known.set(key, fresh)
    return fresh
  }

  function visit(state: unknown, p: number, at: Pair): void {
    if (++positions > most)
      throw new UserError(
        message`${game.id} is too large to be solved: more than ${most.toLocaleString('en-US')} positions; make it smaller with ${option('option')}`,
      )
    const payoff = draws.payoff(state)
    if (payoff !== undefined) {
      const end = ends.get(at.join()) ?? { at, payoff: 0, chance: 0 }
      ends.set(at.join(), end)
      end.payoff += p * payoff
      end.chance += p
      range = [Math.min(range[0], payoff), Math.max(range[1], payoff)]
      return
    }
    const due = game.toMove(state)
    const mine = choices(due.includes(0) ? knows(state, 0, at[0]) : undefined, at[0])
    const others = choices(due.includes(1) ? knows(state, 1, at[1]) : undefined, at[1])
    for (const [a, first] of mine)
      for (const [b, second] of others)
        draws.play(state, [a, b], (next, chance) => visit(next, p * chance, [first, second]))
  }

  draws.setup(options, (state, p) => visit(state, p, [0, 0]))
  const find = (seat: number, parent: number, view: unknown) => known.get(keyOf(seat, parent, view))
  return { knowledge, sequences, ends: [...ends.values()], range, positions, find }
}

const keyOf = (seat: number, parent: number, view: unknown): string => `${seat} ${parent} ${JSON.stringify(view)}`

/** A seat's choices, each with its sequence; a seat not due does nothing. */
const choices = (
  knowledge: Knowledge | undefined,
  at: number,
): readonly (readonly [Move<string> | undefined, number])[] =>
  knowledge === undefined ? [[undefined, at]] : knowledge.actions.map((action, i) => [action, knowledge.first + i])

/** By sequence of a seat: how probable the seat makes it. */
export type RealizationPlan = Float64Array

/** Each seat's best answer to a policy, as seat 0 counts: to seat 1's by seat 0, and to seat 0's by seat 1. */
export function answersTo(
  form: SequenceForm,
  policy: (knowledge: Knowledge) => readonly number[],
): readonly [number, number] {
  const [mine, others] = SEATS.map((seat) => {
    const plan = new Float64Array(form.sequences[seat])
    plan[0] = 1
    for (const knowledge of form.knowledge[seat])
      policy(knowledge).forEach((p, i) => (plan[knowledge.first + i] = p * (plan[knowledge.parent] ?? 0)))
    return plan
  }) as [RealizationPlan, RealizationPlan]
  return [answer(form, 0, others), answer(form, 1, mine)]
}

export const gain = ({ ends }: SequenceForm, [mine, others]: readonly [RealizationPlan, RealizationPlan]): number =>
  ends.reduce((sum, { at: [a, b], payoff }) => sum + (mine[a] ?? 0) * (others[b] ?? 0) * payoff, 0)

/** A seat's best against the other's plan, as seat 0 counts. */
export function answer(form: SequenceForm, seat: 0 | 1, other: RealizationPlan): number {
  const [worth = 0] = bestOf(form, seat, other)
  return seat === 0 ? worth : -worth
}

/** By sequence: the best play's gain behind it against a plan, weighed with the plan's and chance's probability. */
export function bestOf(form: SequenceForm, seat: 0 | 1, other: RealizationPlan): RealizationPlan {
  const worth = sumOfEnds(form, seat, other, ({ payoff }) => (seat === 0 ? payoff : -payoff))
  // Later knowledge stands later: from the last, what follows is known first.
  for (const { parent, first, actions } of form.knowledge[seat].toReversed())
    worth[parent] = (worth[parent] ?? 0) + Math.max(...worth.subarray(first, first + actions.length))
  return worth
}

/** By a seat's sequence: a value of its ends, weighed with the other's plan. */
export function sumOfEnds(
  { ends, sequences }: SequenceForm,
  seat: 0 | 1,
  other: RealizationPlan,
  value: (ends: Readonly<Ends>) => number,
): RealizationPlan {
  const sums = new Float64Array(sequences[seat])
  for (const each of ends) {
    const own = each.at[seat]
    sums[own] = (sums[own] as number) + value(each) * (other[each.at[1 - seat] as number] as number)
  }
  return sums
}
