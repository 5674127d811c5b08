import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestSite } from '../../test/site/site.js'
import type { EntrantFacts } from '../core/site-facts.js'
import type { MatchList } from '../app/site/matches.js'
import type { ReportDocument } from '../report/index.js'

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
    expect(document?.rounds?.points.flat().reduce<number>((sum, points) => sum + (points ?? 0), 0)).toBe(6)
    expect(document?.matches.total).toBe(6)
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

  it('know nobody who does not play', async () => {
    expect((await get(`/contests/${id}/entrants/Nobody`)).status).toBe(404)
    expect((await get('/contests/none/report')).status).toBe(404)
    expect((await get('/matches/99/positions')).status).toBe(404)
  })
})
