import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { gamesWith } from '../../src/site/context.js'
import { ServedSite } from '../site/served.js'
import { type Eyes, hasChromium, openEyes, violationsInBoth } from './browser.js'

/** The game of docs/new-game.md: it has no viewer, no board and no words. `house`: the bots that come with it. */
function sticksIn(folder: string, id: string, house = ''): string {
  const doc = readFileSync(join(import.meta.dirname, '../../docs/new-game.md'), 'utf8')
  const block = (name: string): string => new RegExp(`\`\`\`ts ${name}\\n([^]*?)\`\`\``).exec(doc)?.[1] ?? ''
  mkdirSync(join(folder, 'bots'), { recursive: true })
  writeFileSync(join(folder, 'sticks.ts'), block('sticks.ts').replace("id: 'sticks'", `id: '${id}'`))
  writeFileSync(join(folder, 'bots', 'greedy.ts'), block('greedy.ts').replace('./sticks.js', '../sticks.js'))
  if (house !== '') writeFileSync(join(folder, 'bots', 'house.toml'), house)
  return join(folder, 'sticks.ts')
}
const HOUSE = '[[entrants]]\nname = "Greedy"\nmodule = "greedy.ts"\n'
const CONTEST = 'title = "Sticks at noon"\ngame = "sticks"\n[format]\nkind = "round-robin"\n'
/** Takes one stick, whatever it is asked. */
const BOT = `while read -r line; do case $line in *'"type":"ask"'*) echo '{"action":"1"}';; esac; done\n`

let folder: string
let served: ServedSite
let eyes: Eyes
let contest: string

/** Plays to the end with the keys 1 to 9. */
async function play(page: Page): Promise<void> {
  const over = page.getByText('Play again')
  const first = page.locator('.actions button:not([aria-disabled="true"])').first()
  for (let n = 0; n < 30; n++) {
    await over.or(first).first().waitFor()
    if (await over.isVisible()) break
    await page.keyboard.press('1')
  }
  await over.waitFor()
}

describe.skipIf(!hasChromium)('a person in a game of the host’s own, without a viewer', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agon-e2e-play-'))
    const files = [sticksIn(join(folder, 'bare'), 'sticks'), sticksIn(join(folder, 'housed'), 'housed', HOUSE)]
    served = await ServedSite.open({ games: await gamesWith(files) })
    eyes = await openEyes()
    const { site } = served
    const made = await site.ask<{ id: string }>('POST', '/contests', { token: site.host, body: { toml: CONTEST } })
    contest = made.body.id
    const form = new FormData()
    for (const [field, text] of [
      ['name', 'Miser'],
      ['command', 'sh bot.sh'],
    ] as const)
      form.set(field, text)
    form.append('files', new Blob([BOT]), 'bot.sh')
    const token = (await site.contestants(contest, 'Ada')).get('Ada') ?? ''
    const entry = await site.ask<{ id: string }>('POST', `/contests/${contest}/entries`, { token, form })
    const state = async () =>
      (await site.ask<{ state: string; log?: string }>('GET', `/entries/${entry.body.id}`, { token })).body
    await site.until(async () => (await state()).state !== 'building')
    if ((await state()).state === 'rejected') throw new Error((await state()).log)
  }, 120_000)
  afterAll(async () => {
    await eyes?.close()
    await served?.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(() => {
    const troubles = eyes.troubles()
    if (troubles.length > 0) throw new Error(troubles.join('\n'))
  })

  it('finds the bot that was entered in a contest, plays it to the end and sees every position again', async () => {
    const page = await eyes.visit(`${served.url}/play`, { still: true })
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'sticks', exact: true }) })
    // No bots come with it: it is played where somebody has entered one.
    expect(await card.getByRole('button', { name: /^Play/ }).count()).toBe(0)
    expect(await violationsInBoth(page)).toEqual([])
    await card.getByRole('link', { name: 'Sticks at noon' }).click()
    expect(await page.getByLabel('against').inputValue()).toBe('Miser')
    await page.getByRole('button', { name: /^Play / }).click()
    await page.getByRole('heading', { name: 'Miser – you' }).waitFor()
    await page.getByRole('heading', { name: 'Your move' }).waitFor()
    const board = page.getByRole('region', { name: 'position' })
    expect(await board.textContent()).toMatch(/pile\W+\d+/)
    expect(await violationsInBoth(page)).toEqual([])
    await play(page)
    // The replay is text, too, and has its address.
    const slider = page.getByRole('slider', { name: 'turn' })
    const turns = Number(await slider.getAttribute('max'))
    expect(turns).toBeGreaterThan(14)
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => new URL(page.url()).searchParams.get('turn')).toBe('1')
    expect(await page.locator('.text-board').textContent()).toMatch(/pile\W+\d+/)
    await page.reload()
    await page.getByText('Play again').waitFor()
    expect(await slider.inputValue()).toBe('1')
    expect(await violationsInBoth(page)).toEqual([])
    await page.close()
  })

  it('plays against the bots that its folder declares', async () => {
    const page = await eyes.visit(`${served.url}/play`, { still: true })
    await page.getByRole('button', { name: 'Play housed' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Greedy – you' }).waitFor()
    await play(page)
    await page.close()
  })
})
