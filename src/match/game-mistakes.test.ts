import { expect, it } from 'vitest'
import { randomMatch } from '../../test/kit/archive.js'
import type { GameDefinition } from '../core/index.js'
import kuhn from '../games/kuhn/index.js'
import { judgeAgain } from './game-mistakes.js'

it('a game that begins otherwise each time is found, whatever the match has come to', () => {
  const seats = ['Ann', 'Bob'].map((entrant, id) => ({ entrant, id }))
  const record = randomMatch(kuhn, '1/x/1', seats, { options: {} })
  let calls = 0
  const counting: GameDefinition = {
    ...kuhn,
    game: { ...kuhn.game, setup: (...words) => ({ ...(kuhn.game.setup(...words) as object), calls: calls++ }) },
  }
  expect(judgeAgain({ definition: kuhn, file: 'kuhn.ts' }, record).outcome).toEqual(record.outcome)
  expect(() => judgeAgain({ definition: counting, file: 'counting.ts' }, record)).toThrow(
    /^the game kuhn \(counting\.ts\) breaks its own rules: it is not pure: .*a position differs when it is reached twice/,
  )
})
