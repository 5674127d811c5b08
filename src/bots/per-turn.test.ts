import { expect, it } from 'vitest'
import { StateFiles } from './per-turn.js'

it('of too many state files the one named after the bot stays, then the one that was there, then the first', () => {
  const notes: string[] = []
  const files = new StateFiles('Hero', 1, (text) => notes.push(text))
  expect(files.surplus(['b.txt'], 'state')).toEqual([])
  expect(files.surplus(['a.txt', 'b.txt'], 'state')).toEqual(['a.txt'])
  expect(files.surplus(['a.txt', 'b.txt', 'hero.dat'], 'state')).toEqual(['b.txt', 'a.txt'])
  expect(files.surplus(['hero/x', 'HERO'], 'state')).toEqual(['hero/x'])
  expect(notes).toHaveLength(1)
})
