import { playable } from '../../test/kit/records.js'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { botSeed, canonical } from '../core/index.js'
import { Arena, type Seatable } from '../engine/index.js'
import gunduel from '../games/gunduel/index.js'
import { formatRecord, judge, parseRecord } from '../match/index.js'
import { DEFAULT_LIMITS, findIsolation } from '../sandbox/index.js'
import { runnerOf } from './start-command.js'

const { launcher = '', program: bubblewrap } = await findIsolation()
const place = mkdtempSync(join(tmpdir(), 'agon-side-by-side-'))
chmodSync(place, 0o755)
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** Two entrants of these modules, one job for each pair of matches with the seats swapped, all at once, by one thread. */
async function play(
  texts: Readonly<Record<string, string>>,
  { strict = false, jobs = 6, memory = 'match' as const, limit = 5000 } = {},
) {
  const entrants = Object.entries(texts).map(([name, text], i): Seatable => {
    const source = mkdtempSync(join(place, 'source-'))
    chmodSync(source, 0o755)
    writeFileSync(join(source, 'bot.ts'), text)
    writeFileSync(join(source, 'helper.ts'), `export let calls = ${i}; export const call = () => ++calls`)
    const sandbox = { maker: { launcher, bubblewrap: bubblewrap ?? '' }, limits: DEFAULT_LIMITS, warm: true, strict }
    return {
      name,
      wire: 'module',
      memory,
      run: { kind: 'runner', ...runnerOf(join(source, 'bot.ts')), source, sandbox },
    }
  })
  const rooms = mkdtempSync(join(place, 'rooms-'))
  mkdirSync(join(rooms, 'bots'))
  const { options } = gunduel.game
  const notes: string[] = []
  const arena = new Arena(
    playable(gunduel, entrants, { contest: { options, limits: { turn: limit } } }),
    { rooms, timed: 1 },
    (note) => notes.push(note),
  )
  try {
    const played = Array.from({ length: jobs }, (_, n) =>
      arena.job({ key: `${n}`, pairings: [{ key: `${n}/1`, seats: n % 2 === 0 ? [0, 1] : [1, 0], deal: n }] }, 0),
    )
    const records = (await Promise.all(played)).flat()
    return { records, stderr: [...arena.stderr().values()], notes }
  } finally {
    await arena.close()
  }
}
type Records = Awaited<ReturnType<typeof play>>['records']
const course = (records: Records): string[] => records.map((record) => canonical({ ...record, times: undefined }))
const outputsOf = (records: Records, name: string): string[] =>
  records.map(({ seats, steps }) =>
    steps.map((step) => JSON.stringify(step.find(([seat]) => seats[seat]?.entrant === name)?.[1])).join(' '),
  )
const faults = (records: Records): string[] =>
  records.flatMap((record) =>
    judge(gunduel, record).faults.map(({ seat, turn, fault }) => `${record.seats[seat]?.entrant} ${fault} ${turn}`),
  )

/** Plays by its chance, its variables, and what it set up at its beginning. */
const HONEST = `
  import { call } from './helper.js'
  import type { Bot } from 'agon'
  let n = 0
  declare global { var left: number; interface Array<T> { third?: T } }
  globalThis.left = (globalThis.left ?? 0) + 1
  if ([].third !== undefined) throw new Error('not the first life of its realm')
  Object.defineProperty(Array.prototype, 'third', { get() { return this[2] } })
  const bot: Bot<{ ammo: number }, string> = async (view, chance, legal) => {
    if (globalThis.left !== 1 || !(view instanceof Object) || !(legal instanceof Array)) return 'globals'
    if (n % 3 === 1) await new Promise((done) => setTimeout(done, 1))
    n++
    return legal[(chance.below(3) + n + call()) % legal.length]
  }
  export default bot`
const OTHER = `let n = 0; export default (view, chance) => ['0', '-', '0'][(n++ + chance.below(3)) % 3]`

describe.runIf(bubblewrap !== undefined)('matches of strangers’ modules, side by side', { timeout: 60_000 }, () => {
  it('go as they do with a process for each life: each has its own variables, globals, helpers and chance', async () => {
    const [shared, alone] = [
      await play({ Honest: HONEST, Other: OTHER }),
      await play({ Honest: HONEST, Other: OTHER }, { strict: true, jobs: 2 }),
    ]
    expect(course(shared.records).slice(0, 2)).toEqual(course(alone.records))
    expect(faults(shared.records)).toEqual([])
    expect(botSeed('s', 'Honest', '0/1')).not.toBe(botSeed('s', 'Honest', '1/1'))
    expect(new Set(outputsOf(shared.records, 'Honest')).size).toBeGreaterThan(1)
  })

  it('are led in one process, and with strict memory in one each', async () => {
    // Alone its standard error is read while it thinks.
    const counts = `
      import { performance } from 'node:perf_hooks'
      console.error('began', performance.timeOrigin)
      export default async () => (await new Promise((done) => setTimeout(done, 100)), '-')`
    const pids = ({ stderr }: { stderr: readonly string[] }): number => new Set(stderr[0]?.match(/began \S+/g)).size
    const [shared, strict] = [
      await play({ A: counts, B: OTHER }, { jobs: 3 }),
      await play({ A: counts, B: OTHER }, { jobs: 2, strict: true }),
    ]
    expect(pids(shared)).toBe(1)
    expect(pids(strict)).toBe(2)
  })

  it('keep what each life prints of itself, with the turn in which it did', async () => {
    const prints = `let n = 0
      export default async ({ turn }) => {
        console.error('agon:calls=' + ++n)
        await null
        process.stderr.write('agon:tu')
        process.stderr.write('rn=' + turn + '\\nagon:late=' + turn)
        return '-'
      }`
    const figuresOf = ({ records }: { records: Records }) =>
      records.map(({ figures = [], seats }) =>
        figures.map(([step, seat, name, value]) => [seats[seat]?.entrant, step, name, value]),
      )
    const [shared, alone] = [
      await play({ Prints: prints, Other: OTHER }, { jobs: 3 }),
      await play({ Prints: prints, Other: OTHER }, { jobs: 1, strict: true }),
    ]
    for (const figures of figuresOf(shared)) {
      expect(figures.length).toBeGreaterThan(2)
      expect(figures).toEqual(
        figures.map((_, i) => {
          const turn = i >> 1
          return ['Prints', turn, i % 2 === 0 ? 'calls' : 'turn', turn + (i % 2 === 0 ? 1 : 0)]
        }),
      )
    }
    // Alone its pipe is read when it is: what it says is the same.
    expect(figuresOf(alone)[0]?.filter(([, , name]) => name === 'calls').length).toBeGreaterThan(0)
    expect(shared.stderr[0]).toContain('agon:calls=1')
  })

  it('count no fault that was not one of a bot alone', async () => {
    // It breaks whatever process other lives are led in, in each way that a bot has; alone it answers.
    const breaks = (how: string) => `
      import { argv } from 'node:process'
      let n = 0
      const shared = argv.length > 3
      export default () => { if (shared && n++ === 1) { ${how} } return '-' }`
    for (const how of [
      `throw new Error('x')`,
      'process.exit(0)',
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000)',
    ]) {
      const { records, notes } = await play({ Breaks: breaks(how), Other: OTHER }, { jobs: 2, limit: 700 })
      expect([how, faults(records), records.length, notes]).toEqual([how, [], 2, []])
    }
  })

  it('have times that a record can hold, whatever their process says of them', async () => {
    // Its answers go out by a function that all realms share.
    const lies = `
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      const { writeSync, lies } = fs
      if (process.argv.length > 3 && !lies) {
        fs.lies = true
        fs.writeSync = (fd, data, ...rest) =>
          writeSync(fd, Buffer.from(String(data).replace(/\\[\\d+/g, '[1e999')), ...rest) && data.length
        syncBuiltinESMExports()
      }
      export default () => '-'`
    const { records } = await play({ Lies: lies, Other: OTHER }, { jobs: 3 })
    expect(records.map((record) => parseRecord(formatRecord(record)))).toEqual(records)
    expect(faults(records)).toEqual([])
  })

  it('count the faults that are one of a bot alone, and those of its own match only', async () => {
    const bot = `let n = 0; export default (view, chance) => { if (chance.seed === ${botSeed('s', 'Bad', '2/1')} && n++ === 1) throw new Error('x'); return '-' }`
    const { records } = await play({ Bad: bot, Other: OTHER }, { jobs: 3 })
    expect(faults(records)).toEqual(['Bad crash 1'])
  })

  it('are played in a process for each life where the module cannot share one', async () => {
    const { records } = await play({ Odd: `module.exports = () => '-'`, Other: OTHER }, { jobs: 1 })
    expect(faults(records)).toEqual([])
  })
})
