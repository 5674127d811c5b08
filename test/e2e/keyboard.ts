import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** What the keyboard found on a page. */
export interface Walked {
  /** What can be used by mouse and was never reached by Tab. */
  readonly missed: readonly string[]
  /** Addresses of links, each once, in the order in which they were reached. */
  readonly links: readonly string[]
}

/** Presses that are made on one page at most. */
const MOST = 400
/** Links of a page that are followed. */
const FOLLOWED = 3

/** What has the focus now. */
const focused = (page: Page): Promise<{ n: string | undefined; href: string | undefined } | undefined> =>
  page.evaluate(() => {
    const one = document.activeElement
    if (!(one instanceof HTMLElement || one instanceof SVGElement)) return undefined
    return { n: one.dataset['walked'], href: one instanceof HTMLAnchorElement ? one.href : undefined }
  })

/** Whether nothing has the focus, and nothing gets it: the focus that leaves a frame of another process comes a moment later. */
const staysNowhere = (page: Page): Promise<boolean> =>
  page
    .waitForFunction(() => document.activeElement !== document.body, undefined, { timeout: 1000 })
    .then(() => false)
    .catch(() => true)

/** Walks through a page with Tab alone, from its beginning until nothing new is reached. What is reached has to show that it is. */
export async function walk(page: Page): Promise<Walked> {
  await page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex="0"]',
    )
    // What is not shown, or belongs to a group of which one is reached, is not for Tab.
    const shown = [...all].filter((one) => one.checkVisibility() && one.tabIndex >= 0)
    for (const [n, one] of shown.entries()) one.dataset['walked'] = String(n)
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    window.getSelection()?.removeAllRanges()
  })
  const seen = new Set<string>()
  const links = new Set<string>()
  for (let n = 0; n < MOST; n++) {
    await page.keyboard.press('Tab')
    let at = await focused(page)
    if (at?.n === undefined) {
      // A frame, or the end of the page: once round is enough.
      if (seen.size > 0 && (await staysNowhere(page))) break
      at = await focused(page)
    }
    if (at?.n === undefined) continue
    if (seen.has(at.n)) break
    seen.add(at.n)
    if (at.href !== undefined) links.add(at.href)
  }
  const missed = await page.evaluate(
    (reached) =>
      [...document.querySelectorAll<HTMLElement>('[data-walked]')]
        .filter((one) => !reached.includes(one.dataset['walked'] ?? '') && one.checkVisibility())
        .map((one) => one.outerHTML.slice(0, 160)),
    [...seen],
  )
  return { missed, links: [...links] }
}

/** Follows some of a page's links with Enter, and sees that each leads to a page with a heading. */
export async function activate(page: Page, links: readonly string[]): Promise<void> {
  const from = page.url()
  const { origin } = new URL(from)
  const own = links.filter(
    (href) => href.startsWith(`${origin}/`) && !href.includes('/api/') && href.split('#')[0] !== from.split('#')[0],
  )
  // The bar at the top is the same everywhere: what stands last is the page's own.
  for (const href of own.slice(-FOLLOWED)) {
    if (page.url() !== from) {
      await page.goBack()
      await page.waitForURL(from)
      await page.getByText('Loading').first().waitFor({ state: 'detached' })
    }
    const link = page.locator(`a[href="${href.slice(origin.length)}"]`).last()
    // A page that has just come takes the focus to its heading: then Enter is pressed once more.
    const follow = async (): Promise<boolean> => {
      if (page.url() === href) return true
      await link.press('Enter')
      return page.waitForURL(href, { timeout: 3000 }).then(
        () => true,
        () => false,
      )
    }
    await expect.poll(follow).toBe(true)
    await page.locator('h1').first().waitFor()
    if (await page.getByText('The address leads nowhere').isVisible()) throw new Error(`${from}: ${href} leads nowhere`)
  }
}

/** Presses Tab until what has the focus is as wanted. */
export async function tabTo(page: Page, selector: string, text = /(?:)/): Promise<void> {
  for (let n = 0; n < MOST; n++) {
    await page.keyboard.press('Tab')
    const found = await page.evaluate((wanted) => {
      const one = document.activeElement
      return one?.matches(wanted) === true ? (one.textContent ?? '') : undefined
    }, selector)
    if (found !== undefined && text.test(found)) return
  }
  throw new Error(`Tab never reaches ${selector} ${text.source}`)
}

/** From now on notes each moment in which nothing has the focus any more. */
export async function watchFocus(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noted: string[] = []
    Object.assign(window, { lostFocus: noted })
    let last = ''
    const look = (): void => {
      const one = document.activeElement
      const isLost = one === null || one === document.body
      if (isLost && last !== '') noted.push(`${location.pathname}: ${last}`)
      last = isLost ? '' : (one.outerHTML ?? '').slice(0, 120)
      requestAnimationFrame(look)
    }
    look()
  })
}

/** What had the focus when it was lost, since it is watched. */
export const losses = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => (window as unknown as { lostFocus: string[] }).lostFocus)
