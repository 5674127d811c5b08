import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Entry } from '../../src/site/entries.js'
import type { GameDefinition } from '../../src/core/index.js'
import { games } from '../../src/games/index.js'
import { findIsolation } from '../../src/sandbox/index.js'
import { randomMatch } from '../kit/archive.js'
import { ServedSite } from '../site/served.js'
import { contestOf } from '../site/site.js'
import { type Eyes, hasChromium, openEyes } from './browser.js'

const { launcher, program } = await findIsolation()

/** Texts of strangers, each of which would do something where a page took it for more than a text. */
const HOSTILE = [
  `"><img src=x onerror=alert(1)>`,
  `<svg onload=alert(2)>`,
  `javascript:alert(3)//`,
  `</script><script>alert(4)</script>`,
  `\u202egnp.live\u2066`,
  `a\u200b\u200bb\nc\u0000`,
  `{{7*7}}'"\`\${7*7}`,
  'W'.repeat(10_000),
] as const
const [IMAGE] = HOSTILE
const gunduel = games.find(({ game }) => game.id === 'gunduel') as GameDefinition
/** A game whose own texts are hostile, too. */
const OWN: GameDefinition = {
  ...gunduel,
  title: `A duel ${IMAGE}`,
  game: { ...gunduel.game, id: 'hostile-duel' },
  figures: () => HOSTILE.slice(0, 3).join(' '),
  board: () => HOSTILE.slice(0, -1).join('\n'),
}

let served: ServedSite
let eyes: Eyes
let hosted = ''
let entry = ''
const pages: string[] = []

/** The match that a page of a run leads to. */
async function newest(run: string): Promise<number> {
  const { body } = await served.site.ask<{ items: { id: number }[] }>('GET', `/contests/${run}/matches?limit=1`)
  return body.items[0]?.id ?? 0
}

async function addRun(id: string, definition: GameDefinition): Promise<void> {
  await served.addRun(id, definition, HOSTILE, { title: `${IMAGE}${HOSTILE[4]} ${id}` })
  for (let n = 0; n < HOSTILE.length; n++) {
    const seats = [n, (n + 1) % HOSTILE.length].map((at, seat) => ({ entrant: HOSTILE[at] ?? '', id: seat }))
    await served.addMatch(id, randomMatch(definition, `1/${n}`, seats), definition)
  }
  const match = await newest(id)
  pages.push(`/contests/${id}`, `/contests/${id}/matches`, `/matches/${match}?contest=${id}&turn=1`)
  for (const name of HOSTILE.slice(0, -1)) pages.push(`/contests/${id}/bots/${encodeURIComponent(name)}`)
}

/** Enters a bot that says hostile things when it is built and asked. */
async function enter(): Promise<void> {
  const token = served.site.host
  const toml = contestOf(1).replace(/^title = .*$/m, `title = ${JSON.stringify(IMAGE)}`)
  hosted = (await served.site.ask<{ id: string }>('POST', '/contests', { token, body: { toml } })).body.id
  await served.site.ask('POST', `/contests/${hosted}/contestants`, { token, body: { name: '<svg onload=alert(5)>' } })
  const form = new FormData()
  form.set('name', '<b onclick=alert(6)>')
  form.set('command', 'sh bot.sh')
  form.set('language', IMAGE)
  form.set('synopsis', HOSTILE.slice(0, 4).join(' '))
  form.append('files', new Blob([`printf '%s' '${HOSTILE[0]}${HOSTILE[1]}' | tee /dev/stderr\n`]), 'bot.sh')
  form.append('files', new Blob(['x']), '<img src=x onerror=alert(7)>.txt')
  const { body, text, status } = await served.site.ask<{ id: string }>('POST', `/contests/${hosted}/entries`, {
    token,
    form,
  })
  expect(status, text).toBe(202)
  entry = body.id
  const state = async () => (await served.site.ask<Entry>('GET', `/entries/${entry}`, { token })).body.state
  await served.site.until(async () => ['rejected', 'playing', 'placed'].includes(await state()))
  pages.push(`/contests/${hosted}`, `/contests/${hosted}/host`, `/contests/${hosted}/enter`, `/entries/${entry}`)
}

describe.skipIf(!hasChromium || launcher === undefined || program === undefined)('texts of strangers', () => {
  beforeAll(async () => {
    served = await ServedSite.open({ games: [...games, OWN] })
    eyes = await openEyes()
    await addRun('known', gunduel)
    await addRun('own', OWN)
    await enter()
    pages.push('/', '/host', `/contests/known/matches?bot=${encodeURIComponent(IMAGE)}`)
  }, 180_000)
  afterAll(async () => {
    await eyes?.close()
    await served?.remove()
  })

  it('stay texts on every page of a site: nothing runs, is fetched, or breaks out of its place', async () => {
    const first = await eyes.visit(served.url)
    await first.evaluate((token) => localStorage.setItem('agon.token.host', token), served.site.host)
    await first.close()
    const shown: string[] = []
    for (const path of pages) {
      const page = await eyes.visit(served.url + path, { width: 390, height: 844, still: true })
      await page.getByText('Loading').first().waitFor({ state: 'detached' })
      const found = await page.evaluate(() => ({
        text: document.body.innerText,
        title: document.title,
        planted: document.querySelectorAll(
          'img[src="x"], [onload], [onerror], [onclick], a[href^="javascript"], script:not([src])',
        ).length,
        beyond: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }))
      shown.push(found.text)
      expect([path, found.planted, found.beyond]).toEqual([path, 0, 0])
      expect(found.text + found.title, path).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u)
      await page.close()
    }
    expect(eyes.troubles()).toEqual([])
    // They were there to be seen.
    const all = shown.join('\n')
    for (const text of [...HOSTILE.slice(0, 4), '<b onclick=alert(6)>', '<svg onload=alert(5)>'])
      expect(all).toContain(text)
  }, 300_000)
})
