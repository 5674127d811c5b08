import { expect, it } from 'vitest'
import { longJobWatch } from './under-way.js'

const pairings = Array.from({ length: 60 }, (_, n) => ({ key: `1/Ant-Bee/${n + 1}`, seats: [0, 1], deal: n }))

/** What is noted of a job whose matches take so many milliseconds each. */
function notesOf(each: number): (readonly [matches: number, text: string])[] {
  const notes: (readonly [number, string])[] = []
  let played = 0
  const note = (text: string): void => void notes.push([played, text])
  const watch = longJobWatch({ key: '1/Ant-Bee', pairings }, note, () => played * each)
  while (played < pairings.length) watch(++played)
  return notes
}

it('a job of more than ten minutes says so once, as soon as that can be told, and no other does', () => {
  expect(notesOf(10_100)).toEqual([
    [1, '1/Ant-Bee: 60 matches that are stored together, in about 10 minutes; an interruption before that loses them'],
  ])
  expect(notesOf(9900)).toEqual([])
})

it('the first matches of a long job that are over at once tell nothing of its time', () => {
  const notes: string[] = []
  let now = 0
  const watch = longJobWatch(
    { key: 's', pairings },
    (text) => void notes.push(text),
    () => now,
  )
  now = 4999
  watch(1)
  expect(notes).toEqual([])
  now = 40_000
  watch(2)
  expect(notes).toHaveLength(1)
})
