import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestSite } from '../../test/site/site.js'

let site: TestSite
let id: string
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(1, 'notice = "See <b>me</b>"')
  await site.finish(id)
})
afterAll(() => site.remove())

const visit = (path: string) => Promise.resolve(site.app.fetch(new Request(`http://localhost${path}`)))

it('a browser without scripts is led to the table of its contest, and from there to all of them', async () => {
  const led = await visit(`/contests/${id}?plain`)
  expect([led.status, led.headers.get('location')]).toEqual([302, `/api/v1/tables/${id}`])
  const page = await visit(`/api/v1/tables/${id}`)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const text = await page.text()
  expect(text).toMatch(/<th scope="row"[^>]*>(Hedgehog|Abacus)<\/th>/)
  expect(text).toContain('See &#60;b&#62;me&#60;/b&#62;')
  expect(text).not.toContain('<script')
  expect((await visit('/?plain')).headers.get('location')).toBe('/api/v1/tables')
  expect(await (await visit('/api/v1/tables')).text()).toContain(`<a href="/api/v1/tables/${id}">Friday</a> (finished)`)
  expect((await visit('/contests/none?plain')).headers.get('location')).toBe('/api/v1/tables/none')
  expect((await visit('/api/v1/tables/none')).status).toBe(404)
})
