import { entrantOf, runWith } from '../../../test/kit/records.js'
import { hashOfEntrant } from '../../build/index.js'
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Entrant, type GameDefinition, UserError } from '../../core/index.js'
import { fixtureOf, keyOf } from '../../engine/identity.js'
import type { PlayableRun } from '../../engine/index.js'
import { games } from '../../games/index.js'
import { judge, playMatch } from '../../match/index.js'
import type { RunDump, JobDump } from '../../store/index.js'
import { modulePlayer } from '../../index.js'
import { checkArchive } from './archive-check.js'
import { matchKey, seriesKey } from '../../tournament/keys.js'
import { archiveOf, readRun, readJobs } from '../../results/file.js'
import { tournamentOf } from '../run/same.js'
import { readTar, tarFile, TAR_END } from '../../results/tar.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-believed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const definition = games.find(({ game }) => game.id === 'samurai') as GameDefinition
const SEED = 'a seed'
const BOTS = { Bow: () => 'B', Wild: () => 'nonsense', Strike: () => 'O' }
const names = Object.keys(BOTS)

/** The writable parts of what is read: tests spoil them. */
type Loose<T> = { -readonly [K in keyof T]: Loose<T[K]> }
interface Archive {
  dump: Loose<RunDump>
  jobs: Loose<JobDump>[]
}
let good: string

const bot = (name: string): Entrant => {
  const own = entrantOf(name, { source: 'x', command: '[]', toolchain: 'node', wire: 'module' })
  return { ...own, hash: hashOfEntrant(own, {}) }
}

beforeAll(async () => {
  const written = runWith(definition, names.map(bot), {
    id: 'samurai-1',
    seed: SEED,
    contest: {
      title: 'T',
      options: { ...definition.game.options, turns: 6 },
      format: { kind: 'round-robin', repetitions: 2, swap: true, playoff: 0 },
    },
  })
  const run = { ...written, tournament: tournamentOf(written) }
  const load = async () => () => ''
  const setup: PlayableRun = {
    ...run,
    definition,
    entrants: run.entrants.map((entrant, id) => ({ ...entrant, id, run: { kind: 'module', load } })),
  }
  const jobs: JobDump[] = []
  const at = '2024-05-01T10:00:00.123Z'
  for (const [a, b] of [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const) {
    for (const seats of [
      [a, b],
      [b, a],
    ]) {
      const series = seriesKey('1', [names[a] ?? '', names[b] ?? ''])
      const pairing = { key: matchKey(series, seats[0] === a ? 1 : 2), seats, deal: 0 }
      const players = seats.map((seat) => modulePlayer(BOTS[names[seat] as keyof typeof BOTS]))
      const record = await playMatch({ definition, players, fixture: fixtureOf(setup, pairing) })
      const { faults } = judge(definition, record)
      const key = keyOf(setup, { key: pairing.key, pairings: [pairing] })
      jobs.push({ key, matches: [{ record, faults, seats, playoff: false, at }] })
    }
  }
  const { entrants, ...head } = run
  const dump: RunDump = {
    run: { ...head, ended: at, state: 'finished' },
    entrants,
    exclusions: [],
    stderr: {},
    rulings: [],
    ratings: [{ entrant: 2, kind: 'Bradley–Terry', value: 100, low: 0, high: 200 }],
    kept: [],
    log: [{ at, agon: '1.0.0', what: 'finished', detail: { played: 6, reused: 0 } }],
  }
  good = JSON.stringify({ dump, jobs })
})

const copy = (): Archive => JSON.parse(good) as Archive
async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
async function write(name: string, { dump, jobs }: Archive): Promise<string> {
  const file = join(folder, `${name.replace(/\W/g, '-')}.tgz`)
  await pipeline(Readable.from(archiveOf(dump, each(jobs))), createGzip(), createWriteStream(file))
  return file
}
const check = async (file: string) => checkArchive(file, await readRun(file), readJobs(file), definition)

it('an archive that is as it was written is taken, and refused without its digest', async () => {
  const file = await write('good', copy())
  expect(await check(file)).toBe(0)
  const without = await repacked(file, 'without', (name) => name !== 'digest.json')
  await expect(check(without)).rejects.toThrow(`${without}: it has no digest.json: it is damaged or was edited`)
})

it('a run that was not over, or in which somebody was put out or ruled, may lack matches of its schedule', async () => {
  const open = copy()
  open.jobs.pop()
  open.dump.run.state = 'open'
  expect(await check(await write('open', open))).toBe(0)
  const out = copy()
  const [bow = '', other = '', third = ''] = names
  out.dump.exclusions.push({ name: bow, status: 'withdrawn', treatment: 'void', why: '' })
  out.jobs = out.jobs.filter(({ matches }) => !item(matches).record.seats.some(({ entrant }) => entrant === bow))
  expect(out.jobs).toHaveLength(2)
  expect([other, third]).not.toContain(bow)
  expect(await check(await write('out', out))).toBe(0)
})

const item = <T>(list: readonly T[], n = 0): T => {
  const found = list[n]
  if (found === undefined) throw new Error('there is no such item')
  return found
}
const record = (archive: Archive, n = 0) => item(item(archive.jobs, n).matches).record
const edits: Record<string, [edit: (archive: Archive) => void, why: RegExp]> = {
  'an outcome': [
    (a) => void record(a, 2).outcome.place.reverse(),
    /its outcome is not what the rules make of its outputs/,
  ],
  'what was answered': [
    (a) =>
      void (record(a, 1).steps[0] = [
        [0, 'P'],
        [1, 'P'],
      ]),
    /1\/Bow-Wild\/2/,
  ],
  faults: [(a) => void item(item(a.jobs).matches).faults.pop(), /its faults are not/],
  'an entrant in its list alone': [
    (a) => void (item(a.dump.entrants).name = 'Bough'),
    /its key of its tournament|tournament/,
  ],
  'an entrant in all lists': [
    (a) => {
      item(a.dump.entrants).name = 'Bough'
      a.dump.run.tournament = tournamentOf({ ...a.dump.run, entrants: a.dump.entrants })
    },
    /are not those of its record/,
  ],
  'an entrant everywhere': [
    (a) => void Object.assign(a, JSON.parse(JSON.stringify(a).replaceAll('Bow', 'Bough'))),
    /tournament/,
  ],
  'the source of an entrant': [(a) => void (item(a.dump.entrants, 1).source = 'y'), /the hash of Wild/],
  'the seed': [(a) => void (a.dump.run.seed = 'another'), /tournament/],
  'the options': [(a) => void (a.dump.run.contest.options = { turns: 7 }), /tournament/],
  'the scoring': [(a) => void (a.dump.run.contest.scoring.win = 2), /tournament/],
  'the luck of a match': [(a) => void (record(a).luck.seed = 'x'), /its key is not/],
  'a bank that its contest has not': [
    (a) =>
      void Object.assign(record(a), {
        limits: { bank: 5000 },
        clock: record(a).steps.map((step) => step.map(() => 0)),
      }),
    /its clock followed other limits than its contest's/,
  ],
  'who sat where': [(a) => void item(item(a.jobs).matches).seats.reverse(), /are not those of its record/],
  'a stranger in a seat': [(a) => void item(item(a.jobs).matches).seats.splice(0, 1, 9), /are not those of its record/],
  'a key': [(a) => void (item(a.jobs).key = 'ab'.repeat(16)), /its key is not/],
  'a match twice': [(a) => void a.jobs.push(item(a.jobs)), /stands in it twice/],
  'an entrant twice': [(a) => void a.dump.entrants.push(item(a.dump.entrants)), /twice/],
  'a format that no contest may have': [
    ({ dump: { run, entrants } }) => {
      run.contest.format.repetitions = 2_000_000
      run.tournament = tournamentOf({ ...run, entrants })
    },
    /no contest can have its format \(repetitions: 2000000 is not a whole number/,
  ],
  'somebody else who was put out': [
    (a) => void a.dump.exclusions.push({ name: 'Zed', status: 'withdrawn', treatment: 'void', why: '' }),
    /names an entrant who is not in it/,
  ],
  'files of another tournament': [
    (a) => void a.dump.kept.push({ tournament: 'ab'.repeat(16), entrant: 'Bow', kept: { now: {} } }),
    /keeps files of another tournament/,
  ],
  'a ruling about no match': [
    (a) => void a.dump.rulings.push({ place: '9/none', outcome: record(a).outcome, why: 'x' }),
    /a ruling is about 9\/none/,
  ],
  'a ruling that gives no seat of its match a place': [
    (a) =>
      void a.dump.rulings.push({ place: record(a).key ?? '', outcome: { place: [1, 1, 1], reason: '' }, why: 'x' }),
    /gives no outcome of such a match/,
  ],
  'a ruling that gives a place beyond the last': [
    (a) => void a.dump.rulings.push({ place: record(a).key ?? '', outcome: { place: [1, 9], reason: '' }, why: 'x' }),
    /gives no outcome of such a match/,
  ],
  'a match that is not there': [(a) => void a.jobs.pop(), /it is finished, and has only 5 matches of its schedule/],
  'a playoff': [(a) => void (item(item(a.jobs).matches).playoff = true), /a playoff/],
}
describe('an archive is refused in one line that names it, where was edited, and sealed again:', () => {
  it.each(Object.entries(edits))('%s', async (name, [edit, why]) => {
    const archive = copy()
    edit(archive)
    const file = await write(name, archive)
    const error: unknown = await check(file).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UserError)
    expect(String(error)).toMatch(why)
    expect(String(error)).toContain(file)
    expect(String(error)).not.toContain('\n')
  })
})

it('a file that was edited under its digest is refused, whatever it says', async () => {
  const file = await write('sealed', copy())
  const edited = await repacked(
    file,
    'edited',
    () => true,
    (name, text) => (name === 'run.json' ? text.replace('"T"', '"U"') : text),
  )
  await expect(check(edited)).rejects.toThrow(/not those that its digest was taken over/)
})

it('what run.json may not say is refused: wrong kinds, paths out of a folder, keys of prototypes', async () => {
  const spoil = (from: string | RegExp, to: string) => async () => {
    const file = await write('said', copy())
    const other = await repacked(
      file,
      'said-otherwise',
      () => true,
      (name, text) => (name === 'run.json' ? text.replace(from, to) : text),
    )
    return readRun(other)
  }
  for (const [from, to] of [
    ['"version": 1', '"version": 1e999'],
    ['"house": false', '"house": "no"'],
    // It would stand in the place of the rank that was computed.
    ['"facts": {}', '"facts": {"rank": "1"}'],
    [
      '"kept": []',
      `"kept": [{"tournament": "${'ab'.repeat(16)}", "entrant": "Bow", "kept": {"now": {"../x": "AA=="}}}]`,
    ],
    [
      '"kept": []',
      `"kept": [{"tournament": "${'ab'.repeat(16)}", "entrant": "Bow", "kept": {"now": {"__proto__": {"a": 1}}}}]`,
    ],
    ['"stderr": {}', '"stderr": {"__proto__": {"a": 1}}'],
    ['"ties": []', '"ties": [{}]'],
    ['"id": "samurai-1"', '"id": "samurai-1", "history": 5'],
    ['"id": "samurai-1"', '"id": "samurai-1", "mute": [1]'],
    ['"playoff": 0', '"playoff": 0, "size": "2"'],
    ['"title": "T"', '"title": "T\\u0000"'],
    ['"seed": "a seed"', '"seed": "a seed\\ud800"'],
    ['"id": "samurai-1"', '"id": "\\u001b[2J"'],
  ] as const)
    await expect(spoil(from, to)(), to).rejects.toThrow(/run\.json/)
})

/** The archive with only those of its files, their texts changed. */
async function repacked(
  file: string,
  name: string,
  keeps: (name: string) => boolean,
  change: (name: string, text: string) => string = (_, text) => text,
): Promise<string> {
  const { createReadStream } = await import('node:fs')
  const { createGunzip } = await import('node:zlib')
  const parts: Buffer[] = []
  for await (const { name: one, data } of readTar(createReadStream(file).pipe(createGunzip()) as AsyncIterable<Buffer>))
    if (keeps(one)) parts.push(tarFile(one, Buffer.from(change(one, data.toString()))))
  const other = join(folder, `${name.replace(/\W/g, '-')}.tgz`)
  await pipeline(Readable.from([...parts, TAR_END]), createGzip(), createWriteStream(other))
  return other
}
