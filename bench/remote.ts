import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { MatchRecord } from '../src/core/index.js'
import { openStore } from '../src/store/index.js'
import { type Row, fast, figure, median, quick as within } from './kit.js'
import { FarBot } from './remote/far-bot.js'
import { ask } from './server/ask.js'
import { startChild } from './server/child.js'

export const measures =
  '200 bots on their authors’ machines, on a ladder of one-second matches: the way of a question, messages, memory (--full: 10 minutes)'

const BOTS = 200
/** Each match has so many turns, and a bot thinks so many milliseconds about each, on average. */
const TURNS = 10
const THINK_MS = 100

const CONTEST = `title = "Far"
game = "samurai"
remote = true
[options]
turns = ${TURNS}
[limits]
turn = 5000
[format]
kind = "ladder"
repetitions = 1000
placing = 100000
[[entrants]]
house = "Abacus"
`

export default async function remote(full: boolean): Promise<readonly Row[]> {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-bench-remote-'))
  const main = join(import.meta.dirname, '..', 'dist/bundle/main.js')
  const served = await startChild([main, 'serve', '--json', '--port', '0', '--workspace', workspace])
  const api = `${served.url}/api/v1`
  const host = { authorization: `Bearer ${served.hostToken}`, 'content-type': 'application/json' }
  const post = async <T>(path: string, body: unknown): Promise<T> =>
    JSON.parse((await ask(api + path, host, JSON.stringify(body))).text) as T
  const bots: FarBot[] = []
  const memory: number[] = []
  let ran = 0
  try {
    const { id } = await post<{ id: string }>('/contests', { toml: CONTEST })
    for (let n = 0; n < BOTS; n++) {
      const { token } = await post<{ token: string }>(`/contests/${id}/contestants`, { name: `Author ${n}` })
      const url = `${api.replace('http', 'ws')}/contests/${id}/connect?name=Bot${n}`
      const bot = new FarBot(url, token, THINK_MS)
      bots.push(bot)
      await bot.ready
    }
    await post(`/contests/${id}/start`, {})
    const began = performance.now()
    const watch = setInterval(() => memory.push(served.memory()), 500)
    await wait(full ? 600_000 : 60_000)
    clearInterval(watch)
    await post(`/contests/${id}/pause`, {})
    ran = (performance.now() - began) / 1000
  } finally {
    for (const bot of bots) bot.close()
    await served.end()
  }
  try {
    return rowsOf(await recordsOf(workspace), memory, ran)
  } finally {
    rmSync(workspace, { recursive: true, force: true })
  }
}

async function recordsOf(workspace: string): Promise<readonly MatchRecord[]> {
  const store = openStore(workspace, 'bench')
  try {
    const records: MatchRecord[] = []
    for (const run of await store.runs()) {
      let before: number | undefined
      do {
        const { matches, next } = await store.browse(run.id, { limit: 200, before })
        for (const { id } of matches) records.push(await store.recordOf(id))
        before = next
      } while (before !== undefined)
    }
    return records
  } finally {
    await store.close()
  }
}

function rowsOf(records: readonly MatchRecord[], memory: readonly number[], seconds: number): readonly Row[] {
  const ways: number[] = []
  let lost = 0
  for (const { seats, steps, times } of records)
    for (const [turn, step] of steps.entries())
      for (const [i, [seat, output]] of step.entries()) {
        if (!seats[seat]?.entrant.startsWith('Bot')) continue
        const out = typeof output === 'string' ? output : (output.out ?? '')
        const { ms } = out === '' ? {} : (JSON.parse(out) as { ms?: number })
        if (ms === undefined) lost++
        else ways.push((times?.[turn]?.[i]?.[0] ?? 0) / 1000 - ms)
      }
  ways.sort((a, b) => a - b)
  const third = Math.floor(memory.length / 3)
  const [early, late] = [median(memory.slice(third, 2 * third)), median(memory.slice(2 * third))]
  return [
    within(`p99 of the way of ${ways.length} questions, ms`, ways[Math.floor(0.99 * ways.length)] ?? NaN, 50),
    figure('median, ms', median(ways)),
    figure('questions without an answer', lost),
    fast('questions answered, of all', ways.length, ways.length + lost),
    figure('matches a second', records.length / seconds),
    { name: 'MB at the end, beside the middle', value: late / 1e6, limit: early / 1e6, ratio: early / late, goal: 0.9 },
  ]
}
