import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiRoutes } from './app.js'
import { type Problem, TestSite, contestOf } from '../../test/site/site.js'
import type { MatchRecord } from '../core/index.js'
import type { Contest as ContestFacts } from './contests.js'
import type { MatchList } from './matches.js'
import type { Standings } from './standings.js'

let site: TestSite
let id: string
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(6)
  await site.finish(id)
})
afterAll(() => site.remove())

const get = <Body = unknown>(path: string, headers = {}) => site.ask<Body>('GET', path, { headers })
const matches = async (query = '') => (await get<MatchList>(`/contests/${id}/matches?${query}`)).body

describe('a contest that is over', () => {
  it('is listed, with what was played', async () => {
    const { items, next } = (await get<{ items: ContestFacts[]; next: null }>('/contests')).body
    expect(items).toMatchObject([{ id, title: 'Friday', game: 'samurai', state: 'finished', matches: 6, hosted: true }])
    expect(next).toBeNull()
  })

  it('has a table whose points are those of its matches', async () => {
    const { rows } = (await get<Standings>(`/contests/${id}/standings`)).body
    expect(rows.map(({ name }) => name).sort()).toEqual(['Abacus', 'Hedgehog'])
    expect(rows.reduce((sum, { points }) => sum + points, 0)).toBe(6)
    expect(rows[0]).toMatchObject({ rank: 1, matches: 6 })
  })

  it('shows its matches page by page, the newest first, each once', async () => {
    const seen: number[] = []
    let cursor = ''
    for (let n = 0; n < 3; n++) {
      const { items, next } = await matches(`limit=2${cursor}`)
      seen.push(...items.map((match) => match.id))
      expect(next === null).toBe(n === 2)
      cursor = `&cursor=${next}`
    }
    expect(seen).toEqual([...seen].sort((a, b) => b - a))
    expect(new Set(seen).size).toBe(6)
  })

  it('finds matches by who won, and whether anyone erred', async () => {
    const count = async (query: string) => (await matches(query)).items.length
    const results = ['win', 'draw', 'loss']
    const own = await Promise.all(results.map((result) => count(`bot=Abacus&result=${result}`)))
    const other = await Promise.all(results.map((result) => count(`bot=Hedgehog&opponent=Abacus&result=${result}`)))
    expect(own).toEqual(other.reverse())
    expect(own.reduce((sum, n) => sum + n, 0)).toBe(6)
    // A busy machine may have made a bot late.
    const faulted = (await matches()).items.filter(({ seats }) => seats.some(({ faults }) => faults.length > 0))
    expect(await count('fault=any')).toBe(faulted.length)
  })

  it('gives a record once: it never changes, and is kept', async () => {
    const [match] = (await matches()).items
    const record = await get<MatchRecord>(`/matches/${match?.id}`)
    expect(record.body).toMatchObject({ agon: 1, game: 'samurai', key: match?.key })
    expect(record.body.luck.seed).toMatch(/./)
    expect(record.headers.get('cache-control')).toContain('immutable')
    const etag = record.headers.get('etag') ?? ''
    expect((await get(`/matches/${match?.id}`, { 'if-none-match': etag })).status).toBe(304)
  })
})

describe('a contest that has not begun', () => {
  it('names the bots that will play, and lets people play against them', async () => {
    const waiting = await site.contest(1)
    const entrants = ['Hedgehog', 'Abacus']
    const { items } = (await get<{ items: ContestFacts[] }>('/contests?limit=200')).body
    for (const facts of [
      items.find((one) => one.id === waiting),
      (await get<ContestFacts>(`/contests/${waiting}`)).body,
    ])
      expect(facts).toMatchObject({
        state: 'created',
        entrants: expect.arrayContaining(entrants) as string[],
        matches: 0,
      })
    const body = { contest: waiting, opponents: ['Abacus'] }
    expect((await site.ask('POST', '/sittings', { body })).status).toBe(201)
  })
})

describe('a contest that is not over', () => {
  it('shows the luck of matches that are over, those of their deals with them, and no seed', async () => {
    const open = await site.contest(3000)
    await site.ask('POST', `/contests/${open}/start`, { token: site.host })
    const newest = async () => (await get<MatchList>(`/contests/${open}/matches?limit=200`)).body.items
    await site.until(async () => (await newest()).length > 0)
    await site.ask('POST', `/contests/${open}/pause`, { token: site.host })
    const items = await newest()
    // Matches 1 and 2 share a deal, 3 and 4 the next: none is there without the other.
    const numbers = items.map(({ key }) => Number(key.split('/').at(-1))).sort((a, b) => a - b)
    const first = Math.min(...numbers)
    expect(numbers).toEqual(numbers.map((_, i) => first + i))
    expect([first % 2, numbers.length % 2]).toEqual([1, 0])
    for (const { id: match } of items.slice(0, 4)) {
      const { body, headers } = await get<MatchRecord>(`/matches/${match}`)
      expect(body.luck.seed).toMatch(/./)
      expect(headers.get('cache-control')).toContain('immutable')
    }
    expect((await get<ContestFacts>(`/contests/${open}`)).body.state).toBe('paused')
    for (const path of ['', '/standings', '/report', '/matches?limit=5', '/entrants/Abacus'])
      expect((await get(`/contests/${open}${path}`)).text).not.toContain('more than sixteen characters')
  })
})

describe('a run of a contest', () => {
  it('is shown as that contest alone: what is shown of a run that is over would give away the seed of those to come', async () => {
    const [contest] = (await get<{ items: ContestFacts[] }>('/contests')).body.items
    const hosted = site.services.site.site.contest(id)
    expect([contest === undefined, hosted?.run === undefined]).toEqual([false, false])
    for (const path of ['', '/report', '/standings', '/matches', '/entrants/Abacus', '/events', '/live'])
      expect([path, (await get(`/contests/${hosted?.run}${path}`)).status]).toEqual([path, 404])
  })
})

describe('mistakes', () => {
  it('are reported with their line', async () => {
    const toml = contestOf(1).replace('samurai', 'samuray')
    const { status, body } = await site.ask<Problem>('POST', '/contests', { token: site.host, body: { toml } })
    expect(status).toBe(400)
    expect(body.line).toBe(2)
    expect(body.detail).toContain('did you mean "samurai"?')
    expect(body.detail).not.toContain(site.workspace)
  })

  it('have a line of text each', async () => {
    const toml = contestOf(1).replace('repetitions = 1', 'repetitions = "x"\nfoo = 1')
    const { body } = await site.ask<Problem>('POST', '/contests', { token: site.host, body: { toml } })
    expect(body.detail.split('\n').map((line) => line.slice(0, 15))).toEqual(['contest.toml:8:', 'contest.toml:9:'])
  })

  it('never load what a contest names on the host', async () => {
    for (const change of [
      contestOf(1).replace('"samurai"', '"./game.ts"'),
      contestOf(1).replace('house = "Abacus"', 'name = "x"\ncommand = ["sh", "/etc/passwd"]'),
      `entrants = "/etc/*"\n${contestOf(1).replace(/\[\[entrants\]\]\nhouse = "\w+"\n/g, '')}`,
    ]) {
      const { status } = await site.ask('POST', '/contests', { token: site.host, body: { toml: change } })
      expect(status).toBe(400)
    }
  })

  it('of an address are problems, and no stack', async () => {
    for (const path of ['/contests/nope', '/contests/%00', '/matches/999999999', '/nothing'])
      expect((await get(path)).status).toBeGreaterThanOrEqual(400)
    for (const query of ['cursor=%27', 'bot=Nobody', 'result=won', 'limit=0', 'limit=x'])
      expect((await get(`/contests/${id}/matches?${query}`)).status).toBe(400)
  })
})

describe('the document', () => {
  it('names every route, and every route of it is there', async () => {
    const { paths } = (await get<{ paths: Record<string, object> }>('/openapi.json')).body
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    )
    expect(documented.sort()).toEqual(
      apiRoutes()
        .map(({ spec }) => `${spec.method} ${spec.path}`)
        .sort(),
    )
  })
})

describe('another site', () => {
  it('may not write, whatever token it brings', async () => {
    const forms: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]
    for (const headers of forms) {
      const { status } = await site.ask('POST', '/contests', {
        token: site.host,
        body: { toml: contestOf(1) },
        headers,
      })
      expect(status).toBe(403)
    }
  })
})
