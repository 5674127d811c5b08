import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { contestOf } from '../../../test/site/site.js'
import { BusyError, UserError } from '../../core/index.js'
import { HostError } from '../../sandbox/index.js'
import type { SiteEntry } from '../store.js'
import type { CheckResult, checkEntry } from '../../app/check/check.js'
import { ContestRunner } from './contest-runner.js'
import { EntryBuilder } from './entry-builder.js'
import { createContest } from '../hosting.js'
import { openSite } from '../context.js'
import { sentFolder } from './staged-versions.js'

const check = vi.fn<typeof checkEntry>()
const PLAYS: CheckResult = {
  ok: true,
  plays: true,
  steps: [],
  warnings: [],
  covered: { matches: 0, questions: 0, turns: 0, ends: [], kinds: [] },
  faults: [],
}

/** Of what needs no luck, on a busy machine too. */
const SOON = { timeout: 60_000 }
let workspace: string
let site: Awaited<ReturnType<typeof openSite>>
let builder: EntryBuilder
const notices: string[] = []
/** How often agon had failed at each pause. */
const pauses: number[] = []
let entry: SiteEntry
beforeEach(async () => {
  workspace = mkdtempSync(join(tmpdir(), 'agon-builder-'))
  notices.length = pauses.length = 0
  site = await openSite({ workspace, notice: (text) => void notices.push(text) })
  const pause = (failures: number): number => {
    pauses.push(failures)
    return 0
  }
  builder = new EntryBuilder(site, new ContestRunner(site), pause, check)
  const { id: contest } = await createContest(site, contestOf(1, 'strict_memory = true\nsteps = 77'))
  placeFiles('heron')
  const spec = JSON.stringify({ name: 'Heron', command: 'sh bot.sh' })
  const facts = {
    id: 'heron',
    contest,
    contestant: 0,
    name: 'Heron',
    state: 'building',
    spec,
    bytes: 7,
  } as const
  entry = site.site.addEntry(facts)
})
function placeFiles(id: string): void {
  mkdirSync(sentFolder(site, id), { recursive: true })
  writeFileSync(join(sentFolder(site, id), 'bot.sh'), 'echo B\n')
}
afterEach(async () => {
  check.mockReset()
  await builder.close()
  await site.close()
  rmSync(workspace, { recursive: true, force: true })
})
const stored = async () => ({ ...(site.site.entry('heron') as SiteEntry), log: site.site.log('heron') })

it('an entry at which agon itself fails stays in building, and is tried again until it is checked', async () => {
  const states: string[] = []
  const faults = [new Error('EEXIST: file already exists'), new HostError('no process'), new BusyError('busy')]
  check.mockImplementation(async (_checking, on) => {
    states.push((await stored()).state)
    const fault = faults.shift()
    if (fault !== undefined) throw fault
    on({ name: 'it starts', ok: true, lines: [] })
    return PLAYS
  })
  builder.build(entry)
  await vi.waitFor(async () => expect((await stored()).state).toBe('playing'))
  expect(states).toEqual(Array(4).fill('building'))
  expect(pauses).toEqual([0, 1, 2])
  expect(notices.join('\n')).toContain('EEXIST')
  // What its owner reads is of the last time.
  expect((await stored()).log).toBe('ok: it starts\n')
})

it('an entry that its own words keep from playing is rejected at once, and not tried again', async () => {
  check.mockRejectedValue(new UserError('it has no bot.sh'))
  builder.build(entry)
  await vi.waitFor(async () => expect((await stored()).state).toBe('rejected'))
  expect((await stored()).log).toContain('it has no bot.sh')
  expect([pauses, check.mock.calls.length]).toEqual([[], 1])
})

it('an entry that waits to be tried again stays in building when the site ends', async () => {
  check.mockRejectedValue(new Error('the disk is full'))
  const waiting = new EntryBuilder(site, new ContestRunner(site), () => 3_600_000, check)
  waiting.build(entry)
  await vi.waitFor(() => expect(check).toHaveBeenCalled())
  await waiting.close()
  expect(await stored()).toMatchObject({ state: 'building' })
  expect((await stored()).log).toContain('agon itself failed, which is no fault of the bot')
})

it('an entry is checked with its contest’s own memory, strictness, steps and limits, and with none of its luck', async () => {
  check.mockResolvedValue(PLAYS)
  builder.build(entry)
  await vi.waitFor(async () => expect((await stored()).state).toBe('playing'))
  const terms = check.mock.calls[0]?.[0].terms
  expect(terms).toMatchObject({ limits: {}, memory: 'match', strictMemory: true, steps: 77 })
  expect(terms).not.toHaveProperty('seed')
})

it('addresses take turns, and on an address its people; each entry knows its place', async () => {
  const built: string[] = []
  // Two are built at a time. The first is held to the end, so that the others come one after the other.
  const open: (() => void)[] = []
  const gates = [0, 1].map((n) => new Promise<void>((done) => (open[n] = done)))
  check.mockImplementation(async ({ word }) => {
    await gates[built.push(word) - 1]
    return PLAYS
  })
  const fair = new EntryBuilder(site, new ContestRunner(site), () => 0, check)
  const send = async (name: string, contestant: number, from: string): Promise<void> => {
    const sent = { ...entry, id: name, name, contestant }
    placeFiles(name)
    site.site.addEntry(sent)
    fair.build(sent, from)
  }
  for (let person = 1; person <= 4; person++)
    for (let n = 0; n < 3; n++) await send(`crowd-${person}-${n}`, person, '10.0.0.1')
  await send('neighbour', 5, '10.0.0.1')
  await send('other', 6, '10.0.0.2')
  await vi.waitFor(() => expect(built).toHaveLength(2), SOON)
  expect([fair.before('other'), fair.before('neighbour'), fair.before('crowd-1-0')]).toEqual([0, 4, undefined])
  open[1]?.()
  await vi.waitFor(() => expect(built).toHaveLength(14), SOON)
  expect(built[2]).toBe('other')
  expect(built.indexOf('neighbour')).toBe(6)
  open[0]?.()
  await fair.close()
})
