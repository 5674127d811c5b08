import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Problem, TestSite } from '../../test/site/site.js'
import type { EntryFacts } from '../app/site/entries.js'

/* What contestants may claim: names, places, and to be back in a contest. */

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
function form(name: string): FormData {
  const data = new FormData()
  data.set('name', name)
  data.set('command', 'sh bot.sh')
  data.set('files', new Blob(['echo B\n']), 'bot.sh')
  return data
}
const enter = (who: string, name: string, contest = id) =>
  site.ask<{ id: string } & Problem>('POST', `/contests/${contest}/entries`, { ...token(who), form: form(name) })
const out = (who: string, name: string, verb: 'withdraw' | 'disqualify') =>
  site.ask<Problem & { note: string }>(
    'POST',
    `/contests/${id}/entrants/${encodeURIComponent(name)}/${verb}`,
    token(who),
  )
const built = (entry: string) =>
  site.until(async () => (await site.ask<EntryFacts>('GET', `/entries/${entry}`)).body.state !== 'building')

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

  it('of a contestant is nobody else’s', async () => {
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
    const { items } = (await site.ask<{ items: EntryFacts[] }>('GET', `/contests/${other}/entries`)).body
    expect(items.map(({ name }) => name).sort()).toEqual(['__proto__', 'constructor'])
  })
})

describe('a bot that is out', { timeout: 120_000 }, () => {
  it('is out before it has played, where its owner withdraws it while it is built', async () => {
    const { body } = await enter('Bob', 'Crane')
    expect((await out('Ada', 'Crane', 'withdraw')).status).toBe(403)
    expect((await out('Bob', 'Crane', 'withdraw')).body.note).toContain('Crane is withdrawn')
    await built(body.id)
    expect(await site.services.site.site.exclusions(id)).toMatchObject([{ name: 'Crane', status: 'withdrawn' }])
  })

  it('stays out where the host has put it out: its owner neither withdraws nor enters it', async () => {
    expect((await out('Host', 'Heron', 'disqualify')).status).toBe(200)
    const again = await out('Ada', 'Heron', 'withdraw')
    expect([again.status, again.body.detail]).toEqual([409, 'Heron is disqualified already'])
    expect((await enter('Ada', 'Heron')).status).toBe(403)
    // An upload that was on its way does not let it in, either.
    await site.services.site.site.include(id, 'Heron')
    expect(await site.services.site.site.exclusions(id)).toContainEqual(
      expect.objectContaining({ name: 'Heron', status: 'disqualified' }),
    )
  })
})
