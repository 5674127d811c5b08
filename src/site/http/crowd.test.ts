import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Problem, TestSite } from '../../../test/site/site.js'

/* A contest of many entrants: what one request may take of the thread that answers everybody. */

const MANY = 300
let site: TestSite
let id: string
let token: string
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(1)
  token = (await site.contestants(id, 'Ada')).get('Ada') ?? ''
  for (let n = 0; n < MANY; n++) {
    const spec = JSON.stringify({ name: `Bot ${n}`, command: 'python3 bot.py' })
    site.services.site.site.addEntry({
      id: `entry-${n}`,
      contest: id,
      contestant: 1,
      name: `Bot ${n}`,
      state: 'playing',
      spec,
      bytes: 1,
      hash: `h${n}`,
    })
  }
  // A request that reads the files of all entrants, and not only of the ones asked for, fails on this one.
  const folder = join(site.workspace, 'uploads', 'entry-7')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'bot.toml'), 'this is no TOML')
})
afterAll(() => site.remove())

describe('among many entrants', () => {
  it('a person is seated by the files of the opponents alone', async () => {
    const { status, body } = await site.ask('POST', '/sittings', { body: { contest: id, opponents: ['Abacus'] } })
    expect([status, body]).toEqual([201, expect.objectContaining({ names: ['Abacus', 'you'] })])
    const unknown = await site.ask<Problem>('POST', '/sittings', { body: { contest: id, opponents: ['Bot 3000'] } })
    expect(unknown.status).toBe(400)
    expect(unknown.body.detail).toMatch(/did you mean "Bot \d+"\?/)
  })

  it('a refusal lists a few of them', async () => {
    const { body } = await site.ask<Problem>('POST', '/sittings', { body: { contest: id, opponents: ['?'] } })
    expect(body.detail).toMatch(/there are Hedgehog, Abacus, .*Bot 17, 282 more$/)
  })

  it('no files are read for a request that is refused', async () => {
    const asked = { token, body: { matches: 'void' } }
    expect((await site.ask('POST', `/contests/${id}/entrants/Hedgehog/withdraw`, asked)).status).toBe(403)
  })

  it('a page of them is made of those that it shows', async () => {
    const first = await site.ask<{ items: { name: string; contestant: string }[]; next: string }>(
      'GET',
      `/contests/${id}/entries?limit=2`,
    )
    expect(first.body.items).toMatchObject([
      { name: `Bot ${MANY - 1}`, contestant: 'Ada' },
      { name: `Bot ${MANY - 2}`, contestant: 'Ada' },
    ])
    const second = await site.ask('GET', `/contests/${id}/entries?limit=2&cursor=${first.body.next}`)
    expect(second.body).toMatchObject({ items: [{ name: `Bot ${MANY - 3}` }, { name: `Bot ${MANY - 4}` }] })
  })

  it('a name that is too long is compared with no other', async () => {
    const form = new FormData()
    // To a reader it is the house bot's.
    form.set('name', `Hedgehog${'\u200b'.repeat(1000)}`)
    form.set('command', 'python3 bot.py')
    form.append('files', new File(['print(1)'], 'bot.py'))
    const { status, body } = await site.ask<Problem>('POST', `/contests/${id}/entries`, { token, form })
    expect([status, body.detail]).toEqual([400, expect.stringContaining('longer than 64 characters')])
  })
})
