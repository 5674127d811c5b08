import { expect, it } from 'vitest'
import { type GameDefinition, newLuck } from '../core/index.js'
import kuhn from '../games/kuhn/index.js'
import leduc from '../games/leduc/index.js'
import { type EvaluatedStep, type PlayedStep, matchEvaluator } from './evaluator.js'
import { learnerOf } from './learner.js'
import { sequenceForm, gain } from './tree.js'

const always = (): boolean => true
const evaluatorOf = (definition: GameDefinition) => {
  // What other tests have found is kept by the game.
  const evaluator = matchEvaluator({ ...definition }, {})
  if (evaluator === undefined) throw new Error('there is none')
  return evaluator
}
/** A match of Kuhn poker with those cards, by moves. undefined: a fault. */
function played(cards: readonly [string, string], ...said: readonly (string | undefined)[]): readonly PlayedStep[] {
  const steps: PlayedStep[] = [{ state: { cards, said: [] }, moves: [] }]
  said.forEach((action, n) => {
    const move = action ?? ({ fault: 'timeout' } as const)
    const moves = n % 2 === 0 ? [move, null] : [null, move]
    const state = kuhn.game.play(
      steps.at(-1)?.state,
      moves.map((one) => one ?? undefined),
    )
    steps.push({ state, moves })
  })
  return steps
}
const evaluator = evaluatorOf(kuhn)
function stepOf(steps: readonly PlayedStep[], i: number): EvaluatedStep {
  const step = evaluator.course(steps).step(i, always)
  if (typeof step !== 'object') throw new Error('it is not known')
  return step
}

it.each([
  [kuhn, -1 / 18],
  [leduc, -0.0856064],
] as const)('an equilibrium is learnt without a solver of linear programs: $title', (definition, value) => {
  const form = sequenceForm(definition, {})
  const learner = learnerOf(form)
  for (let round = 0; round < 500; round++) learner.round()
  const width = form.range[1] - form.range[0]
  expect(learner.error()).toBeLessThan(0.001)
  expect(Math.abs(gain(form, learner.found()) - value)).toBeLessThan(0.001 * width)
})

it('a fold and a call are priced by the cards that are known for certain', () => {
  // A king that passes a bet loses its ante; a call would win two chips: three of four.
  expect(stepOf(played(['Q', 'K'], 'bet', 'pass'), 1).lost).toEqual([undefined, expect.closeTo(0.75, 2)])
  // A jack that pays a bet loses two chips in place of one.
  expect(stepOf(played(['K', 'J'], 'bet', 'bet'), 1).lost).toEqual([undefined, expect.closeTo(0.25, 2)])
  expect(stepOf(played(['K', 'J'], 'bet', 'pass'), 1).lost).toEqual([undefined, expect.closeTo(0, 6)])
})

it('a fault counts as what it came to: a pass', () => {
  const [late, folded] = [played(['Q', 'K'], 'bet', undefined), played(['Q', 'K'], 'bet', 'pass')]
  expect(stepOf(late, 1)).toEqual(stepOf(folded, 1))
})

it('a position is worth what both get who know their own cards alone, and an end what it came to', () => {
  const steps = played(['K', 'J'], 'bet', 'pass')
  const share = (i: number) => evaluator.course(steps).share(i, always)
  // Two chips of −2 … 2 won, or one.
  expect(share(2)).toBeCloseTo(0.75, 9)
  // A jack never pays a king's bet.
  expect(share(1)).toBeCloseTo(0.75, 2)
  // Whatever it does first, the king wins a chip; two at times, where it passes and the jack bluffs.
  expect(share(0)).toBeGreaterThan(0.74)
  expect(share(0)).toBeLessThan(0.85)
})

it('a card that is still to come is not known: two matches that differ in it alone are worth the same', () => {
  const course = (seed: string) => {
    const dealt = leduc.game.setup(2, {}, newLuck('deal')) as { readonly luck: unknown }
    return evaluatorOf(leduc).course([{ state: { ...dealt, luck: newLuck(seed) }, moves: [] }])
  }
  const [one, other] = ['a', 'b'].map((seed) => course(seed).share(0, always))
  expect(one).toBe(other)
  expect(one).toBeGreaterThan(0)
})

it('is worked out in slices, and comes to the same', () => {
  const steps = played(['Q', 'J'], 'bet', 'bet')
  const course = evaluatorOf(kuhn).course(steps)
  let [slices, share]: [number, unknown] = [0, 'later']
  for (; share === 'later' && slices < 1000; slices++) {
    let left = 10
    share = course.share(0, () => left-- > 0)
  }
  expect(slices).toBeGreaterThan(2)
  expect(share).toBe(evaluator.course(steps).share(0, always))
})
