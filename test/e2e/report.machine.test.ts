import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type GameDefinition, type MatchRecord, type Options } from '../../src/core/index.js'
import { games } from '../../src/games/index.js'
import { parseRecord } from '../../src/match/index.js'
import { folderSource, builtPage, reportData, reportHtml } from '../../src/results/index.js'
import { randomArchive } from '../kit/archive.js'
import { CHROMIUM, type Eyes, hasChromium, openEyes, violations } from './browser.js'

if (!hasChromium)
  console.log(`there is no ${CHROMIUM}: the report is not tried in a browser (apt-get install chromium)`)

const folder = mkdtempSync(join(tmpdir(), 'agon-e2e-'))
const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e`
let eyes: Eyes

/** Writes the report of a small contest between random bots, and returns its file and records. */
async function reportOf(
  definition: GameDefinition,
  names: readonly string[],
  more: { repetitions?: number; options?: Options; size?: number; builtIn?: boolean } = {},
): Promise<{ file: string; records: readonly MatchRecord[] }> {
  const archive = mkdtempSync(join(folder, `${definition.game.id}-`))
  const records = randomArchive(archive, definition, names, more)
  const file = join(archive, 'report.html')
  const data = await reportData(folderSource(archive), definition, more.builtIn ?? true)
  writeFileSync(file, reportHtml(data, builtPage()))
  return { file, records }
}
const short = (definition: GameDefinition): Options => {
  const { turns } = definition.game.options
  return typeof turns === 'number'
    ? { ...definition.game.options, turns: Math.min(turns, 40) }
    : definition.game.options
}
const definitionOf = (id: string) => games.find(({ game }) => game.id === id) as GameDefinition
const slider = (page: Page) => page.getByRole('slider', { name: 'turn' })
const hashOf = (record: MatchRecord | undefined, more = '') =>
  `#match=${encodeURIComponent(record?.key ?? '')}&turn=0${more}`

describe.skipIf(!hasChromium)('a report in a browser', () => {
  beforeAll(async () => {
    eyes = await openEyes()
  })
  afterAll(async () => {
    await eyes?.close()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(() => {
    const troubles = eyes.troubles()
    if (troubles.length > 0) throw new Error(troubles.join('\n'))
  })

  it('shows standings, crosstable, rounds, faults and matches, light and dark, with nothing for axe to say', async () => {
    const { file } = await reportOf(definitionOf('coup'), ['Ant', 'Bee', 'Cat', HOSTILE], { repetitions: 4 })
    for (const dark of [false, true]) {
      const page = await eyes.open(file, '#bot=Bee', { dark })
      for (const name of ['Standings', 'Crosstable', 'Rounds', 'Faults and time', 'Matches'])
        await page.getByRole('heading', { name, exact: true }).waitFor()
      await page.getByText('<img src=x onerror=alert(2)>').first().waitFor()
      expect(await violations(page)).toEqual([])
      await page.close()
    }
  })

  it('leads by mouse from the crosstable to the matches of two, to a replay, and back', async () => {
    const { file, records } = await reportOf(definitionOf('samurai'), ['Ant', 'Bee', 'Cat'], {
      repetitions: 4,
      options: short(definitionOf('samurai')),
    })
    const page = await eyes.open(file)
    await page.getByRole('link', { name: /^Ant against Cat/ }).click()
    const list = page.getByRole('region', { name: 'the list of matches' })
    expect(await list.getByRole('link').count()).toBe(4)
    await list.getByRole('link').nth(1).click()
    await slider(page).waitFor()
    expect(await page.locator('.key').textContent()).toMatch(/^round 1, match \d/)
    const key = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('match')
    const record = records.find((each) => each.key === key)
    expect(record?.seats.map(({ entrant }) => entrant).sort()).toEqual(['Ant', 'Cat'])
    await page.getByRole('button', { name: 'to the end' }).click()
    expect(await slider(page).inputValue()).toBe(String(record?.steps.length))
    expect(await page.locator('.verdict').textContent()).toContain(record?.outcome.reason ?? '')
    await page.getByLabel('speed, perspective and more').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'download the record' }).click(),
    ])
    expect(parseRecord(readFileSync(await download.path(), 'utf8').trim())).toEqual(record)
    await page.getByRole('link', { name: 'All matches' }).click()
    await page.getByRole('heading', { name: 'Matches', exact: true }).waitFor()
    await page.close()
  })

  it.each(games.map((definition) => [definition.game.id, definition] as const))(
    'replays %s by its rules, as everyone and as one seat',
    async (_id, definition) => {
      const names = Array.from({ length: definition.game.seats.min + 1 }, (_, i) => `Bot ${i}`)
      const { file, records } = await reportOf(definition, names, { repetitions: 1, options: short(definition) })
      const [record] = records
      const page = await eyes.open(file, hashOf(record))
      await slider(page).waitFor()
      const board = page.locator('svg.board')
      const pictures = new Set<string | null>()
      const last = Math.min(6, record?.steps.length ?? 0)
      for (let turn = 0; turn <= last; turn++) {
        expect(await slider(page).inputValue()).toBe(String(turn))
        pictures.add(await board.getAttribute('aria-label'))
        await page.keyboard.press('ArrowRight')
      }
      expect(pictures.size).toBeGreaterThan(1)
      expect(await violations(page)).toEqual([])
      await page.keyboard.press('End')
      expect(await page.locator('.verdict').textContent()).toContain(record?.outcome.reason ?? '')
      await page.getByLabel('speed, perspective and more').click()
      await page.locator('label', { hasText: 'Show' }).locator('select').selectOption('0')
      await page.keyboard.press('f')
      await page.waitForURL(/as=0/)
      await board.waitFor()
      expect(await violations(page)).toEqual([])
      await page.close()
    },
  )

  it('is used by the keyboard alone', async () => {
    const { file } = await reportOf(definitionOf('gunduel'), ['Ant', 'Bee', 'Cat'], { repetitions: 2 })
    const page = await eyes.open(file)
    const focused = () =>
      page.evaluate(() => document.activeElement?.closest('th,td,nav,label,button')?.textContent ?? '')
    const visited: string[] = []
    for (let i = 0; i < 60 && !visited.at(-1)?.startsWith('round 1, match 1'); i++) {
      await page.keyboard.press('Tab')
      visited.push(await focused())
    }
    expect(visited.at(-1)).toContain('round 1, match 1')
    await page.keyboard.press('Enter')
    await slider(page).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').isHidden()).toBe(true)
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('Space')
    await expect.poll(async () => Number(await slider(page).inputValue())).toBeGreaterThan(0)
    await page.keyboard.press('Home')
    await page.keyboard.press('n')
    expect(Number(await slider(page).inputValue())).toBeGreaterThan(0)
    expect(await page.locator('.now').textContent()).not.toBe('')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Standings' }).waitFor()
    await page.close()
  })

  it('goes where a link says: to a match, a turn, a seat', async () => {
    const { file, records } = await reportOf(definitionOf('negotiate'), ['Ant', 'Bee', 'Cat', 'Dog'], {
      repetitions: 1,
    })
    const page = await eyes.open(file, hashOf(records[0], '&as=2').replace('turn=0', 'turn=4'))
    expect(await slider(page).inputValue()).toBe('4')
    expect(await page.locator('label', { hasText: 'Show' }).locator('select').inputValue()).toBe('2')
    // Turn 4 is a night: where the others went is not for this seat to know.
    expect(await page.locator('.row[aria-current=step] .hidden').count()).toBe(3)
    await page.evaluate(() => (location.hash = location.hash.replace('turn=4', 'turn=2')))
    await expect.poll(() => slider(page).inputValue()).toBe('2')
    await page.close()
  })

  it('shows which figure is chosen under the pointer, too, dark and light', async () => {
    const { file, records } = await reportOf(definitionOf('gunduel'), ['Ant', 'Bee'], { repetitions: 1 })
    for (const dark of [false, true]) {
      const page = await eyes.open(file, hashOf(records[0]), { dark })
      const chosen = page.locator('.tab[aria-pressed=true]').first()
      const colours = () =>
        chosen.evaluate((tab) => [getComputedStyle(tab).color, getComputedStyle(tab).backgroundColor])
      const before = await colours()
      await chosen.hover()
      expect(await colours()).toEqual(before)
      await page.close()
    }
  })

  it('asks for no motion where the reader wants none', async () => {
    const { file, records } = await reportOf(definitionOf('gunduel'), ['Ant', 'Bee'], { repetitions: 1 })
    const moving = async (still: boolean) => {
      const page = await eyes.open(file, hashOf(records[0]), { still })
      await slider(page).waitFor()
      await page.evaluate(() => {
        const counter = globalThis as unknown as { animated: number }
        counter.animated = 0
        const before = Element.prototype.animate
        Element.prototype.animate = function (...given) {
          counter.animated++
          return before.apply(this, given)
        }
      })
      for (let i = 0; i < 8; i++) await page.keyboard.press('ArrowRight')
      const count = await page.evaluate(() => (globalThis as unknown as { animated: number }).animated)
      await page.close()
      return count
    }
    expect(await moving(true)).toBe(0)
    expect(await moving(false)).toBeGreaterThan(0)
  })

  it('stays small with twenty bots over a thousand turns', async () => {
    const definition = definitionOf('stronger')
    const names = Array.from({ length: 20 }, (_, i) => `Bot ${i}`)
    const options = { ...definition.game.options, life: 1_000_000, turns: 1000 }
    const { file, records } = await reportOf(definition, names, { repetitions: 1, options, size: 20 })
    expect(records[0]?.steps).toHaveLength(1000)
    const page = await eyes.open(file, hashOf(records[0]))
    await slider(page).waitFor()
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(4000)
    expect(await violations(page)).toEqual([])
    await page.close()
    // The list of matches names four of them, and says that there are others.
    const list = await eyes.open(file)
    expect(await list.locator('.matches td.seats').innerText()).toMatch(/(Bot \d+[^B]*){4}and 16 more/)
    await list.close()
  })

  it('fits a narrow window', async () => {
    const { file, records } = await reportOf(
      definitionOf('samurai'),
      ['Ant', 'Bee', 'A name that is rather long for a phone'],
      { repetitions: 2, options: short(definitionOf('samurai')) },
    )
    for (const hash of ['', hashOf(records[0])]) {
      const page = await eyes.open(file, hash, { width: 360, height: 740 })
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(wide).toBeLessThanOrEqual(360)
      expect(await violations(page)).toEqual([])
      await page.close()
    }
  })

  it('shows a game that it does not know from the positions the records bring', async () => {
    const { file, records } = await reportOf(definitionOf('gunduel'), ['Ant', 'Bee'], {
      repetitions: 1,
      builtIn: false,
    })
    const page = await eyes.open(file, hashOf(records[0]))
    const position = page.getByRole('region', { name: 'position' })
    expect(await position.textContent()).toContain('turn 0 of 100')
    await page.keyboard.press('End')
    expect(await position.textContent()).toContain('over after turn')
    expect(await violations(page)).toEqual([])
    await page.close()
  })
})
