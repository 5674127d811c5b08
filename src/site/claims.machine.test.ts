import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Problem, TestSite } from '../../test/site/site.js'
import type { Entry } from './entries.js'
import { findIsolation } from '../sandbox/index.js'

/* What contestants may claim: names, places, and to be back in a contest. */

const { launcher, program } = await findIsolation()

let site: TestSite
let id: string
const tokens = new Map<string, string>()
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(1, 'entries_per_author = 2')
  for (const name of ['Ada', 'Bob']) tokens.set(name, (await come(name)).body.token)
  tokens.set('Host', site.host)
})
afterAll(() => site.remove())

const token = (who: string): { readonly token: string } => ({ token: tokens.get(who) ?? '' })
const come = (name: string, contest = id) =>
  site.ask<{ token: string } & Problem>('POST', `/contests/${contest}/contestants`, {
    token: site.host,
    body: { name },
  })
function form(name: string, script = 'echo B\n'): FormData {
  const data = new FormData()
  data.set('name', name)
  data.set('command', 'sh bot.sh')
  data.set('files', new Blob([script]), 'bot.sh')
  return data
}
const enter = (who: string, name: string, contest = id, script?: string) =>
  site.ask<{ id: string } & Problem>('POST', `/contests/${contest}/entries`, {
    ...token(who),
    form: form(name, script),
  })
const out = (who: string, name: string, verb: 'withdraw' | 'disqualify') =>
  site.ask<Problem & { note: string }>(
    'POST',
    `/contests/${id}/entrants/${encodeURIComponent(name)}/${verb}`,
    token(who),
  )
const built = (entry: string) =>
  site.until(async () => (await site.ask<Entry>('GET', `/entries/${entry}`)).body.state !== 'building')

describe('a name', { timeout: 120_000 }, () => {
  it('that looks like another contestant’s, or like a house bot’s, is refused', async () => {
    const { body } = await enter('Ada', 'Heron')
    for (const name of ['heron', 'Нerоn', 'He\u200bron', 'Abаcus']) {
      const answer = await enter('Bob', name)
      expect([name, answer.status, answer.body.detail]).toEqual([name, 403, expect.stringContaining('looks like it')])
    }
    expect((await enter('Ada', 'HERON')).body.detail).toContain('your bot is called "Heron"')
    await built(body.id)
  })

  it.each(['a\u202eb', '\u3164', 'Z\u0300\u0301\u0302\u0303\u0304'])('%j stands in no table', async (name) => {
    expect((await enter('Bob', name)).status).toBe(400)
    expect((await come(name)).status).toBe(400)
  })

  it('of a contestant is given to no other', async () => {
    for (const name of ['ada', 'Аda', 'Ada\u200d']) expect([name, (await come(name)).status]).toEqual([name, 409])
  })

  it('that two claim in the same moment is one’s', async () => {
    const other = await site.contest(1)
    for (const name of ['Cleo', 'Dora']) tokens.set(name, (await come(name, other)).body.token)
    const all = await Promise.all([enter('Cleo', 'Swan', other), enter('Dora', 'SWAN', other)])
    expect(all.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, 403])
    const people = await Promise.all([come('Eve', other), come('EVE', other)])
    expect(people.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409])
    for (const { status, body } of all) if (status === 202) await built(body.id)
  })

  it('that every object has is a name like any other', async () => {
    const other = await site.contest(1)
    const { body } = await enter('Host', '__proto__', other)
    await built(body.id)
    await enter('Host', 'constructor', other)
    await site.finish(other)
    const { items } = (await site.ask<{ items: Entry[] }>('GET', `/contests/${other}/entries`, { token: site.host }))
      .body
    expect(items.map(({ name }) => name).sort()).toEqual(['__proto__', 'constructor'])
  })
})

describe('a contest', { timeout: 120_000 }, () => {
  it('that is resumed while it is being paused goes on, and is begun once by two who start it', async () => {
    const other = await site.contest(1)
    const { runner, site: context } = site.services
    runner.start(other)
    runner.start(other)
    const paused = runner.pause(other)
    runner.start(other)
    await paused
    await site.until(async () => context.site.contest(other)?.state === 'finished')
    const states = context.site.eventsAfter(other, 0, 100).filter(({ kind }) => kind === 'state')
    expect(states.map(({ data }) => (data as { state: string }).state)).toEqual([
      'playing',
      'paused',
      'playing',
      'finished',
    ])
  })
})

describe('a bot that is out', { timeout: 120_000 }, () => {
  it('is out before it has played, where its owner withdraws it while it is built', async () => {
    const { body } = await enter('Bob', 'Crane')
    expect((await out('Ada', 'Crane', 'withdraw')).status).toBe(403)
    expect((await out('Bob', 'Crane', 'withdraw')).body.note).toContain('Crane is withdrawn')
    await built(body.id)
    expect(site.services.site.site.exclusions(id)).toMatchObject([{ name: 'Crane', status: 'withdrawn' }])
  })

  it('stays out where the host has put it out: its owner neither withdraws nor enters it', async () => {
    expect((await out('Host', 'Heron', 'disqualify')).status).toBe(200)
    const again = await out('Ada', 'Heron', 'withdraw')
    expect([again.status, again.body.detail]).toEqual([409, 'Heron is disqualified already'])
    expect((await enter('Ada', 'Heron')).status).toBe(403)
    // A version that was on its way, and is taken, does not let it in, either.
    const { contestant } = site.services.site.site.entries(id).find((one) => one.name === 'Heron') ?? {}
    const late = { id: 'late', contest: id, contestant: contestant ?? 0, name: 'Heron', state: 'playing' } as const
    site.services.site.site.addEntry({
      ...late,
      spec: '{}',
      bytes: 0,
    })
    site.services.site.site.changeEntry('late', { state: 'rejected' })
    expect(site.services.site.site.exclusions(id)).toContainEqual(
      expect.objectContaining({ name: 'Heron', status: 'disqualified' }),
    )
  })
})

describe.skipIf(launcher === undefined || program === undefined)(
  'a version that is rejected',
  { timeout: 120_000 },
  () => {
    const BROKEN = 'exit 3\n'
    let other: string
    beforeAll(async () => {
      other = await site.contest(1)
      for (const name of ['Fay', 'Gil']) tokens.set(name, (await come(name, other)).body.token)
    })
    const sent = async (who: string, name: string, script?: string): Promise<Entry['state'] | number> => {
      const { status, body } = await enter(who, name, other, script)
      if (status !== 202) return status
      await built(body.id)
      return (await site.ask<Entry>('GET', `/entries/${body.id}`, token(who))).body.state
    }
    const listed = async (who?: string) =>
      (
        await site.ask<{ items: Entry[] }>('GET', `/contests/${other}/entries`, who === undefined ? {} : token(who))
      ).body.items.map(({ name, version }) => `${name} ${version}`)

    it('does not keep its name, and one that was accepted keeps it', async () => {
      expect(await sent('Fay', 'Wren', BROKEN)).toBe('rejected')
      expect(await sent('Gil', 'WREN', BROKEN)).toBe('rejected')
      expect(await sent('Fay', 'Wren', BROKEN)).toBe('rejected')
      expect(await sent('Gil', 'Wren')).toBe('playing')
      expect(await sent('Fay', 'Wren')).toBe(403)
      // A later version that is rejected leaves the name where it is.
      expect(await sent('Gil', 'Wren', BROKEN)).toBe('rejected')
      expect(await sent('Fay', 'wren')).toBe(403)
      // Only Gil reads what Wren prints, though another asked for the name first.
      const { items } = (await site.ask<{ items: Entry[] }>('GET', `/contests/${other}/entries`)).body
      expect(items).toMatchObject([{ name: 'Wren', contestant: 'Gil' }])
    })

    it('is told to its owner and the host alone', async () => {
      const { body } = await enter('Fay', 'Secret', other, BROKEN)
      expect((await listed()).join()).not.toContain('Secret')
      await built(body.id)
      for (const who of ['Gil', undefined]) expect((await listed(who)).join()).not.toContain('Secret')
      for (const who of ['Fay', 'Host']) expect((await listed(who)).join()).toContain('Secret')
      // A caller that has its id learns how it ended, and nothing else.
      const seen = async (who?: string) =>
        (await site.ask('GET', `/entries/${body.id}`, who === undefined ? {} : token(who))).body
      for (const who of ['Gil', undefined])
        expect(await seen(who)).toEqual({
          id: body.id,
          contest: other,
          state: 'rejected',
          created: expect.any(String) as string,
        })
      for (const who of ['Fay', 'Host']) expect(await seen(who)).toMatchObject({ name: 'Secret', version: 1 })
      const stream = await site.app.fetch(
        new Request(`http://localhost/api/v1/contests/${other}/events`, { headers: { 'last-event-id': '.0.0' } }),
      )
      const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
      const decoder = new TextDecoder()
      let text = ''
      while (!text.endsWith('"state":"rejected"}\n\n')) text += decoder.decode((await reader.read()).value)
      await reader.cancel()
      expect(text).toMatch(/"name":"Wren","version":3,"state":"playing"/)
      expect(text).not.toContain('Secret')
      expect(text).not.toContain(body.id)
    })

    it('stays untold when its contest is over and all else is published', async () => {
      const over = await site.contest(1, 'publish = true')
      tokens.set('Hal', (await come('Hal', over)).body.token)
      await site.finish(over)
      const { body } = await enter('Hal', 'Hidden', over, BROKEN)
      await built(body.id)
      const { items } = (await site.ask<{ items: Entry[] }>('GET', `/contests/${over}/entries`)).body
      expect(items).toEqual([])
      expect((await site.ask('GET', `/entries/${body.id}`)).text).not.toContain('Hidden')
    })

    it('does not bring back a bot that was withdrawn; one that is taken does', async () => {
      const { site: known } = site.services.site
      const withdraw = () => site.ask('POST', `/contests/${other}/entrants/Wren/withdraw`, token('Gil'))
      expect((await withdraw()).status).toBe(200)
      expect(await sent('Gil', 'Wren', BROKEN)).toBe('rejected')
      expect(known.exclusions(other)).toMatchObject([{ name: 'Wren', status: 'withdrawn' }])
      expect((await withdraw()).status).toBe(409)
      // To withdraw it again while it is built withdraws this version.
      const { body } = await enter('Gil', 'Wren', other)
      expect((await withdraw()).status).toBe(200)
      await built(body.id)
      expect(known.exclusions(other)).toMatchObject([{ name: 'Wren', status: 'withdrawn' }])
      expect(await sent('Gil', 'Wren')).toBe('playing')
      expect(known.exclusions(other)).toEqual([])
    })
  },
)
