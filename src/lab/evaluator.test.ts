import { describe, expect, it } from 'vitest'
import type { GameDefinition } from '../core/index.js'
import gunduel from '../games/gunduel/index.js'
import coup from '../games/coup/index.js'
import kuhn from '../games/kuhn/index.js'
import samurai from '../games/samurai/index.js'
import { type PlayedStep, matchEvaluator } from './evaluator.js'
import { inductionOf } from './open.js'

const always = (): boolean => true
/** What evaluates positions and single steps of a game. */
function evaluatorOf(definition: GameDefinition) {
  const evaluator = matchEvaluator(definition, {})
  if (evaluator === undefined) throw new Error('there is none')
  return {
    share: (state: unknown, goesOn: () => boolean) => evaluator.course([{ state, moves: [] }]).share(0, goesOn),
    step: (state: unknown, moves: PlayedStep['moves'], goesOn: () => boolean) =>
      evaluator
        .course([
          { state, moves: [] },
          { state: undefined, moves },
        ])
        .step(0, goesOn),
  }
}
const start = ({ game }: GameDefinition, changes: object = {}): unknown =>
  game.setup(2, { ...game.options, ...changes }, { seed: '', at: 0 })

describe('an evaluated duel', () => {
  it('is worth what it is without a position having been made smaller', () => {
    const whole = inductionOf(gunduel, { onNew: () => undefined })
    const evaluator = evaluatorOf(gunduel)
    let state = start(gunduel, { turns: 7, ammo: 1 })
    for (const [a, b] of ['00', '0-', '1-', '00', '=1', '01']) {
      const share = (1 + whole.worthOf(state).value) / 2
      expect(evaluator.share(state, always)).toBeCloseTo(share, 9)
      expect(evaluator.step(state, [a, b], always)).toMatchObject({
        share: expect.closeTo(share, 9) as number,
      })
      state = gunduel.game.play(state, [a, b])
    }
  })

  it('tells what each move gives away: a round each, one turn to go', () => {
    // A bullet hits who loads or deflects; a gun fired without rounds bursts; all else is level.
    const state = start(gunduel, { turns: 1, ammo: 1 })
    const evaluator = evaluatorOf(gunduel)
    const lost = (action: string): unknown => {
      const step = evaluator.step(state, [action, '1'], always)
      return typeof step === 'object' ? step.lost[0] : step
    }
    expect(['0', '1', '2', '-', '='].map(lost)).toEqual([0.5, 0, 0.5, 0, 0.5])
    const fault = evaluator.step(state, ['-', { fault: 'timeout' }], always)
    expect(fault).toEqual({ share: 0.5, lost: [0, 0.5] })
  })

  it('is over where it is over', () => {
    const shot = gunduel.game.play(start(gunduel, { ammo: 1 }), ['1', '0'])
    expect(evaluatorOf(gunduel).share(shot, always)).toBe(1)
  })

  it('is worked out in slices, and comes to the same', () => {
    const state = start(gunduel, { turns: 9 })
    const evaluator = evaluatorOf(gunduel)
    let slices = 0
    let share: unknown = 'later'
    for (; share === 'later' && slices < 1000; slices++) {
      let left = 30
      share = evaluator.share(state, () => left-- > 0)
    }
    expect(slices).toBeGreaterThan(2)
    expect(share).toBeCloseTo(0.5, 9)
  })
})

it('an open game that counts scores has no evaluation, and no game that hides something and is not small', () => {
  expect(matchEvaluator({ ...kuhn, small: false }, {})).toBeUndefined()
  expect(matchEvaluator(coup, coup.game.options)).toBeUndefined()
  expect(matchEvaluator({ ...gunduel, open: false, small: false }, {})).toBeUndefined()
  expect(matchEvaluator({ ...gunduel, scoring: { by: 'score' } }, {})).toBeUndefined()
})

it('a short match of samurai is evaluated; one of 20 health is too large', () => {
  const evaluator = evaluatorOf(samurai)
  expect(evaluator.share(start(samurai), always)).toBeUndefined()
  const short = start(samurai, { turns: 4, health: 2 })
  expect(evaluator.share(short, always)).toBeCloseTo(0.5, 9)
  // Who strikes without honour is struck down by the gods (rule 4.1).
  const poor = start(samurai, { turns: 4, health: 2, honour: 0 })
  const step = evaluator.step(poor, ['O', 'B'], always)
  expect(typeof step === 'object' && (step.lost[0] ?? 0)).toBeGreaterThan(0.4)
})
