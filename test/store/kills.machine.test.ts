import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

/** Kills of each kind of field. `npm run test:hostile` (all): fifty in all. */
const KILLS = process.env['AGON_HOSTILE'] === 'all' ? 25 : 10
const MATCHES = 72

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})
function fresh(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agon-kills-'))
  folders.push(folder)
  return folder
}

/** Plays on in a folder. Kills the process, with SIGKILL, that long after so many matches; resolves with what it printed. */
function play(folder: string, memory: string, kill?: { after: number; ms: number }): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'play.mjs'), folder, memory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  let shot: NodeJS.Timeout | undefined
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (kill && text.length >= kill.after) shot ??= setTimeout(() => child.kill('SIGKILL'), kill.ms)
  })
  return new Promise((done) => {
    child.once('close', () => {
      clearTimeout(shot)
      done(text)
    })
  })
}

/** What is printed of a run that came to its end; undefined: it was killed before. */
const endOf = (text: string): unknown => (text.endsWith('}\n') ? JSON.parse(text.slice(text.indexOf('\n'))) : undefined)

describe.each(['match', 'tournament'])('bots that remember for a %s', (memory) => {
  it('come, killed again and again at random moments, to the table and records of a run that was never interrupted', async () => {
    const whole = endOf(await play(fresh(), memory))
    expect(whole).toMatchObject({ matches: MATCHES })
    let kills = 0
    let ends = 0
    while (kills < KILLS || ends === 0) {
      const folder = fresh()
      let acknowledged = 0
      for (let end: unknown; end === undefined; ends += Number(end !== undefined)) {
        const moment = { after: 1 + Math.floor(6 * Math.random()), ms: 8 * Math.random() }
        const text = await play(folder, memory, kills < KILLS ? moment : undefined)
        const played = text.indexOf('\n') < 0 ? text.length : text.indexOf('\n')
        end = endOf(text)
        if (end === undefined) kills++
        else {
          expect(end).toEqual(whole)
          // All that was said to be done was kept; a little more may have been done that was not said yet.
          expect(MATCHES - played).toBeGreaterThanOrEqual(acknowledged)
        }
        acknowledged += played
      }
    }
  }, 240_000)
})
