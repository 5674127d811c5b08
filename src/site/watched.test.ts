import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { contestOf } from '../../test/site/site.js'
import { Stands } from '../../test/site/stands.js'
import type { MatchRecord } from '../core/index.js'
import { findContest } from './contests.js'
import { controlContest, createContest } from './hosting.js'
import { matchesOfContest } from './matches.js'
import { type SiteServices, openServices } from './app.js'
import type { SentEvent } from './http/streams.js'
import { WatchedMatch, liveMatches } from './live.js'

const workspace = mkdtempSync(join(tmpdir(), 'agon-watched-'))
let services: SiteServices & { close(): Promise<void> }
let id: string
let match: number
let record: MatchRecord
beforeAll(async () => {
  services = await openServices({ workspace, notice: () => undefined })
  id = (await createContest(services.site, contestOf(2))).id
  await controlContest(services.site, services.runner, id, 'start')
  while ((await findContest(services.site, id)).facts.state === 'playing')
    await new Promise((done) => setTimeout(done, 20))
  match = (await matchesOfContest(services.site, await findContest(services.site, id), { limit: 1 })).items[0]?.id ?? 0
  record = await services.site.store.recordOf(match)
}, 120_000)
afterAll(async () => {
  await services.close()
  rmSync(workspace, { recursive: true, force: true })
})
afterEach(() => services.site.progress.end(id))

/** Has the match played as far as the test says. */
function playing(began = 1000): Stands {
  const stands = new Stands(record, began)
  services.site.progress.begin(id, stands)
  return stands
}
const watch = (key = record.key ?? ''): WatchedMatch => new WatchedMatch(services.site, id, key)
const kinds = (events: readonly SentEvent[]): string[] => events.map(({ kind }) => kind)

describe('the matches that are being played', () => {
  it('are listed with who plays, for as long as they are played', async () => {
    expect(await liveMatches(services.site, id)).toEqual([])
    const stands = playing()
    expect(await liveMatches(services.site, id)).toEqual([
      {
        key: record.key,
        seats: record.seats.map(() => ({ name: expect.stringMatching(/^(Abacus|Hedgehog)$/) as unknown })),
        matches: 1,
        began: '1970-01-01T00:00:01.000Z',
      },
    ])
    stands.over = true
    expect(await liveMatches(services.site, id)).toEqual([])
  })
})

describe('a match that is watched', () => {
  it('is told step by step, and without its luck', async () => {
    const stands = playing()
    const watched = watch()
    stands.steps = 2
    const [began] = await watched.since(undefined)
    expect(began).toMatchObject({ kind: 'began', id: '1000.2.', data: { steps: record.steps.slice(0, 2) } })
    expect(JSON.stringify(began)).not.toContain(record.luck.seed)
    expect(await watched.since('1000.2.')).toEqual([])
    stands.steps = 3
    expect(await watched.since('1000.2.')).toMatchObject([
      { kind: 'steps', id: '1000.3.', data: { from: 2, steps: record.steps.slice(2, 3) } },
    ])
    expect(watched.isOver).toBe(false)
  })

  it('is told to one who comes later, and to one who comes back only what was missed', async () => {
    const stands = playing()
    const watched = watch()
    stands.steps = 4
    await watched.since(undefined)
    expect(await watched.since(undefined)).toMatchObject([{ kind: 'began', data: { steps: record.steps.slice(0, 4) } }])
    expect(await watched.since('1000.1.')).toMatchObject([
      { kind: 'steps', data: { from: 1, steps: record.steps.slice(1, 4) } },
    ])
    expect(await watched.since('1000.4.')).toEqual([])
    // Steps that it has not had, of another playing of the match, and texts that are no position.
    expect(await watched.since('1000.99.')).toEqual([])
    for (const last of ['7.4.', 'x', '1000.4']) expect(kinds(await watched.since(last))).toEqual(['began'])
  })

  it('begins anew where it was void and is played again', async () => {
    const first = playing()
    const watched = watch()
    first.steps = 3
    await watched.since(undefined)
    const second = playing(2000)
    second.steps = 1
    expect(await watched.since('1000.3.')).toMatchObject([
      { kind: 'began', id: '2000.1.', data: { steps: record.steps.slice(0, 1) } },
    ])
  })

  it('ends with its number in the store', async () => {
    const stands = playing()
    const watched = watch()
    stands.steps = 2
    await watched.since(undefined)
    stands.over = true
    expect(await watched.since('1000.2.')).toMatchObject([{ kind: 'ended', data: { match } }])
    expect(watched.isOver).toBe(true)
    expect(kinds(await watched.since('1000.2.'))).toEqual(['ended'])
    // Who knows it is told nothing, and who comes back is told again.
    expect([await watched.since('1000.2.e'), kinds(await watched.since('1000.2.e', true))]).toEqual([[], ['ended']])
  })

  it('that is unknown is gone at once; one that was played and is not stored yet is waited for', async () => {
    const none = watch('1/None-Nothing/9')
    expect(kinds(await none.since(undefined))).toEqual(['gone'])
    expect(none.isOver).toBe(true)
    record = { ...record, key: '1/Abacus-Hedgehog/9' }
    const stands = playing()
    const watched = watch()
    stands.steps = 1
    await watched.since(undefined)
    stands.over = true
    for (let n = 1; n < 20; n++) expect(await watched.since('1000.1.')).toEqual([])
    expect(kinds(await watched.since('1000.1.'))).toEqual(['gone'])
  })
})
