import { playable } from '../../test/kit/records.js'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Arena, type Seatable } from '../engine/index.js'
import gunduel from '../games/gunduel/index.js'
import { judge } from '../match/index.js'
import { DEFAULT_LIMITS, findIsolation } from '../sandbox/index.js'
import { runnerOf } from './start-command.js'

const { launcher = '', program: bubblewrap } = await findIsolation()
const place = mkdtempSync(join(tmpdir(), 'agon-foreign-'))
chmodSync(place, 0o755)
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Four matches of these modules, all at once; who committed a fault, and of what kind. */
async function play(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const entrants = Object.entries(texts).map(([name, text]): Seatable => {
    const source = mkdtempSync(join(place, 'source-'))
    chmodSync(source, 0o755)
    writeFileSync(join(source, 'bot.mjs'), text)
    const sandbox = { maker: { launcher, bubblewrap: bubblewrap ?? '' }, limits: DEFAULT_LIMITS, warm: true }
    const run = { kind: 'runner', ...runnerOf(join(source, 'bot.mjs')), source, sandbox } as const
    return { name, wire: 'module', memory: 'match', run }
  })
  const rooms = mkdtempSync(join(place, 'rooms-'))
  mkdirSync(join(rooms, 'bots'))
  const options = { ...gunduel.game.options, turns: 5 }
  const limits = { turn: 5000 }
  const arena = new Arena(
    playable(gunduel, entrants, { contest: { options, limits } }),
    { rooms, timed: 1 },
    () => undefined,
  )
  try {
    const jobs = Array.from({ length: 4 }, (_, n) =>
      arena.job({ key: `${n}`, pairings: [{ key: `${n}/1`, seats: n % 2 === 0 ? [0, 1] : [1, 0], deal: n }] }, 0),
    )
    const records = (await Promise.all(jobs)).flat()
    expect(records).toHaveLength(4)
    const faults = records.flatMap((record) =>
      judge(gunduel, record).faults.map(({ seat, fault }) => `${record.seats[seat]?.entrant} ${fault}`),
    )
    return [...new Set(faults)].sort()
  } finally {
    await arena.close()
  }
}

const LINES: readonly (readonly [string, string])[] = [
  ['null', 'null\\n'],
  ['wrong types', '{"legal":1,"alone":[],"loaded":0}\\n'],
  ['half a line', '{"legal":'],
  ['depth', `${'['.repeat(20_000)}\\n`],
  ['more frames', '[]\\n[[0,"-"]]\\n[[0,"-"],[0,"-"]]\\nnull\\n'],
]

describe.runIf(bubblewrap !== undefined)('a stranger’s module that writes to the pipe', { timeout: 120_000 }, () => {
  const honest = `export default () => '-'`

  it.each(LINES)('%s, when it is loaded: its fault, and nobody else’s', async (_, text) => {
    const hostile = `import { writeSync } from 'node:fs'
      writeSync(1, '${text}')
      ${honest}`
    expect(await play({ Hostile: hostile, Honest: honest })).toEqual(['Hostile crash'])
  })

  it.each(LINES)('%s, when it is asked: its fault, and nobody else’s', async (_, text) => {
    const hostile = `import { writeSync } from 'node:fs'
      export default ({ turn }) => {
        if (turn > 1) writeSync(1, '${text}')
        return '-'
      }`
    expect(await play({ Hostile: hostile, Honest: honest })).toEqual(['Hostile crash'])
  })
})
