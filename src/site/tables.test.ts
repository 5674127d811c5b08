import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { TestSite, contestOf } from '../../test/site/site.js'
import type { EntrantPage as EntrantFacts } from './entrants.js'
import type { MatchList } from './matches.js'
import type { ReportDocument } from '../results/index.js'

let site: TestSite
let id: string
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(6)
})
afterAll(() => site.remove())

const get = <Body = unknown>(path: string) => site.ask<Body>('GET', path)
const report = async () => (await get<{ report: ReportDocument | null }>(`/contests/${id}/report`)).body.report

describe('the tables of a contest', () => {
  it('are not there before anything is played', async () => {
    expect(await report()).toBeNull()
    expect((await get(`/contests/${id}/entrants/Abacus`)).status).toBe(404)
  })

  it('are those of its matches', async () => {
    await site.finish(id)
    const document = await report()
    const { rows } = (await get<{ rows: { name: string; points: number }[] }>(`/contests/${id}/standings`)).body
    const named = document?.standings.rows.map(({ entrant, points }) => ({
      name: document.entrants[entrant]?.name,
      points,
    }))
    expect(named).toEqual(rows.map(({ name, points }) => ({ name, points })))
    const met = document?.crosstable.meetings[0]?.[1]
    expect([met?.n, (met?.wins ?? 0) + (met?.draws ?? 0) + (met?.losses ?? 0)]).toEqual([6, 6])
    expect(document?.matches.total).toBe(6)
  })

  it('are the same answer, made once, whatever words that mean nothing stand behind its address', async () => {
    const tags = await Promise.all(
      ['', '?x=1', `?${'y'.repeat(2000)}`].map(async (query) => {
        const answer = await site.ask('GET', `/contests/${id}/standings${query}`)
        return answer.headers.get('etag')
      }),
    )
    expect(tags[0]).toMatch(/^(?:W\/)?"/)
    expect(new Set(tags).size).toBe(1)
  })

  it('come at once, and their ratings and rounds once these are computed, of all matches', async () => {
    const { ratings, rounds, matches } = (await report()) as ReportDocument
    if (matches.rated !== 6) expect([matches.rated, ratings, rounds]).toEqual([0, undefined, undefined])
    await site.until(async () => (await report())?.matches.rated === 6)
    const rated = await report()
    expect(rated?.rounds?.points.flat().reduce<number>((sum, points) => sum + (points ?? 0), 0)).toBe(6)
    expect(rated?.ratings?.rows).toHaveLength(2)
  })

  it('show how an entrant fared against each opponent, and how long its answers took', async () => {
    const one = (await get<EntrantFacts>(`/contests/${id}/entrants/Abacus`)).body
    const other = (await get<EntrantFacts>(`/contests/${id}/entrants/Hedgehog`)).body
    const [against] = one.opponents
    expect(against).toEqual({ name: 'Hedgehog', ahead: one.wins, level: one.draws, behind: one.losses })
    expect([other.wins, other.draws, other.losses]).toEqual([one.losses, one.draws, one.wins])
    const { n = 0, median = 0, p99 = 0, max = 0, classes = [] } = one.times ?? {}
    expect(n).toBeGreaterThan(6)
    expect([median <= p99, p99 <= max]).toEqual([true, true])
    expect(classes.reduce((sum, each) => sum + each.n, 0)).toBe(n)
  })

  it('lead to positions as text for a page that does not know the rules', async () => {
    const [match] = (await get<MatchList>(`/contests/${id}/matches?limit=1`)).body.items
    const { steps } = (await get<{ steps: unknown[] }>(`/matches/${match?.id}`)).body
    const { boards, moves } = (await get<{ boards: string[]; moves: unknown[][] }>(`/matches/${match?.id}/positions`))
      .body
    expect([boards.length, moves.length]).toEqual([steps.length + 1, steps.length])
    expect(boards[0]).toMatch(/20/)
  })

  it('are kept with whole records, and a contest that has changed is shown as it is now', async () => {
    const [match] = (await get<MatchList>(`/contests/${id}/matches?limit=1`)).body.items
    const looks = vi.spyOn(site.services.site.store, 'recordOf')
    const [first, second] = [await get(`/matches/${match?.id}`), await get(`/matches/${match?.id}`)]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('cache-control')).toContain('immutable')
    expect(looks.mock.calls.length).toBeLessThan(2)
    const title = async () => (await get<{ title: string }>(`/contests/${id}`)).body.title
    expect(await title()).toBe('Friday')
    const body = { toml: contestOf(6).replace('Friday', 'Saturday') }
    expect((await site.ask('POST', `/contests/${id}/text`, { token: site.host, body })).status).toBe(200)
    expect(await title()).toBe('Saturday')
  })

  it('are those of the outcomes as they are ruled, at once', async () => {
    const { site: context } = site.services
    const run = context.site.contest(id)?.run ?? ''
    const wins = async () =>
      (await get<{ rows: { points: number }[] }>(`/contests/${id}/standings`)).body.rows.map(({ points }) => points)
    const [most = 0, least = 0] = await wins()
    const [won] = (await get<MatchList>(`/contests/${id}/matches?limit=1&bot=Abacus&result=win`)).body.items
    const [lost] = (await get<MatchList>(`/contests/${id}/matches?limit=1&bot=Hedgehog&result=win`)).body.items
    const match = (won ?? lost)?.id ?? 0
    await context.store.rule(run, [{ match, outcome: { place: [1, 1], reason: 'ruled' }, why: 'rule 7' }])
    await site.until(async () => (await wins()).join() !== [most, least].join())
    expect((await wins()).reduce((sum, points) => sum + points, 0)).toBe(most + least)
    await site.until(async () => (await report())?.matches.rated === 6)
  })

  it('know nobody who does not play', async () => {
    expect((await get(`/contests/${id}/entrants/Nobody`)).status).toBe(404)
    expect((await get('/contests/none/report')).status).toBe(404)
    expect((await get('/matches/99/positions')).status).toBe(404)
  })
})
