import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AnyWire, type GameDefinition, matchLuck, wiresOf } from '../src/core/index.js'
import { DEFAULT_LIMITS, findIsolation } from '../src/sandbox/index.js'
import { BotFactory } from '../src/engine/index.js'
import gunduel from '../src/games/gunduel/index.js'
import { playMatch } from '../src/match/index.js'

const { launcher = '', program: bubblewrap = '' } = await findIsolation()
/** The duel by exit codes, with a state folder. */
const definition: GameDefinition = {
  ...gunduel,
  wires: {
    ...gunduel.wires,
    exit: { ...(gunduel.wires?.['exit'] as AnyWire), state: { folder: 'state', bytes: 2000 } },
  },
}
/** Its process's number, and how often it was called as its state folder says, go to standard error. */
const BOT = 'echo x >>state/calls; echo "$$ $(wc -l <state/calls)" >&2; exit 61'

let place = ''
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'agon-strict-'))
  chmodSync(place, 0o755)
  writeFileSync(join(place, 'bot.sh'), BOT)
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** What a bot tells of its turns in a match of four: its process's number and its calls. */
async function turns(strict: boolean): Promise<[pid: string, calls: string][]> {
  const options = { ...definition.game.options, turns: 4 }
  const limits = { turn: 20_000 }
  const wires = wiresOf(definition, options)
  const factory = new BotFactory({ seed: 's', wires, rooms: join(place, 'rooms'), limits, note: () => undefined })
  const sandbox = { maker: { launcher, bubblewrap }, limits: DEFAULT_LIMITS, warm: false, strict }
  const argv = ['/bin/sh', join(place, 'bot.sh')]
  const run = { kind: 'process' as const, argv, source: place, sandbox }
  const bots = ['One', 'Two'].map((name) => factory.bot({ name, wire: 'exit', memory: 'turn', run }, 'match'))
  try {
    const names = ['One', 'Two']
    const seats = names.map((entrant, id) => ({ entrant, wire: 'exit', id }))
    const { id, version } = definition.game
    const luck = matchLuck('s', id, names, 0)
    const fixture = { agon: 1 as const, key: 'm', game: id, version, options, luck, field: 2, seats }
    await playMatch({ definition, fixture, players: bots, limits })
    return factory
      .stderr('One')
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string])
  } finally {
    await Promise.all(bots.map((bot) => bot.close()))
  }
}

describe.runIf(bubblewrap !== '')('a bot that remembers nothing', () => {
  it('sees in a strict contest a new sandbox each turn, and its state folder as it left it', async () => {
    const seen = await turns(true)
    expect(seen.length).toBeGreaterThanOrEqual(4)
    expect(new Set(seen.map(([pid]) => pid)).size).toBe(1)
    expect(seen.map(([, calls]) => Number(calls))).toEqual(seen.map((_, i) => i + 1))
  })

  it("sees otherwise from its process's number that there were turns before", async () => {
    const seen = await turns(false)
    expect(new Set(seen.map(([pid]) => pid)).size).toBe(seen.length)
  })
})
