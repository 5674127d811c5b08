import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Problem, TestSite } from '../../test/site/site.js'
import { Drafts } from './drafts.js'
import type { DraftFacts } from '../core/site-facts.js'
import type { EntryFacts } from './entries.js'
import type { TrialFacts } from './trials.js'
import { findIsolation } from '../sandbox/index.js'

const { launcher, program } = await findIsolation()

let site: TestSite
let id: string
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(1)
  tokens = (await site.contestants(id, 'Ada', 'Bob')).set('Host', site.host)
})
afterAll(() => site.remove())

const by = (who: string) => (tokens.has(who) ? { token: tokens.get(who) as string } : {})
function send(who: string, name: string, script: string) {
  const form = new FormData()
  form.set('name', name)
  form.set('command', 'sh bot.sh')
  form.set('files', new Blob([script]), 'bot.sh')
  return site.ask<{ id: string } & Problem>('POST', `/contests/${id}/drafts`, { ...by(who), form })
}
const look = (who: string, draft: string) => site.ask<DraftFacts & Problem>('GET', `/drafts/${draft}`, by(who))
const act = (who: string, draft: string, verb: 'submit' | 'discard') =>
  site.ask<{ id: string; version: number } & Problem>('POST', `/drafts/${draft}/${verb}`, by(who))
const trial = (who: string, entry: string, opponents: readonly string[]) =>
  site.ask<TrialFacts & Problem>('POST', `/contests/${id}/trials`, { ...by(who), body: { entry, opponents } })
const checked = (who: string, draft: string) =>
  site.until(async () => (await look(who, draft)).body.state !== 'building')
const entries = async () => (await site.ask<{ items: EntryFacts[] }>('GET', `/contests/${id}/entries`)).body.items
/** Folders of drafts that lie there. */
const folders = (): readonly string[] =>
  readdirSync(join(site.workspace, 'drafts'), { withFileTypes: true }).flatMap(({ name }) =>
    readdirSync(join(site.workspace, 'drafts', name)),
  )

const BOT = 'echo noted >&2; echo B\n'

describe.skipIf(launcher === undefined || program === undefined)('a bot that is tried before it is entered', () => {
  it('is built, checked and tried, and is in no contest until it is submitted', { timeout: 300_000 }, async () => {
    const { status, body } = await send('Ada', 'Heron', BOT)
    expect(status).toBe(202)
    await checked('Ada', body.id)
    const { body: draft } = await look('Ada', body.id)
    expect(draft).toMatchObject({ contest: id, name: 'Heron', state: 'ready' })
    expect(draft.log).toContain('ok: it is found and built')
    expect(draft.log).not.toContain(site.workspace)
    expect((await look('Host', body.id)).status).toBe(200)
    // Against an entrant of the contest, and against a house bot that is none.
    for (const opponent of ['Abacus', 'Hothead']) {
      const { body: played } = await trial('Ada', body.id, [opponent])
      expect(played).toMatchObject({ record: { seats: [{ entrant: 'Heron' }, { entrant: opponent }] }, faults: [] })
      expect(played.stderr).toContain('noted')
    }
    expect((await trial('Ada', body.id, ['Abacu'])).body.detail).toContain('did you mean "Abacus"?')
    // Another contestant neither sees nor plays it.
    for (const answer of [look('Bob', body.id), trial('Bob', body.id, ['Abacus'])])
      expect((await answer).status).toBe(404)
    for (const verb of ['submit', 'discard'] as const) expect((await act('Bob', body.id, verb)).status).toBe(404)
    expect(await entries()).toEqual([])
    // What keeps it out when it is submitted leaves it as it was.
    const { site: known } = site.services.site
    await known.exclude(id, { name: 'Heron', status: 'disqualified', treatment: 'void', why: '' })
    expect((await act('Ada', body.id, 'submit')).status).toBe(403)
    await known.exclude(id, { name: 'Heron', status: 'withdrawn', treatment: 'void', why: '' })
    expect((await act('Ada', body.id, 'submit')).body).toEqual({ id: body.id, version: 1 })
    expect(await entries()).toMatchObject([{ id: body.id, name: 'Heron', version: 1, state: 'playing' }])
    const entered = await site.ask<EntryFacts>('GET', `/entries/${body.id}`, by('Ada'))
    expect(entered.body.log).toBe(draft.log)
    const sources = await site.ask('GET', `/entries/${body.id}/sources`, by('Ada'))
    expect(sources.body).toMatchObject({ items: [{ path: 'bot.sh', text: BOT }] })
    expect((await look('Ada', body.id)).status).toBe(404)
    expect(folders()).toEqual([])
    await site.finish(id)
    const standings = await site.ask<{ rows: { name: string }[] }>('GET', `/contests/${id}/standings`)
    expect(standings.body.rows.map(({ name }) => name).sort()).toEqual(['Abacus', 'Hedgehog', 'Heron'])
  })

  it('that cannot play is neither tried nor entered, and goes when it is discarded', { timeout: 300_000 }, async () => {
    const { body } = await send('Bob', 'Crane', 'exit 3\n')
    await checked('Bob', body.id)
    const { body: draft } = await look('Bob', body.id)
    expect([draft.state, draft.log]).toEqual(['rejected', expect.stringContaining('not ok')])
    expect((await trial('Bob', body.id, ['Abacus'])).status).toBe(409)
    expect((await act('Bob', body.id, 'submit')).status).toBe(409)
    expect((await act('Bob', body.id, 'discard')).status).toBe(200)
    expect((await look('Bob', body.id)).status).toBe(404)
    await site.until(async () => folders().length === 0)
    expect((await entries()).map(({ name }) => name)).toEqual(['Heron'])
  })
})

describe('a draft', () => {
  it('takes the place of the one that its owner has in the contest', async () => {
    const first = (await send('Bob', 'First', BOT)).body.id
    const second = (await send('Bob', 'Second', BOT)).body.id
    expect((await look('Bob', first)).status).toBe(404)
    expect((await look('Bob', second)).body.name).toBe('Second')
    await act('Bob', second, 'discard')
    await site.until(async () => folders().length === 0)
  })

  it('is refused as an entry is', async () => {
    expect((await send('Bob', 'Abacus', BOT)).status).toBe(403)
    expect((await send('Bob', 'a/b', BOT)).status).toBe(400)
    expect((await send('Nobody', 'X', BOT)).status).toBe(401)
    expect(folders()).toEqual([])
  })

  it('goes after a while, with its files', async () => {
    const { site: context, builder } = site.services
    const drafts = new Drafts(context, builder, 1)
    const files = [{ path: 'bot.sh', data: Buffer.from(BOT) }]
    const sent = { words: { name: 'Late', command: 'sh bot.sh' }, files }
    const draft = await drafts.add(id, sent, { role: 'host' })
    await site.until(async () => {
      try {
        return !drafts.facts(draft.id, { role: 'host' })
      } catch {
        return true
      }
    })
    await site.until(async () => folders().length === 0)
    drafts.close()
  })
})
