import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GameDefinition } from '../../src/core/index.js'
import { games } from '../../src/games/index.js'
import { builtPage, folderSource, reportData, reportHtml } from '../../src/results/index.js'
import { randomArchive } from '../kit/archive.js'
import { type Eyes, hasChromium, openEyes } from './browser.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-e2e-own-'))
const gunduel = games.find(({ game }) => game.id === 'gunduel') as GameDefinition

/** What a stranger's viewer may try, around a picture that is to be seen. `spy`: a server that is not to be asked for anything. */
const hostile = (
  spy: string,
) => `<svg viewBox="0 0 400 100" onload="parent.document.title='taken'"><rect width="400" height="100" fill="#f00" />
  <script>parent.document.title = 'taken'</script></svg>
  <img src="${spy}/seen.png" onerror="parent.document.title='taken'">
  <iframe src="${spy}/frame"></iframe><link rel="stylesheet" href="${spy}/x.css">
  <meta http-equiv="refresh" content="0;url=${spy}/away">
  <style>body { background: url(${spy}/b.png) }</style>
  <a id="away" target="_top" href="${spy}/top">away</a><form action="${spy}/form"><button id="send">send</button></form>`

describe.skipIf(!hasChromium)('the replay of a game that did not come with agon', () => {
  let eyes: Eyes
  beforeAll(async () => {
    eyes = await openEyes()
  })
  afterAll(async () => {
    await eyes?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  async function replayOf(more: Partial<GameDefinition>): Promise<Page> {
    const archive = mkdtempSync(join(folder, 'run-'))
    const definition = { ...gunduel, ...more }
    const [record] = randomArchive(archive, definition, ['Ant', 'Bee'], { repetitions: 1 })
    const file = join(archive, 'report.html')
    const data = await reportData(folderSource(archive), definition, false)
    writeFileSync(file, reportHtml(data, builtPage()))
    const page = await eyes.open(file, `#match=${encodeURIComponent(record?.key ?? '')}&turn=1`)
    await page.getByRole('slider', { name: 'turn' }).waitFor()
    return page
  }

  it('shows its own picture, as wide as the panel and as high as its box says, and graphs its figures', async () => {
    const picture = (state: unknown): string =>
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100"><text x="9" y="50">${(state as { histories: string[] }).histories[0]}!</text></svg>`
    const page = await replayOf({ viewer: picture })
    const frame = page.frameLocator('iframe.picture')
    expect(await frame.locator('text').textContent()).toMatch(/^[012=-]!$/)
    const box = await page.locator('iframe.picture').boundingBox()
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4, 1)
    expect(await page.locator('figure.graph figcaption').textContent()).toMatch(/^Rounds?/)
    await page.keyboard.press('Home')
    await expect.poll(() => frame.locator('text').textContent()).toBe('!')
    expect(eyes.troubles()).toEqual([])
  })

  it('lets a hostile picture run nothing, load nothing and lead nowhere', async () => {
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const spy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const page = await replayOf({ viewer: () => hostile(spy) })
      const frame = page.frameLocator('iframe.picture')
      const address = page.url()
      await frame.locator('rect').waitFor()
      await frame.locator('#away').click()
      await frame.locator('#send').click()
      await page.keyboard.press('ArrowRight')
      await frame.locator('rect').waitFor()
      expect(await page.title()).not.toBe('taken')
      expect(page.url().split('#')[0]).toBe(address.split('#')[0])
      // The server is there for a page that asks it, and nothing of what was tried came to it.
      await page.context().request.get(`${spy}/known`)
      expect(asked).toEqual(['/known'])
      // It was tried, and refused by the sandbox or by the policy. The browser may also tell of a request that it then refused.
      const refused = eyes.troubles().filter((trouble) => !trouble.startsWith(`request: ${spy}/`))
      expect(refused.length).toBeGreaterThan(3)
      for (const trouble of refused)
        expect(trouble).toMatch(/sandbox|Content Security Policy|violates|Refused|blocked|Blocked|ERR_BLOCKED_BY_CSP/)
    } finally {
      server.close()
    }
  })

  it('shows its board as text, as large as the panel lets it be', async () => {
    const page = await replayOf({ board: () => 'a\nboard' })
    const size = async (): Promise<number> =>
      Number.parseFloat(await page.locator('.text-board').evaluate((board) => getComputedStyle(board).fontSize))
    expect(await size()).toBe(28)
    const wide = await replayOf({ board: () => 'x'.repeat(90) })
    const fits = await wide.locator('.text-board').evaluate((board) => board.scrollWidth <= board.clientWidth)
    expect(fits).toBe(true)
    expect(eyes.troubles()).toEqual([])
  })
})
