import { expect, it } from 'vitest'
import type { Contest, Memory } from '../core/index.js'
import type { EntrantInfo } from '../store/index.js'
import gunduel from '../games/gunduel/index.js'
import { identityOf, tournamentKey } from './identity.js'
import { hasCycles } from './plan.js'

const contestOf = (kind: string): Contest =>
  ({
    options: {},
    limits: {},
    scoring: {},
    format: { kind, repetitions: 2, swap: true, playoff: 0 },
  }) as unknown as Contest
const bots = (...memories: Memory[]) => memories.map((memory) => ({ memory }))

it('duels come in cycles where a bot remembers them, and a run that began without keeps its order', () => {
  const contest = contestOf('last-standing')
  expect(hasCycles(contest, bots('match', 'tournament'))).toBe(true)
  expect(hasCycles(contest, bots('match', 'series'))).toBe(false)
  expect(hasCycles(contestOf('round-robin'), bots('tournament'))).toBe(false)
  expect(hasCycles(contest, bots('tournament'), {})).toBe(false)
  expect(hasCycles(contest, bots('tournament'), { cycles: true })).toBe(true)
  // Its last bot that remembers has left: a league goes on nevertheless.
  expect(hasCycles(contest, bots('match'), { cycles: true })).toBe(true)
})

it('what bots lived through in one order is not taken for another', () => {
  const infos: readonly EntrantInfo[] = []
  const keyOf = (cycles?: boolean) =>
    tournamentKey(identityOf(contestOf('last-standing'), gunduel, 'seed', infos, {}, cycles))
  expect(keyOf(true)).not.toBe(keyOf())
  expect(keyOf(false)).toBe(keyOf())
})
