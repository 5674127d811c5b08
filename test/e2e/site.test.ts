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

const post = async (path: string, body?: unknown): Promise<unknown> => {
  const answer = await fetch(`${served.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.hostToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return answer.json()
}

describe.skipIf(!hasChromium)('a site in a browser', { timeout: 120_000 }, () => {
  beforeAll(async () => {
    served = await serveSite(
      { host: '127.0.0.1', port: 0 },
      { workspace: workspaceAt(workspace), notice: () => undefined },
    )
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

  it('has nothing for axe to say, light and dark, on a screen and a phone', async () => {
    const paths = ['/', `/contests/${id}`, `/contests/${id}/bots/Abacus`, `/contests/${id}/matches?bot=Abacus`]
    const others = [`/contests/${id}/enter`, `/contests/${id}/host`, '/play', '/nowhere']
    for (const [n, path] of [...paths, ...others].entries()) {
      const page = await eyes.visit(served.url + path, n % 2 === 0 ? { dark: true } : { width: 390 })
      await page.getByText('Loading').first().waitFor({ state: 'detached' })
      expect([path, await violations(page)]).toEqual([path, []])
      await page.close()
    }
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
})
