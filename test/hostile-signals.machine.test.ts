import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findIsolation } from '../src/sandbox/index.js'
import { MAIN, wait } from './cli/agon.js'

/** `npm run test:hostile` (all) tries more moments than `AGON_HOSTILE=long`, and that more than a short run has time for. */
const EFFORT = process.env['AGON_HOSTILE'] ?? ''
const LONG = ['long', 'all'].includes(EFFORT)
const MARK = `agon-signals-${process.pid}`
const { program } = await findIsolation()
let place = ''

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), MARK))
  chmodSync(place, 0o755)
  mkdirSync(join(place, 'bots'))
  writeFileSync(join(place, 'bots', 'bot.sh'), '[ "$#" -lt 6 ] && echo B || echo O\n')
  const entrants = [0, 1, 2, 3].map((n) => `[[entrants]]\nname = "B${n}"\nfolder = "bots"\ncommand = "sh bot.sh"\n`)
  writeFileSync(join(place, 'c.toml'), `game = "samurai"\n[format]\nrepetitions = 400\n${entrants.join('')}`)
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Processes whose command line has a path below a workspace: agon, and the guards and rooms of its sandboxes. */
const left = (workspace: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(workspace)
    } catch {
      return false
    }
  })

/** Runs agon, sends its whole process group signals after so many milliseconds, and gives what it said once it has ended. */
async function signalled(signal: NodeJS.Signals, after: number, times: number, name: string): Promise<string> {
  const args = ['run', join(place, 'c.toml'), '--out', join(place, `out-${name}`), '--workspace', join(place, name)]
  const agon = spawn(process.execPath, [MAIN, ...args], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  agon.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<string>((done) => agon.once('exit', () => done(stderr)))
  await wait(after)
  for (let i = 0; i < times; i++) {
    try {
      process.kill(-(agon.pid as number), signal)
    } catch {
      break
    }
    await wait(30)
  }
  return ended
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGKILL'] as const
/** Milliseconds between two of them, each of which a long run shifts by chance: another run tries others. */
const STEP = EFFORT === 'all' ? 100 : 240
const MOMENTS = LONG ? Array.from({ length: 2400 / STEP }, (_, i) => i * STEP) : [30, 330, 630, 1200]

describe.runIf(program !== undefined)('a signal to the whole process group', () => {
  it.each(SIGNALS)(
    '%s, whenever it comes: agon ends, and nothing is left',
    async (signal) => {
      const moments = MOMENTS.entries()
      const lane = async () => {
        for (const [i, after] of moments) {
          const name = `${signal}-${i}-`
          const stderr = await signalled(signal, after + (LONG ? Math.random() * STEP : 0), (i % 3) + 1, name)
          expect(stderr).not.toMatch(/^ +at /m)
          const workspace = join(place, name)
          for (let looks = 0; looks < 500 && left(workspace).length > 0; looks++) await wait(10)
          expect({ after, left: left(workspace) }).toEqual({ after, left: [] })
        }
      }
      // They wait more than they compute.
      await Promise.all(Array.from({ length: LONG ? 3 : 1 }, lane))
    },
    LONG ? 600_000 : 60_000,
  )
})
