import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestContest } from '../../test/kit/stored-run.js'
import { contestOf } from '../../test/site/site.js'
import { excludeEntrant } from '../app/manage/rulings.js'
import { findContest } from './contests.js'
import { controlContest, createContest } from './hosting.js'
import { reportOfContest } from './standings.js'
import { matchesOfContest, positionsOfMatch } from './matches.js'
import type { RatedRun } from '../app/look/rating-worker.js'
import { type SiteServices, openServices } from './app.js'

const place = new TestContest()
let services: SiteServices & { close(): Promise<void> }
beforeAll(async () => {
  services = await openServices(place.context)
})
afterAll(() => services.close())

const report = async (id: string, rated?: RatedRun) =>
  reportOfContest(services.site, await findContest(services.site, id), rated)
/** The contest of the command line's latest run. */
const latest = async (): Promise<string> => (await services.site.store.runs())[0]?.id ?? ''

describe('the report of a contest of the site', () => {
  it('is none before the first match, and never tells the seed', async () => {
    const { site, runner } = services
    const { id } = await createContest(site, contestOf(2))
    expect(await report(id)).toBeNull()
    await controlContest(site, runner, id, 'start')
    while ((await findContest(site, id)).facts.state === 'playing') await new Promise((done) => setTimeout(done, 20))
    const shown = await report(id)
    expect(shown).toMatchObject({ title: 'Friday', seed: '', matches: { total: 2, kept: 2 } })
    expect(shown?.entrants.map(({ name }) => name)).toEqual(['Hedgehog', 'Abacus'])
    const { run } = await findContest(site, id)
    expect(run?.state).toBe('finished')
    expect(JSON.stringify(shown)).not.toContain(run?.seed)
  })
})

describe('the report of a run of the command line', () => {
  it('hides its seed until the run is over', async () => {
    const { result } = await place.play({}, 1)
    const id = await latest()
    const before = await report(id)
    expect([result.finished, before?.seed, before?.matches.total]).toEqual([false, '', result.played])
    await place.play({ resume: true })
    const after = await report(id)
    expect(after).toMatchObject({ seed: '9', title: 'Small', game: { id: 'samurai' }, matches: { total: 3 } })
    expect(after?.entrants.map(({ name, author }) => [name, author])).toEqual([
      ['Strike', undefined],
      ['Wait', 'Ann'],
      ['Lost', undefined],
    ])
    // Strike beats both, who draw: a match each.
    expect(after?.standings.rows.map(({ entrant, points }) => [entrant, points])).toEqual([
      [0, 2],
      [1, 0.5],
      [2, 0.5],
    ])
    expect(after?.faults).toEqual([{}, {}, { illegal: 7 }])
    expect([after?.ratings, after?.matches.rated]).toEqual([undefined, 0])
    const rounds = { unit: 'round' as const, labels: ['1'], points: [[1], [0], [0]], matches: undefined }
    const rated = await report(id, { matches: 1, ratings: undefined, rounds })
    expect([rated?.rounds?.points, rated?.matches]).toMatchObject([rounds.points, { total: 3, rated: 1 }])
  })

  it('counts nothing of an entrant that was put out, and says so', async () => {
    const id = await latest()
    const out = { status: 'disqualified', treatment: 'void', why: 'it copied' } as const
    await excludeEntrant({ contest: place.contest, name: 'Strike', ...out }, place.context)
    const shown = await report(id)
    expect(shown?.standings.notes).toContain('Strike is disqualified (it copied): none of its matches counts')
    expect(shown?.standings.rows.map(({ entrant, points }) => [entrant, points])).toEqual([
      [1, 0.5],
      [2, 0.5],
    ])
    expect(shown?.matches.total).toBe(3)
  })
})

describe('the positions of a match', () => {
  it('are one more than its turns', async () => {
    const { items } = await matchesOfContest(services.site, await findContest(services.site, await latest()), {
      limit: 9,
    })
    // Strike wins in one turn, the draw takes six.
    expect(items.map(({ turns }) => turns).sort((a, b) => a - b)).toEqual([1, 1, 6])
    for (const { id, turns } of items) {
      const { boards, moves } = await positionsOfMatch(services.site, id)
      expect([boards.length, moves.length]).toEqual([turns + 1, turns])
    }
  })

  it('are refused of a match that is none', async () => {
    await expect(positionsOfMatch(services.site, 987_654)).rejects.toMatchObject({ status: 404 })
  })
})
