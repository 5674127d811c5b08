import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contestOf } from '../../test/site/site.js'
import { findContest } from './contests.js'
import { controlContest, createContest } from './hosting.js'
import { ContestEvents, positionOf } from './live.js'
import type { SentEvent } from './http/streams.js'
import { type SiteServices, openServices } from './app.js'

const workspace = mkdtempSync(join(tmpdir(), 'agon-feed-'))
let services: SiteServices & { close(): Promise<void> }
let id: string
let before: string
/** One more than a list of matches holds. */
const MATCHES = 21
beforeAll(async () => {
  services = await openServices({ workspace, notice: () => undefined })
  id = (await createContest(services.site, contestOf(MATCHES))).id
  before = await now()
  await controlContest(services.site, services.runner, id, 'start')
  while ((await findContest(services.site, id)).facts.state === 'playing')
    await new Promise((done) => setTimeout(done, 20))
}, 120_000)
afterAll(async () => {
  await services.close()
  rmSync(workspace, { recursive: true, force: true })
})
const events = (): ContestEvents => new ContestEvents(services.site, id)
const since = (at: string) => events().since(at, false)
/** The position of who has been sent all. */
const now = async (): Promise<string> => (await events().since(undefined, true)).at(-1)?.id ?? ''
/** A position with something of it changed. */
const moved = (at: string, change: Partial<ReturnType<typeof positionOf>>): string => {
  const { run, matches, event } = { ...positionOf(at), ...change }
  return `${run}.${matches}.${event}`
}

describe('what happens in a contest', () => {
  it('begins with the contest as it is', async () => {
    expect(await events().since(undefined, true)).toMatchObject([{ kind: 'contest', data: { id, state: 'finished' } }])
    await expect(new ContestEvents(services.site, 'none').since(undefined, true)).rejects.toThrow('no such contest')
  })

  it('is told from any position on: its states, then how many matches were played and the newest of them', async () => {
    expect(positionOf(before)).toMatchObject({ run: '', matches: 0 })
    const all = await since(before)
    const states = all.flatMap(({ kind, data }) => (kind === 'state' ? [(data as { state: string }).state] : []))
    expect([states[0], states.at(-1)]).toEqual(['playing', 'finished'])
    const played = all.at(-1)
    expect(played).toMatchObject({ kind: 'matches', data: { count: MATCHES, matches: MATCHES } })
    const { items } = (played as SentEvent).data as { items: readonly { id: number }[] }
    expect(items).toHaveLength(20)
    expect(items.map((one) => one.id)).toEqual(items.map((one) => one.id).sort((a, b) => a - b))
    // Nothing twice: from the last event's position on there is nothing.
    expect(await since(played?.id ?? '')).toEqual([])
    expect(played?.id).toBe(await now())
  })

  it('is told only as far as it is new', async () => {
    const at = await now()
    expect(await since(moved(at, { matches: MATCHES - 2 }))).toMatchObject([{ data: { count: 2, items: [{}, {}] } }])
    // Of another run all is new.
    expect(await since(moved(at, { run: 'samurai-0' }))).toMatchObject([{ data: { count: MATCHES } }])
  })

  it('does not say whose a version is until it is taken', async () => {
    const at = await now()
    const entry = { id: 'e', name: 'Heron', version: 1 }
    for (const state of ['building', 'rejected', 'playing'])
      services.site.site.addEvent(id, 'entry', { ...entry, state })
    expect((await since(at)).map(({ data }) => data)).toEqual([
      { state: 'building' },
      { state: 'rejected' },
      { ...entry, state: 'playing' },
    ])
  })
})

describe('a position as text', () => {
  it('is read as it was written', () => {
    expect(positionOf('coup-1f3a.1200.7')).toEqual({ run: 'coup-1f3a', matches: 1200, event: 7 })
    expect(moved(before, {})).toBe(before)
  })
  it.each(['', '1', 'a.b.c', '../x.1.2', `${'x'.repeat(101)}.1.2`, 'a.1.2.3', 'a.-1.2'])('is refused: %j', (text) => {
    expect(() => positionOf(text)).toThrow('Last-Event-ID is none of this server’s')
  })
})
