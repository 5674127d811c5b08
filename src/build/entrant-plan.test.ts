import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { GameDefinition, Memory } from '../core/index.js'
import { sentEntry } from '../contest/sent-entry.js'
import { games } from '../games/index.js'
import { planOf } from './entrant-plan.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-plan-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const kuhn = games.find(({ game }) => game.id === 'kuhn') as GameDefinition

it.each([
  ['tournament', 'match', 'match'],
  ['series', 'turn', 'turn'],
  ['match', 'series', 'match'],
  ['tournament', undefined, 'series'],
] as const)(
  'a stranger who asks for a %s in a contest of a %s has a %s',
  async (own, memory: Memory | undefined, has) => {
    writeFileSync(join(folder, 'bot.sh'), 'true')
    writeFileSync(join(folder, 'bot.toml'), `command = "sh bot.sh"\nmemory = "${own}"\n`)
    const entry = sentEntry({ name: 'Sneak' }, folder, kuhn)
    const plan = await planOf(entry, kuhn, { memory, strictMemory: true })
    expect([plan.memory, plan.strict]).toEqual([has, true])
    // The host says so in its own file: that holds.
    const hosts = await planOf({ ...entry, own: false }, kuhn, { memory })
    expect(hosts.memory).toBe(own)
  },
)
