import { playable } from '../../test/kit/records.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import gunduel from '../games/gunduel/index.js'
import { Arena } from './arena.js'

it('lets this thread do other work within a match of modules that answer at once', async () => {
  const rooms = mkdtempSync(join(tmpdir(), 'agon-arena-'))
  let turn = 0
  let counting = true
  const count = (): void => {
    turn++
    if (counting) setImmediate(count)
  }
  const seen = new Set<number>()
  const waits = (): string => {
    seen.add(turn)
    const began = performance.now()
    while (performance.now() - began < 1);
    return '-'
  }
  const entrants = ['Ant', 'Bee'].map((name) => ({
    name,
    wire: 'module',
    memory: 'match' as const,
    run: { kind: 'module' as const, load: () => Promise.resolve(waits) },
  }))
  const run = playable(gunduel, entrants, { contest: { limits: { turn: 60_000 } } })
  const arena = new Arena(run, { rooms }, () => undefined)
  try {
    setImmediate(count)
    await arena.job({ key: 'a', pairings: [{ key: 'a', seats: [0, 1], deal: 0 }] }, 0)
    // A hundred turns, in which the bots think for a fifth of a second.
    expect(seen.size).toBeGreaterThan(3)
  } finally {
    counting = false
    await arena.close()
    rmSync(rooms, { recursive: true, force: true })
  }
})
