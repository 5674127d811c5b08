import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { workspaceAt } from '../../src/app/workspace.js'
import { type Served, serveSite } from '../../src/server/serve.js'
import { contestOf } from '../site/site.js'
import { type Eyes, hasChromium, openEyes, violations } from './browser.js'

const workspace = mkdtempSync(join(tmpdir(), 'agon-e2e-site-'))
let served: Served
let eyes: Eyes
let id: string

const serve = (port: number) =>
  serveSite({ host: '127.0.0.1', port }, { workspace: workspaceAt(workspace), notice: () => undefined })

const post = async (path: string, body?: unknown): Promise<unknown> => {
  const answer = await fetch(`${served.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.hostToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return answer.json()
}

const get = async (path: string): Promise<unknown> => (await fetch(`${served.url}/api/v1${path}`)).json()

describe.skipIf(!hasChromium)('a site in a browser', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    served = await serve(0)
    eyes = await openEyes()
    id = ((await post('/contests', { toml: contestOf(4) })) as { id: string }).id
  })
  afterAll(async () => {
    await eyes?.close()
    await served?.close()
    rmSync(workspace, { recursive: true, force: true })
  })
  afterEach(() => {
    const troubles = eyes.troubles()
    if (troubles.length > 0) throw new Error(troubles.join('\n'))
  })

  it('leads from the list of contests to a table that fills itself, to a pairing, to a match, turn by turn', async () => {
    const page = await eyes.visit(served.url)
    await page.getByRole('link', { name: 'Friday' }).click()
    await page.getByText('Nothing has been played yet.').waitFor()
    await post(`/contests/${id}/start`)
    await page.getByRole('region', { name: 'the table', exact: true }).getByRole('link', { name: 'Abacus' }).waitFor()
    await page.getByText('finished').first().waitFor({ timeout: 60_000 })
    await page.getByRole('region', { name: 'the table of meetings' }).getByRole('link').first().click()
    await page.getByText('4 matches', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toMatch(/bot=\w+&opponent=\w+/)
    await page.getByRole('row').nth(1).getByRole('rowheader').getByRole('link').click()
    const slider = page.getByRole('slider', { name: 'turn' })
    await slider.waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => new URL(page.url()).searchParams.get('turn')).toBe('2')
    await page.reload()
    expect(await slider.inputValue()).toBe('2')
    await page.goBack()
    await page.getByRole('heading', { name: 'Matches', exact: true }).waitFor()
    await page.close()
  })

  it('has nothing for axe to say on any page, light and dark, on a screen and a phone', async () => {
    const { items } = (await get(`/contests/${id}/matches?limit=1`)) as { items: { id: number }[] }
    const { id: sitting } = (await post('/sittings', { game: 'coup', opponents: ['Ledger'] })) as { id: string }
    const others = ['/', '/host', '/play', '/nowhere', `/sittings/${sitting}`]
    const ofContest = ['', '/bots/Abacus', '/matches?bot=Abacus', '/enter', '/host'].map(
      (path) => `/contests/${id}${path}`,
    )
    const paths = [...others, ...ofContest, `/matches/${items[0]?.id}?contest=${id}&turn=2`]
    for (const path of paths) {
      const page = await eyes.visit(served.url + path)
      await page.getByText('Loading').first().waitFor({ state: 'detached' })
      for (const [scheme, width] of [
        ['light', 1280],
        ['dark', 390],
        ['dark', 1280],
      ] as const) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 900 })
        expect([path, scheme, width, await violations(page)]).toEqual([path, scheme, width, []])
      }
      await page.close()
    }
  })

  it('lets a person play a whole game in each of the five with the keyboard alone', async () => {
    for (const game of ['Samurai', 'Gun Duel', 'Stronger', 'Coup', 'Negotiate']) {
      const page = await eyes.visit(`${served.url}/play`)
      const play = page.getByRole('button', { name: new RegExp(`^Play .*${game}`, 'i') })
      await play.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /Your move|They think/ }).waitFor()
      const over = page.getByText('Play again')
      const first = page.locator('.actions button:enabled').first()
      for (let n = 0; n < 400; n++) {
        await over.or(first).first().waitFor()
        if (await over.isVisible()) break
        await page.keyboard.press(String(1 + (n % 2)))
        await page.waitForTimeout(20)
      }
      await over.waitFor()
      await page.getByRole('slider', { name: 'turn' }).waitFor()
      // Its address shows it to others.
      await page.reload()
      await over.waitFor()
      await page.close()
    }
  })

  it('takes an upload, shows it built and placed, tries it, and shows it in the table without a reload', async () => {
    const { token } = (await post(`/contests/${id}/contestants`, { name: 'Ada' })) as { token: string }
    const table = await eyes.visit(`${served.url}/contests/${id}`)
    const page = await eyes.visit(`${served.url}/contests/${id}/enter`)
    await page.getByLabel('Your token').fill(token)
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByLabel('Name').fill('Heron')
    const script = 'case "$*" in *B*) echo O;; *) echo B;; esac\n'
    await page
      .getByLabel('Files')
      .setInputFiles({ name: 'bot.sh', mimeType: 'text/plain', buffer: Buffer.from(script) })
    await page.getByLabel('Command').fill('sh bot.sh')
    await page.getByRole('button', { name: 'Enter it' }).click()
    await page.getByRole('region', { name: 'log' }).getByText('ok: it is found and built').waitFor()
    await page.getByRole('heading', { name: 'It stands in the table' }).waitFor({ timeout: 60_000 })
    await page.getByRole('button', { name: 'Play it' }).click()
    await page.getByText(/^It (won|drew|lost)$/).waitFor()
    await table.getByRole('region', { name: 'the table', exact: true }).getByRole('link', { name: 'Heron' }).waitFor()
    await page.getByRole('link', { name: 'See how it does' }).click()
    await page.getByRole('region', { name: 'the table of versions' }).getByRole('link', { name: '1' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('link', { name: 'Enter a bot' }).click()
    await page.getByRole('button', { name: 'Forget it' }).click()
    await page.getByLabel('Your token').waitFor()
    await table.close()
    await page.close()
  })

  it('marks the line of a mistake in a contest file, and makes the contest once it is mended', async () => {
    const page = await eyes.visit(`${served.url}/host`)
    await page.getByLabel('The host’s token').fill(served.hostToken ?? '')
    await page.getByRole('button', { name: 'Use it' }).click()
    const file = page.getByLabel('Contest file')
    const text = await file.inputValue()
    await file.fill(text.replace('"samurai"', '"samuray"'))
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('alert').getByText('samurai').waitFor()
    expect(eyes.troubles().every((line) => line.includes('status of 4'))).toBe(true)
    await file.fill(text)
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('It is over').waitFor({ timeout: 60_000 })
    await page.close()
  })

  it('says so where the server is away, and catches up when it is back', async () => {
    const made = (await post('/contests', { toml: contestOf(40).replace('Friday', 'Away') })) as { id: string }
    const page = await eyes.visit(`${served.url}/contests/${made.id}`)
    await page.getByText('Nothing has been played yet.').waitFor()
    const { port } = new URL(served.url)
    await served.close()
    await page.getByText('The connection was lost.').waitFor()
    const token = served.hostToken
    served = { ...(await serve(Number(port))), ...(token !== undefined && { hostToken: token }) }
    await post(`/contests/${made.id}/start`)
    await page.getByText('finished').first().waitFor({ timeout: 60_000 })
    await page.getByRole('region', { name: 'the table', exact: true }).getByRole('link', { name: 'Abacus' }).waitFor()
    await page.getByText('The connection was lost.').waitFor({ state: 'detached' })
    // A browser says on the console that a connection was refused: that is what was done to it.
    expect(eyes.troubles().filter((text) => !/ERR_(CONNECTION|INCOMPLETE|EMPTY)/.test(text))).toEqual([])
    await page.close()
  })
})
