import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ServedSite } from '../site/served.js'
import { contestOf } from '../site/site.js'
import { type Eyes, hasChromium, openEyes } from './browser.js'
import { losses, tabTo, watchFocus } from './keyboard.js'

let served: ServedSite
let eyes: Eyes
let host: string
/** A contest that is over, with more matches than one page of their list. */
let over: string

const post = async (path: string, body?: unknown): Promise<unknown> =>
  (await served.site.ask('POST', path, { token: host, body })).body
const MATCHES = 60
/** What has the focus. */
const held = (page: Page) => page.locator(':focus')

async function visit(path: string): Promise<Page> {
  const page = await eyes.visit(served.url + path, { still: true })
  await page.getByText('Loading').first().waitFor({ state: 'detached' })
  await watchFocus(page)
  return page
}

/** Plays a game to its end: Tab to the actions, then the arrow keys and Enter. */
async function play(page: Page): Promise<void> {
  await page.getByRole('heading', { name: 'Your move' }).waitFor()
  await tabTo(page, '.answers :is(button, input)')
  const end = page.getByText('Play again')
  const ready = page.locator('.actions button:not([aria-disabled="true"])').first()
  for (let n = 0; n < 400; n++) {
    await end.or(ready).first().waitFor()
    if (await end.isVisible()) break
    if (n % 3 === 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
  }
  await end.waitFor()
}

describe.skipIf(!hasChromium)('the site by keyboard alone', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    served = await ServedSite.open()
    host = served.site.host
    eyes = await openEyes()
    over = ((await post('/contests', { toml: contestOf(MATCHES) })) as { id: string }).id
    await served.site.finish(over)
  }, 120_000)
  afterAll(async () => {
    await eyes?.close()
    await served?.remove()
  })
  afterEach(() => {
    const troubles = eyes.troubles()
    if (troubles.length > 0) throw new Error(troubles.join('\n'))
  })

  it.each(['Samurai', 'Coup', 'Negotiate'])('plays a whole game of %s, and never loses the focus', async (game) => {
    const page = await visit('/play')
    await tabTo(page, 'button.main', new RegExp(`^Play .*${game}`, 'i'))
    await page.keyboard.press('Enter')
    await play(page)
    // What it ended with is what is read first; from there the replay is moved through, and another game begun.
    await expect.poll(() => held(page).textContent()).toMatch(/^(You won|You lost|A draw)\. Play again$/)
    const slider = page.getByRole('slider', { name: 'turn' })
    await page.keyboard.press('Home')
    await expect.poll(() => slider.inputValue()).toBe('0')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => slider.inputValue()).toBe('1')
    // The way back from the replay says where it leads.
    expect(await page.getByRole('link', { name: 'All games' }).getAttribute('href')).toBe('/play')
    await page.keyboard.press('Tab')
    expect(await held(page).textContent()).toBe('Play again')
    await page.keyboard.press('Enter')
    await expect.poll(() => held(page).textContent()).toBe('Play')
    expect(await losses(page)).toEqual([])
    await page.close()
  })

  it('waits where a match is opened while its bots think, and goes on by itself', async () => {
    const { id } = (await post('/sittings', { game: 'samurai', opponents: ['Abacus'] })) as { id: string }
    const page = await eyes.visit(served.url)
    let looks = 0
    await page.route(`**/api/v1/sittings/${id}*`, async (route) => {
      const response = await route.fetch()
      const facts = (await response.json()) as object
      await route.fulfill({ response, json: looks++ === 0 ? { ...facts, view: null, legal: [] } : facts })
    })
    await page.goto(`${served.url}/sittings/${id}`)
    await page.getByRole('heading', { name: 'They think …' }).waitFor()
    await page.getByRole('heading', { name: 'Your move' }).waitFor()
    expect(looks).toBeGreaterThan(1)
    await page.unrouteAll({ behavior: 'wait' })
    await page.close()
  })

  it('makes a contest, starts it, cancels putting an entrant out, and does it', async () => {
    const page = await visit('/host')
    await tabTo(page, 'input[type=password]')
    await page.keyboard.type(host)
    await page.keyboard.press('Enter')
    await page.getByText('This browser keeps the host’s token.').waitFor()
    await tabTo(page, 'button.main', /^Make it$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'My first contest' }).waitFor()
    await expect.poll(() => held(page).textContent()).toBe('My first contest')
    await tabTo(page, 'button', /^Start$/)
    await page.keyboard.press('Enter')
    await page.getByText('It is over').waitFor()
    // The button has gone: what stands behind it is where the keyboard stays.
    await expect.poll(() => held(page).textContent()).toBe('End it for good')
    await tabTo(page, 'button[aria-label^="exclude"]')
    const name = await held(page).getAttribute('aria-label')
    await page.keyboard.press('Enter')
    await expect.poll(() => held(page).getAttribute('name')).toBe('verb')
    await page.keyboard.press('Escape')
    await expect.poll(() => held(page).getAttribute('aria-label')).toBe(name)
    await page.keyboard.press('Enter')
    await tabTo(page, 'button', /^Exclude it$/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Exclude it' }).waitFor({ state: 'detached' })
    expect(await losses(page)).toEqual([])
    await page.close()
  })

  it('skips to the content, and stays at the place where more of a list comes', async () => {
    const page = await visit(`/contests/${over}/matches`)
    await page.keyboard.press('Tab')
    expect(await held(page).textContent()).toBe('To the content')
    await page.keyboard.press('Enter')
    expect(await held(page).getAttribute('id')).toBe('main')
    await tabTo(page, 'button', /^Show more$/)
    await page.keyboard.press('Enter')
    await page.getByText(`${MATCHES} matches`, { exact: true }).waitFor()
    // It goes on with the first that was not there before.
    const rows = page.locator('tbody th a')
    await expect.poll(() => rows.nth(50).evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await losses(page)).toEqual([])
    await page.close()
  })

  it('has charts whose words are as large on a phone as elsewhere', async () => {
    const page = await eyes.visit(`${served.url}/contests/${over}`, { width: 390, still: true })
    const word = page.locator('.chart .axis').first()
    await word.waitFor()
    const scale = () => word.evaluate((one) => (one as SVGGraphicsElement).getScreenCTM()?.a ?? 0)
    await expect.poll(scale).toBeGreaterThan(0.9)
    // Turned, it has more room at once.
    await page.setViewportSize({ width: 844, height: 390 })
    await expect.poll(() => page.locator('.chart svg').getAttribute('viewBox')).toMatch(/^0 0 [78]\d\d /)
    expect(await scale()).toBeGreaterThan(0.9)
    await page.close()
  })

  it('closes the menu and the help of a replay by Escape, and is where it was', async () => {
    const page = await visit(`/contests/${over}/matches`)
    await tabTo(page, 'tbody th a')
    await page.keyboard.press('Enter')
    await page.getByRole('slider', { name: 'turn' }).waitFor()
    await expect.poll(() => held(page).evaluate((one) => one.tagName)).toBe('H1')
    await tabTo(page, '.menu > summary')
    await page.keyboard.press('Enter')
    await tabTo(page, '.menu select')
    await page.keyboard.press('Escape')
    expect(await held(page).evaluate((one) => one.tagName)).toBe('SUMMARY')
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await held(page).evaluate((one) => one.tagName)).toBe('SUMMARY')
    expect(await losses(page)).toEqual([])
    await page.close()
  })
})
