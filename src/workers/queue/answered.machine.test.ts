import { expect, it } from 'vitest'
import { requestOf } from '../../../test/kit/queue.js'
import { type AnsweredJob, keptAfter } from './answered.js'

const answered = (key: string, kept?: AnsweredJob['kept']): AnsweredJob => ({
  request: requestOf(key),
  response: { back: true },
  kept,
})
const holds = (text: string) => ({ now: { 'state/a': text } })

it('what each bot held after its last job of a batch is kept, whatever it is called', () => {
  const first = Object.fromEntries([
    ['Ant', holds('AA')],
    ['__proto__', holds('PP')],
  ])
  const kept = keptAfter([answered('a', first), answered('b', { Ant: holds('BB'), Bee: holds('CC') }), answered('c')])
  expect(Object.entries(kept)).toEqual([
    ['Ant', holds('BB')],
    ['__proto__', holds('PP')],
    ['Bee', holds('CC')],
  ])
})
