import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestSite } from '../../../test/site/site.js'
import { apiRoutes } from '../app.js'

import type { ApiRoute } from './route.js'

/** Routes that anybody may use, without a token. A new one has to be listed here on purpose. */
const OPEN = [
  'get /games/{id}/rules',
  'get /games/{id}/kit',
  'get /tables',
  'get /tables/{id}',
  'get /contests/{id}/results.csv',
  'get /caller',
  'get /games',
  'get /contests',
  'get /contests/{id}',
  'get /contests/{id}/standings',
  'get /contests/{id}/matches',
  'get /contests/{id}/events',
  'get /contests/{id}/live',
  'get /contests/{id}/live/events',
  'post /contests/{id}/contestants',
  'get /contests/{id}/entries',
  'get /entries/{id}',
  'post /sittings',
  'get /sittings/{id}',
  'post /sittings/{id}/moves',
  'get /contests/{id}/report',
  'get /contests/{id}/entrants/{name}',
  'get /contests/{id}/entrants/{name}/faults',
  'get /entries/{id}/sources',
  'get /matches/{id}/positions',
  'get /matches/{id}',
]

let site: TestSite
let id: string
let contestant: string
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(1)
  contestant = (await site.contestants(id, 'Ada')).get('Ada') ?? ''
})
afterAll(() => site.remove())

/** What stands in a path's place of a parameter. */
const pathOf = (path: string): string =>
  path.replace('{id}', path.startsWith('/matches') ? '1' : id).replace('{name}', 'Abacus')

const nameOf = ({ spec }: ApiRoute): string => `${spec.method} ${spec.path}`
const closed = apiRoutes().filter(({ spec }) => spec.access !== 'anyone')

const ask = async ({ spec: { method, path } }: ApiRoute, token?: string): Promise<number> =>
  (await site.ask(method === 'get' ? 'GET' : 'POST', pathOf(path), token === undefined ? {} : { token })).status

describe('who is refused', () => {
  it.each(apiRoutes().map((route) => [nameOf(route), route] as const))('%s: an unknown token', async (_, route) => {
    expect(await ask(route, 'x'.repeat(40))).toBe(401)
  })

  it.each(closed.map((route) => [nameOf(route), route] as const))('%s: no caller without a token', async (_, route) => {
    expect(await ask(route)).toBe(401)
  })

  const hosts = closed.filter(({ spec }) => spec.access === 'host')
  it.each(hosts.map((route) => [nameOf(route), route] as const))('%s: a contestant', async (_, route) => {
    expect(await ask(route, contestant)).toBe(403)
  })

  it('only the routes that are meant to be open are open', () => {
    const open = apiRoutes()
      .filter(({ spec }) => spec.access === 'anyone')
      .map(nameOf)
    expect(open.sort()).toEqual(OPEN.sort())
  })
})
