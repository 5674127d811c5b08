import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AxeResults } from 'axe-core'
import { type BrowserContext, type Page, chromium } from 'playwright-core'

/** The browser, as Debian installs it; another by CHROMIUM. */
export const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium'
export const hasChromium = existsSync(CHROMIUM)

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A browser with an empty profile. Whatever a page of it says on the console, throws or asks the network for is a failure. */
export interface Eyes {
  /** Opens a file from disk. */
  open(file: string, hash?: string, look?: Look): Promise<Page>
  /** Opens an address of a server; its pages may ask that server for anything. */
  visit(address: string, look?: Look): Promise<Page>
  /** What has gone wrong since the last question. */
  troubles(): readonly string[]
  close(): Promise<void>
}
export interface Look {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  readonly still?: boolean
}

export async function openEyes(): Promise<Eyes> {
  const profile = mkdtempSync(join(tmpdir(), 'agon-chromium-'))
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: ARGS,
    acceptDownloads: true,
  })
  let seen: string[] = []
  const show = async (
    address: string,
    { width = 1280, height = 900, dark = false, still = false }: Look = {},
  ): Promise<Page> => {
    const page = await context.newPage()
    page.setDefaultTimeout(90_000)
    const { origin } = new URL(address)
    page.on('console', (message) => seen.push(`console ${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => seen.push(`error: ${error.message}`))
    page.on('dialog', (dialog) => {
      seen.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      const url = request.url()
      if (!/^(file|blob):/.test(url) && !url.startsWith(`${origin}/`)) seen.push(`request: ${url}`)
    })
    await page.setViewportSize({ width, height })
    await page.emulateMedia({
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: still ? 'reduce' : 'no-preference',
    })
    await page.goto(address)
    await page.locator('#main').waitFor()
    return page
  }
  return {
    open: (file, hash = '', look) => show(pathToFileURL(file).href + hash, look),
    visit: show,
    troubles() {
      const lines = seen
      seen = []
      return lines
    },
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The rules of axe for which colours count. */
export const OF_COLOURS = ['color-contrast', 'link-in-text-block'] as const

/** What axe finds wrong with a page, a line for each kind. `rules`: those that are asked for; absent: all. */
export async function violations(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(axe)
  const { violations: found } = await page.evaluate(
    (values) =>
      (globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run({
        resultTypes: ['violations'],
        runOnly: values ? { type: 'rule', values } : undefined,
      }),
    rules,
  )
  return found.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ html, failureSummary }) => `${html} ${failureSummary}`)
        .join(' | ')
        .slice(0, 600)}`,
  )
}

/** What axe finds wrong with a page in either colour scheme; motion is reduced from then on. */
export async function violationsInBoth(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const dark = await violations(page, OF_COLOURS)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return [...dark, ...(await violations(page))]
}
