import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { games } from '../../src/games/index.js'
import { randomMatch } from '../kit/archive.js'
import { ServedSite } from '../site/served.js'
import { type Eyes, hasChromium, openEyes } from './browser.js'

/** Seats at each game's table; the fight of everyone is drawn in a ring, in rows, and without words beside each. */
const TABLES: Readonly<Record<string, readonly number[]>> = { negotiate: [4], stronger: [5, 14, 40] }
const NAMES = Array.from({ length: 40 }, (_, n) => `Longest name ${n + 10} of all`)
/** Pixels: smaller letters are not read on a phone. */
const LEAST = 12
/** Pixels by which what surrounds two lines of letters may lie over each other: it is taller than they are. */
const OVER = 5

let served: ServedSite
let eyes: Eyes
const matches: { readonly name: string; readonly run: string; readonly match: number; readonly turns: number }[] = []

/** What is wrong with the words of the board: too small, cut off, or over each other. */
const faultsOf = (page: Page, least: number): Promise<readonly string[]> =>
  page.evaluate(
    ([smallest, over]) => {
      const board = document.querySelector<SVGSVGElement>('svg.board')
      if (board === null) return ['no board']
      const all = board.getBoundingClientRect()
      const words = [...board.querySelectorAll('text')].filter(({ textContent }) => textContent?.trim() !== '')
      const found = words.length === 0 ? ['no words'] : []
      const boxes = words.map((text) => ({ text: text.textContent ?? '', box: text.getBoundingClientRect() }))
      for (const [i, { text, box }] of boxes.entries()) {
        const { a = 1, b = 0 } = words[i]?.getScreenCTM() ?? {}
        const size = Number.parseFloat(getComputedStyle(words[i] ?? board).fontSize) * Math.hypot(a, b)
        if (size < smallest) found.push(`${text}: ${size.toFixed(1)} px`)
        if (box.left < all.left || box.right > all.right || box.top < all.top - 1 || box.bottom > all.bottom + 1)
          found.push(`${text}: cut off`)
        for (const other of boxes.slice(0, i)) {
          const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left)
          const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top)
          if (wide > 1 && high > over) found.push(`${text}: over ${other.text}`)
        }
      }
      return found
    },
    [least, OVER] as const,
  )

describe.skipIf(!hasChromium)('the boards in a browser', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    served = await ServedSite.open()
    eyes = await openEyes()
    for (const definition of games) {
      const { id } = definition.game
      for (const seats of TABLES[id] ?? [2]) {
        // The keys of matches go by the length of their run's name.
        const run = 'b'.repeat(matches.length + 1)
        const names = NAMES.slice(0, seats)
        const table = names.map((entrant, n) => ({ entrant, id: n }))
        const everyone = { kind: 'free-for-all', repetitions: 1, swap: false, playoff: 0 } as const
        await served.addRun(run, definition, names, seats === 2 ? {} : { format: everyone })
        const record = randomMatch(definition, '1/all/1', table)
        await served.addMatch(run, record)
        const { body } = await served.site.ask<{ items: { id: number }[] }>('GET', `/contests/${run}/matches?limit=1`)
        matches.push({ name: `${id} of ${seats}`, run, match: body.items[0]?.id ?? 0, turns: record.steps.length })
      }
    }
  }, 120_000)
  afterAll(async () => {
    await eyes?.close()
    await served?.remove()
  })

  it('have words that can be read on a phone, whole and apart from each other, in every game', async () => {
    const page = await eyes.visit(served.url, { width: 390, height: 844, still: true })
    const found: string[] = []
    for (const { name, run, match, turns } of matches) {
      for (const turn of new Set([0, 1, Math.floor(turns / 2), turns])) {
        await page.goto(`${served.url}/matches/${match}?contest=${run}&turn=${turn}`)
        await page.locator('svg.board').waitFor()
        if (name === 'stronger of 40') expect(await page.locator('svg.board text.name').count()).toBe(0)
        else found.push(...(await faultsOf(page, LEAST)).map((fault) => `${name}, turn ${turn}: ${fault}`))
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        if (wide > 0) found.push(`${name}: the page is ${wide} pixels too wide`)
      }
    }
    await page.close()
    expect(found).toEqual([])
    expect(eyes.troubles()).toEqual([])
  })

  it('offer a person nothing that names it as another', async () => {
    const opponents = ['Sniper', 'Grudge']
    const { body } = await served.site.ask<{ id: string }>('POST', '/sittings', {
      body: { game: 'stronger', opponents },
    })
    const page = await eyes.visit(`${served.url}/sittings/${body.id}`, { width: 390, still: true })
    await page.getByRole('button', { name: 'attack yourself' }).waitFor()
    const offered = (await page.locator('.actions button').allTextContents()).map((text) => text.replace(/^\d\s*/, ''))
    expect([...offered].sort()).toEqual(['D defend', 'attack Grudge', 'attack Sniper', 'attack yourself'])
    await page.close()
    expect(eyes.troubles()).toEqual([])
  })

  it('are drawn wide again where there is room', async () => {
    const [{ run, match } = { run: '', match: 0 }] = matches
    const page = await eyes.visit(`${served.url}/matches/${match}?contest=${run}&turn=1`, { width: 390, still: true })
    const wide = () => page.evaluate(() => document.querySelector<SVGSVGElement>('svg.board')?.viewBox.baseVal.width)
    await expect.poll(wide).toBe(360)
    await page.setViewportSize({ width: 1280, height: 900 })
    await expect.poll(wide).toBe(800)
    await page.close()
    expect(eyes.troubles()).toEqual([])
  })
})
