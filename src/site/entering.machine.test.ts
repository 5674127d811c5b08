import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tarGzOf, zipOf } from '../../test/site/archives.js'
import { type Problem, TestSite } from '../../test/site/site.js'
import type { BotFaults, EntrantPage as EntrantFacts } from './entrants.js'
import type { Entry } from './entries.js'
import type { Standings } from './standings.js'
import { findIsolation } from '../sandbox/index.js'

const { launcher, program } = await findIsolation()

let site: TestSite
let id: string
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(2)
  tokens = (await site.contestants(id, 'Ada', 'Bob')).set('Host', site.host)
})
afterAll(() => site.remove())

/** Bows each turn, and prints a figure of itself. */
const BOT = 'echo agon:bows=1 >&2; echo B\n'

function form(
  name: string,
  files: Readonly<Record<string, string | Buffer>>,
  more: Readonly<Record<string, string>> = {},
): FormData {
  const data = new FormData()
  for (const [field, text] of Object.entries({ name, command: 'sh bot.sh', ...more })) data.set(field, text)
  for (const [path, text] of Object.entries(files)) data.append('files', new Blob([text as never]), path)
  return data
}
function archived(name: string, archive: Buffer): FormData {
  const data = form(name, {})
  data.set('archive', new Blob([new Uint8Array(archive)]), 'bot.zip')
  return data
}
const enter = (who: string, sent: FormData, contest = id) =>
  site.ask<{ id: string; version: number } & Problem>('POST', `/contests/${contest}/entries`, {
    token: tokens.get(who),
    form: sent,
  })
const look = async (entry: string, who?: string) =>
  (await site.ask<Entry>('GET', `/entries/${entry}`, who === undefined ? {} : { token: tokens.get(who) ?? site.host }))
    .body
const settled = (entry: string) => site.until(async () => ['rejected', 'placed'].includes((await look(entry)).state))

describe.skipIf(launcher === undefined || program === undefined)('a bot that is entered', () => {
  it('is built, checked, plays what is missing, and stands in the table; its log is its owner’s', async () => {
    await site.finish(id)
    const { status, body } = await enter('Ada', archived('Heron', zipOf([{ name: 'heron/bot.sh', data: BOT }])))
    expect([status, body.version]).toEqual([202, 1])
    await settled(body.id)
    expect(await look(body.id, 'Ada')).toMatchObject({ name: 'Heron', state: 'placed', contestant: 'Ada' })
    expect((await look(body.id, 'Ada')).log).toContain('ok: it is found and built')
    for (const place of [site.workspace, process.cwd(), homedir()])
      expect((await look(body.id, 'Ada')).log).not.toContain(place)
    expect((await look(body.id, 'Host')).log).toBeDefined()
    for (const other of ['Bob', undefined]) expect(await look(body.id, other)).not.toHaveProperty('log')
    const { rows } = (await site.ask<Standings>('GET', `/contests/${id}/standings`)).body
    expect(Object.fromEntries(rows.map(({ name, matches }) => [name, matches]))).toEqual({
      Heron: 4,
      Abacus: 4,
      Hedgehog: 4,
    })
  }, 120_000)

  it('has versions; the newest that was taken plays', async () => {
    const staged = (): string[] => readdirSync(join(site.workspace, 'entrants'))
    const before = staged().join()
    const { body } = await enter('Ada', form('Heron', { 'bot.sh': 'kill -9 $$\n' }))
    expect(body.version).toBe(2)
    await settled(body.id)
    expect(await look(body.id, 'Ada')).toMatchObject({ state: 'rejected' })
    expect((await look(body.id, 'Ada')).log).toContain('not ok')
    expect(existsSync(join(site.workspace, 'uploads', body.id))).toBe(false)
    // Nor is anything left of what it has staged: the first version's is.
    await site.until(() => Promise.resolve(staged().join() === before))
    const { items } = (await site.ask<{ items: Entry[] }>('GET', `/contests/${id}/entries`)).body
    expect(items.map(({ name, version }) => [name, version])).toEqual([['Heron', 1]])
  })

  it('shows its source, and what it was sent and wrote, to its owner and the host alone', async () => {
    const [heron] = (await site.ask<{ items: Entry[] }>('GET', `/contests/${id}/entries`)).body.items
    const ask = (path: string, who?: string) =>
      site.ask('GET', path, who === undefined ? {} : { token: tokens.get(who) ?? '' })
    const sources = `/entries/${heron?.id}/sources`
    for (const who of ['Ada', 'Host'])
      expect((await ask(sources, who)).body).toEqual({
        items: [{ path: 'bot.sh', bytes: BOT.length, text: BOT }],
        next: null,
      })
    expect((await ask(sources, 'Bob')).status).toBe(403)
    expect((await ask(sources)).status).toBe(401)
    const faults = `/contests/${id}/entrants/Heron/faults`
    for (const who of ['Ada', 'Host']) expect((await ask(faults, who)).body).toHaveProperty('stderr')
    for (const who of ['Bob', undefined]) expect((await ask(faults, who)).body).not.toHaveProperty('stderr')
  })

  it('shows what it printed of itself to its owner and the host alone', async () => {
    const { items } = (await site.ask<{ items: { id: number }[] }>('GET', `/contests/${id}/matches?bot=Heron&limit=1`))
      .body
    const seen = async (who?: string) =>
      (
        await site.ask<{ steps: unknown[]; figures?: [number, number, string, number][] }>(
          'GET',
          `/matches/${items[0]?.id}`,
          who === undefined ? {} : { token: tokens.get(who) ?? '' },
        )
      ).body
    for (const who of ['Ada', 'Host']) {
      const { figures, steps } = await seen(who)
      expect(figures?.map(([step, , name, value]) => [step, name, value])).toEqual(steps.map((_, i) => [i, 'bows', 1]))
    }
    for (const who of ['Bob', undefined]) {
      const record = await seen(who)
      expect(record).toHaveProperty('steps')
      expect(record).not.toHaveProperty('figures')
    }
  })

  it('is withdrawn by its owner alone, and none of its matches counts', async () => {
    const out = (who: string) =>
      site.ask('POST', `/contests/${id}/entrants/Heron/withdraw`, { token: tokens.get(who) ?? '' })
    expect((await out('Bob')).status).toBe(403)
    expect((await out('Ada')).body).toEqual({ note: 'Heron is withdrawn: none of its matches counts' })
    expect((await out('Ada')).status).toBe(409)
    await site.until(async () => {
      const { rows } = (await site.ask<Standings>('GET', `/contests/${id}/standings`)).body
      return rows.length === 2
    })
  })
})

describe('an upload is refused', () => {
  it.each([
    ['another’s name', 'Bob', form('Heron', { 'bot.sh': BOT }), 403],
    ['a house bot’s name', 'Host', form('abacus', { 'bot.sh': BOT }), 403],
    ['a path out of the folder', 'Host', form('X', { '../../x.sh': BOT }), 400],
    ['no file', 'Host', form('X', {}), 400],
    ['no name', 'Host', form('', { 'bot.sh': BOT }), 400],
    ['a name with a slash', 'Host', form('a/b', { 'bot.sh': BOT }), 400],
    ['a command whose file is not there', 'Host', form('X', { 'bot.sh': BOT }, { command: 'sh other.sh' }), 202],
    ['a program of the host', 'Host', form('X', { 'bot.sh': BOT }, { command: '/root/secret' }), 202],
    ['an unknown wire', 'Host', form('X', { 'bot.sh': BOT }, { wire: 'morse' }), 400],
    ['an unknown field', 'Host', form('X', { 'bot.sh': BOT }, { house: 'Abacus' }), 400],
    ['nothing to start', 'Host', form('X', { 'notes.txt': BOT }, { command: '' }), 400],
    ['a link', 'Host', archived('X', tarGzOf([{ name: 'bot.sh', type: '2', link: '/etc/passwd' }])), 400],
    ['a hard link', 'Host', archived('X', tarGzOf([{ name: 'bot.sh', type: '1', link: '/etc/passwd' }])), 400],
    ['a device', 'Host', archived('X', tarGzOf([{ name: 'bot.sh', type: '3' }])), 400],
    ['an archive that leads out', 'Host', archived('X', zipOf([{ name: '../../x.sh', data: BOT }])), 400],
    ['an absolute path', 'Host', form('X', { '/etc/x.sh': BOT }), 400],
    ['a path of Windows', 'Host', form('X', { 'C:\\x\\bot.sh': BOT }), 400],
    ['a name that is read backwards', 'Host', form('X', { 'bot\u202Ehs.txt': BOT }), 400],
    [
      'a bomb',
      'Host',
      archived('X', zipOf([{ name: 'bot.sh', data: Buffer.alloc(1024 ** 2), deflated: true, size: 10 }])),
      400,
    ],
    ['no archive', 'Host', archived('X', Buffer.from('no archive')), 400],
    ['nobody', 'Nobody', form('X', { 'bot.sh': BOT }), 401],
  ])('%s', async (_, who, sent, status) => {
    const answer = await enter(who, sent)
    expect(answer.status).toBe(status)
    expect(answer.text).not.toContain(site.workspace)
    if (status === 202) {
      await settled(answer.body.id)
      expect((await look(answer.body.id, 'Host')).state).toBe('rejected')
      expect((await look(answer.body.id, 'Host')).log).not.toContain(site.workspace)
    }
  })

  it('and leaves nothing behind', () => {
    const uploads = join(site.workspace, 'uploads')
    const left = existsSync(uploads) ? readdirSync(uploads) : []
    expect(left.length).toBeLessThanOrEqual(1)
  })

  it('of another contest’s contestant', async () => {
    const other = await site.contest(1)
    expect((await enter('Ada', form('X', { 'bot.sh': BOT }), other)).status).toBe(403)
  })

  it('in more versions than may wait', async () => {
    const all = await Promise.all(['A', 'B', 'C', 'D', 'E'].map((name) => enter('Bob', form(name, { 'bot.sh': BOT }))))
    expect(all.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(1)
  })
})

describe('contestants', () => {
  it('come in by the host, or by themselves where the contest allows it', async () => {
    const named = (contest: string, name: string, token?: string) =>
      site.ask('POST', `/contests/${contest}/contestants`, { body: { name }, token })
    expect((await named(id, 'Eve')).status).toBe(401)
    expect((await named(id, 'Eve', tokens.get('Ada'))).status).toBe(403)
    expect((await named(id, 'Ada', site.host)).status).toBe(409)
    expect((await named(id, ' ', site.host)).status).toBe(400)
    expect((await named(id, '\u200b', site.host)).status).toBe(400)
    for (const alike of ['ada', 'Ad\u200ba', '\uff21da'])
      expect((await named(id, alike, site.host)).body).toMatchObject({
        status: 409,
        detail: `"${alike}" looks like the name of another contestant: choose another`,
      })
    const open = await site.contest(1, 'signup = true')
    expect((await named(open, 'Eve')).status).toBe(201)
  })
})

describe.skipIf(launcher === undefined || program === undefined)('a bot', { timeout: 120_000 }, () => {
  it('is checked with the memory and the limits of its contest', async () => {
    const other = await site.contest(1, 'strict_memory = true\n[limits]\nturn = 777')
    const { body } = await enter('Host', form('Stays', { 'bot.sh': BOT }, { wire: 'jsonl' }), other)
    await site.until(async () => (await look(body.id, 'Host')).state !== 'building')
    const { log } = await look(body.id, 'Host')
    expect(log).toContain('memory:  a match')
    expect(log).toContain('turn 777 ms')
  })

  it('that errs shows the host what it was sent and answered, and others only that it erred', async () => {
    const other = await site.contest(2)
    await site.ask('POST', `/contests/${other}/start`, { token: site.host })
    const script = 'case "$*" in *B*) echo lost >&2; echo xyz;; *) echo B;; esac\n'
    const { body } = await enter('Host', form('Crane', { 'bot.sh': script }), other)
    await settled(body.id)
    expect((await look(body.id, 'Host')).state).toBe('placed')
    const ask = async (token?: string) =>
      (
        await site.ask<BotFaults>(
          'GET',
          `/contests/${other}/entrants/Crane/faults?limit=1`,
          token === undefined ? {} : { token },
        )
      ).body
    const own = await ask(site.host)
    expect(own.items[0]).toMatchObject({ kind: 'unparsable' })
    expect(own.items[0]?.exchange?.join('\n')).toMatch(/sent arguments: [^]*answered: +"xyz/)
    expect(own.stderr).toContain('lost')
    for (const others of [await ask(), await ask(tokens.get('Ada'))]) {
      expect(others.items.map(({ match, turn }) => [match, turn])).toEqual(
        own.items.map(({ match, turn }) => [match, turn]),
      )
      expect(others.items.some((fault) => fault.exchange !== undefined)).toBe(false)
      expect(others).not.toHaveProperty('stderr')
    }
    const page = (await site.ask<EntrantFacts>('GET', `/contests/${other}/entrants/Crane`)).body
    expect(page.versions).toMatchObject([{ version: 1, state: 'placed', matches: 4 }])
    expect(page.versions[0]?.rating).toBeTypeOf('number')
    expect(page.best.length + page.worst.length).toBeGreaterThan(0)
  })
})
