import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { GameDefinition, MatchRecord } from '../../src/core/index.js'
import { games } from '../../src/games/index.js'
import { randomMatch } from '../kit/archive.js'
import { ServedSite } from '../site/served.js'
import { contestOf } from '../site/site.js'
import { Stands } from '../site/stands.js'
import { type Eyes, OF_COLOURS, hasChromium, openEyes, violations, violationsInBoth } from './browser.js'
import { activate, walk } from './keyboard.js'

const definitionOf = (id: string) => games.find(({ game }) => game.id === id) as GameDefinition
const gunduel = definitionOf('gunduel')
/** A game that the page does not know, with a picture that tries more than it may. */
const OWN: GameDefinition = {
  ...gunduel,
  title: 'A game of its own',
  game: { ...gunduel.game, id: 'own-duel' },
  viewer: (state) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100"><text x="9" y="50">${(state as { histories: string[] }).histories[0]}!</text></svg>
     <script>parent.document.title = 'taken'</script><a id="away" target="_top" href="/host">away</a><img src="/api/v1/caller">`,
}
const NAMES = ['Ant', 'Bee']
const SEATS = NAMES.map((entrant, id) => ({ entrant, id }))
const wishes = { games: [...games, OWN] }

let served: ServedSite
let eyes: Eyes
let id: string
let host: string
/** Numbers of matches that are there from the beginning. */
const known = { own: 0, live: 0 }
/** The first of random matches that is not over at once. */
const live = Array.from({ length: 100 }, (_, n) =>
  randomMatch(definitionOf('samurai'), `1/Ant-Bee/${n + 2}`, SEATS, { faults: false }),
).find(({ steps }) => steps.length > 6) as MatchRecord

const post = async (path: string, body?: unknown): Promise<unknown> =>
  (await served.site.ask('POST', path, { token: host, body })).body
const get = async <T>(path: string): Promise<T> => (await served.site.ask<T>('GET', path)).body
const newest = async (contest: string): Promise<number> =>
  (await get<{ items: { id: number }[] }>(`/contests/${contest}/matches?limit=1`)).items[0]?.id ?? 0
/** Of what a page does by itself. */
const SOON = { timeout: 90_000 }
const slider = (page: Page) => page.getByRole('slider', { name: 'turn' })

describe.skipIf(!hasChromium)('a site in a browser', { timeout: 300_000 }, () => {
  beforeAll(async () => {
    served = await ServedSite.open(wishes)
    host = served.site.host
    eyes = await openEyes()
    id = ((await post('/contests', { toml: contestOf(4) })) as { id: string }).id
    await served.addRun('own', OWN, NAMES)
    await served.addMatch('own', randomMatch(OWN, '1/Ant-Bee/1', SEATS), OWN)
    await served.addRun('live', definitionOf('samurai'), NAMES)
    await served.addMatch('live', randomMatch(definitionOf('samurai'), '1/Ant-Bee/1', SEATS))
    known.own = await newest('own')
  }, 120_000)
  afterAll(async () => {
    await eyes?.close()
    await served?.remove()
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
    await page.getByText('finished').first().waitFor(SOON)
    await page.getByRole('region', { name: 'the table of meetings' }).getByRole('link').first().click()
    await page.getByText('4 matches', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toMatch(/bot=\w+&opponent=\w+/)
    await page.getByRole('row').nth(1).getByRole('rowheader').getByRole('link').click()
    await slider(page).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => new URL(page.url()).searchParams.get('turn'), SOON).toBe('2')
    await page.reload()
    expect(await slider(page).inputValue()).toBe('2')
    await page.goBack()
    await page.getByRole('heading', { name: 'Matches', exact: true }).waitFor()
    await page.close()
  })

  it('shows a match move by move while it is played, and goes on to its replay', async () => {
    const stands = new Stands(live)
    const { progress } = served.site.services.site
    progress.begin('live', stands)
    progress.advance('live', 40)
    const page = await eyes.visit(`${served.url}/contests/live`)
    await page.getByText('of 40').waitFor()
    expect(await page.getByRole('progressbar', { name: 'matches played' }).getAttribute('max')).toBe('40')
    await page.getByRole('region', { name: 'Being played' }).getByRole('link', { name: 'Ant – Bee' }).click()
    await page.getByText('moves appear as they are made').waitFor()
    stands.steps = 3
    await expect.poll(() => slider(page).inputValue(), SOON).toBe('3')
    await page.getByText('turn 3 of 3 so far').waitFor()
    // A reader who steps back is not carried on.
    await page.keyboard.press('ArrowLeft')
    stands.steps = 5
    await expect.poll(() => slider(page).getAttribute('max'), SOON).toBe('5')
    expect(await slider(page).inputValue()).toBe('2')
    expect(await violationsInBoth(page)).toEqual([])
    await served.addMatch('live', live)
    stands.over = true
    progress.end('live')
    await page.waitForURL(/\/matches\/\d+/)
    expect(await slider(page).getAttribute('max')).toBe(String(live.steps.length))
    expect(await slider(page).inputValue()).toBe('2')
    // A match whose game hides something opens at its end alone.
    await page.goto(`${served.url}/contests/live/live?match=${encodeURIComponent('1/Nobody/7')}`)
    await page.getByText('This match is not being played.').waitFor()
    await page.close()
  })

  it('draws the picture of a game of its own in a frame that may nothing', async () => {
    const page = await eyes.visit(`${served.url}/matches/${known.own}?contest=own&turn=1`)
    const frame = page.frameLocator('iframe.picture')
    expect(await frame.locator('text').textContent()).toMatch(/^[012=-]!$/)
    const box = await page.locator('iframe.picture').boundingBox()
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4, 1)
    await frame.locator('#away').click()
    await page.getByRole('button', { name: 'to the start' }).click()
    await expect.poll(() => frame.locator('text').textContent(), SOON).toBe('!')
    expect([await page.title(), page.url().includes('/host')]).toEqual([expect.not.stringContaining('taken'), false])
    // What was tried was refused: by the sandbox, or by the policy.
    const refused = eyes.troubles()
    expect(refused.length).toBeGreaterThan(1)
    for (const text of refused) expect(text).toMatch(/sandbox|Content Security Policy|violates|Refused|[Bb]locked/)
    await page.close()
  })

  it('builds an upload, enters it, shows it in the table without a reload, and plays a scrimmage with it', async () => {
    const { token } = (await post(`/contests/${id}/contestants`, { name: 'Ada' })) as { token: string }
    const table = await eyes.visit(`${served.url}/contests/${id}`)
    const page = await eyes.visit(`${served.url}/contests/${id}/enter`)
    await page.getByLabel('Your token').fill(token)
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByText('the token of Ada').waitFor()
    await page.getByLabel('Name').fill('Heron')
    const script = 'case "$*" in *B*) echo O;; *) echo B;; esac\n'
    await page
      .getByLabel('Files')
      .setInputFiles({ name: 'bot.sh', mimeType: 'text/plain', buffer: Buffer.from(script) })
    // The command is left out: the file shows it.
    await expect.poll(() => page.getByLabel('Command').inputValue()).toBe('sh bot.sh')
    await page.getByRole('button', { name: 'Enter it' }).click()
    await page.getByRole('region', { name: 'log' }).getByText('ok: it is found and built').waitFor()
    expect(await page.getByRole('region', { name: 'log' }).textContent()).toMatch(
      /sandbox: memory 1 GiB, .*disk 16 MiB/,
    )
    await page.getByRole('heading', { name: 'It stands in the table' }).waitFor(SOON)
    await table.getByRole('region', { name: 'the table', exact: true }).getByRole('link', { name: 'Heron' }).waitFor()
    await page.getByLabel('A match that counts for nothing, against').selectOption('Abacus')
    await page.getByRole('button', { name: 'Play it' }).click()
    await page.getByText(/^(Heron|Abacus) won$|^Heron and Abacus drew$/).waitFor(SOON)
    expect(await violationsInBoth(page)).toEqual([])
    await page.getByRole('button', { name: 'Watch it turn by turn' }).click()
    await page.getByRole('heading', { name: 'Heron Abacus' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => new URL(page.url()).searchParams.get('turn'), SOON).toBe('1')
    await page.getByRole('button', { name: 'How it went' }).click()
    await page.getByRole('link', { name: 'Heron', exact: true }).click()
    await page.getByRole('region', { name: 'the table of versions' }).getByRole('link', { name: '1' }).waitFor()
    // Each match says which version played, and a person sits down against that.
    await page.getByRole('region', { name: 'the list of its' }).first().getByText('v1').first().waitFor()
    await page.getByRole('link', { name: 'Play against it' }).click()
    expect(await page.getByLabel('against').inputValue()).toBe('Heron')
    await page.getByRole('button', { name: /^Play / }).click()
    await page.getByRole('heading', { name: /Your move|They think/ }).waitFor()
    await page.getByRole('heading', { name: 'Heron – you' }).waitFor()
    await table.close()
    await page.close()
  })

  it('lets a host and a contestant use one browser, each with a token of its own', async () => {
    const page = await eyes.visit(`${served.url}/host`)
    await page.getByLabel('The host’s token').fill(host)
    await page.getByRole('button', { name: 'Use it' }).click()
    await page.getByText('This browser keeps the host’s token.').waitFor()
    // A mistake is shown at its line.
    const file = page.getByLabel('Contest file')
    const text = await file.inputValue()
    await file.fill(text.replace('"samurai"', '"samuray"'))
    await page.getByRole('button', { name: 'Make it' }).click()
    const said = await page.getByRole('alert').textContent()
    expect(said).toMatch(/^contest\.toml:2: [^]*"samuray"/)
    expect(await page.locator('.gutter .wrong').allTextContents()).toEqual(['2'])
    // Once is enough.
    expect((await page.locator('form.wide').textContent())?.match(/\bline 2\b|toml:2\b/gi)).toHaveLength(1)
    expect(await file.getAttribute('aria-describedby')).toBe(await page.getByRole('alert').getAttribute('id'))
    expect(eyes.troubles().every((line) => line.includes('status of 4'))).toBe(true)
    await file.fill(text)
    await page.getByLabel('Milliseconds for an answer').fill('700')
    expect(await file.inputValue()).toContain('turn = 700')
    await page.getByRole('button', { name: 'Make it' }).click()
    await page.getByRole('button', { name: 'Start' }).waitFor()
    // A contestant's token is made, used, revoked.
    await page.getByLabel('Names').fill('Grace\n\n  Alan ')
    await page.getByRole('button', { name: 'Make their tokens' }).click()
    await expect.poll(() => page.locator('code.token').count()).toBe(2)
    await page.goto((await page.locator('code.token').first().textContent()) ?? '')
    await page.getByText('the token of Grace').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await page.getByRole('link', { name: 'Host' }).last().click()
    await page.getByRole('button', { name: 'change the token of Grace' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await page.getByText(/^revoked/).waitFor()
    await page.getByRole('link', { name: 'Enter a bot' }).click()
    await page.getByText('This token is invalid').waitFor()
    expect(eyes.troubles().every((line) => line.includes('status of 401'))).toBe(true)
    // Its terms can be changed until it begins.
    await page.getByRole('link', { name: 'Host' }).last().click()
    await page.getByLabel('Milliseconds for an answer').fill('900')
    await page.getByRole('textbox', { name: 'Notice on its page' }).fill('Finals on Friday')
    await page.getByRole('button', { name: 'Save it' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByText('Finals on Friday').first().waitFor()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('It is over').waitFor(SOON)
    await page.close()
  })

  it('has nothing for axe to say on any page, light and dark, on a screen and a phone, and all is reached by Tab', async () => {
    const { id: sitting } = (await post('/sittings', { game: 'coup', opponents: ['Ledger'] })) as { id: string }
    const entry = (await get<{ items: { id: string }[] }>(`/contests/${id}/entries`)).items[0]?.id
    const waiting = ((await post('/contests', { toml: contestOf(1).replace('Friday', 'Later') })) as { id: string }).id
    const ofContest = ['', '/bots/Heron', '/matches?bot=Abacus', '/enter', '/host'].map(
      (path) => `/contests/${id}${path}`,
    )
    const others = ['/', '/host', '/play', '/nowhere', `/contests/${waiting}`, `/contests/none`].concat([
      `/play?contest=${id}&bot=Abacus`,
      `/play?contest=${waiting}`,
    ])
    const paths = [
      ...others,
      ...ofContest,
      `/entries/${entry}?contest=${id}`,
      `/sittings/${sitting}`,
      `/scrimmages/none?contest=${id}`,
      `/matches/${await newest(id)}?contest=${id}&turn=2`,
      `/matches/${known.own}?contest=own`,
    ]
    const page = await eyes.visit(served.url, { still: true })
    for (const path of paths) {
      await page.goto(served.url + path)
      await page.locator('#main').waitFor()
      await page.getByText('Loading').first().waitFor({ state: 'detached' })
      // Both layouts and both schemes are held to all rules, and what a scheme changes in a layout to those of colours.
      for (const [scheme, width, rules] of [
        ['light', 1280],
        ['dark', 1280, OF_COLOURS],
        ['dark', 390],
        ['light', 390, OF_COLOURS],
      ] as const) {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: 900 })
        expect([path, scheme, width, await violations(page, rules)]).toEqual([path, scheme, width, []])
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect([path, width, wide]).toEqual([path, width, 0])
      }
      const { missed, links } = await walk(page)
      expect([path, missed]).toEqual([path, []])
      await activate(page, links)
    }
    await page.close()
    // The console tells of an address that leads nowhere or asks for a token; and a policy refuses what a foreign picture tries.
    const told = /status of 40[14]|sandbox|Content Security Policy|violates/
    expect(eyes.troubles().filter((text) => !told.test(text))).toEqual([])
  })

  it('lets a person negotiate by tapping lords', async () => {
    const page = await eyes.visit(`${served.url}/play`)
    await page.getByRole('button', { name: /^Play .*Negotiate/ }).click()
    const lords = page.getByRole('button', { name: /^negotiate with lord/ })
    await page.getByText(/it is turn 1/).waitFor()
    await lords.first().waitFor()
    for (let n = 0; n < 5; n++) await lords.nth(n % 2).click()
    await page.getByText(/it is turn 2/).waitFor()
    await page.close()
  })

  it('says that a browser without tokens has no bots of its own', async () => {
    const page = await eyes.visit(`${served.url}/play`)
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${served.url}/mine`)
    await page.getByText('This browser keeps no contestant’s token.').waitFor()
    await page.close()
  })

  it('lets a person play a whole game in each of the five with the keyboard alone', async () => {
    const play = async (game: string): Promise<void> => {
      const page = await eyes.visit(`${served.url}/play`)
      await page.getByRole('button', { name: new RegExp(`^Play .*${game}`, 'i') }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: /Your move|They think/ }).waitFor()
      const over = page.getByText('Play again')
      const first = page.locator('.actions button:not([aria-disabled="true"])').first()
      for (let n = 0; n < 400; n++) {
        await over.or(first).first().waitFor()
        if (await over.isVisible()) break
        const keys = await page.locator('.actions kbd').allTextContents()
        await page.keyboard.press(keys[n % Math.min(2, keys.length)] ?? 'Enter')
      }
      await over.waitFor()
      await slider(page).waitFor()
      // Its address shows it to others.
      await page.reload()
      await over.waitFor()
      await page.close()
    }
    for (const game of ['Samurai', 'Gun Duel', 'Stronger', 'Coup', 'Negotiate']) await play(game)
  })

  it('says so where the server is away, and catches up when it is back', async () => {
    const made = (await post('/contests', { toml: contestOf(40).replace('Friday', 'Away') })) as { id: string }
    const page = await eyes.visit(`${served.url}/contests/${made.id}`)
    await page.getByText('Nothing has been played yet.').waitFor()
    const other = await eyes.visit(`${served.url}/`)
    await served.close()
    await page.getByText('The connection was lost.').waitFor()
    // A page that asks for something meanwhile fills itself, too.
    await other.getByRole('link', { name: 'Play', exact: true }).click()
    await other.getByText('The server does not answer').waitFor()
    expect(await violationsInBoth(other)).toEqual([])
    served = await ServedSite.open(wishes, served)
    await post(`/contests/${made.id}/start`)
    await other
      .getByRole('button', { name: /^Play / })
      .first()
      .waitFor()
    await other.getByText('The server does not answer').waitFor({ state: 'detached' })
    await page.getByText('finished').first().waitFor(SOON)
    await page.getByRole('region', { name: 'the table', exact: true }).getByRole('link', { name: 'Abacus' }).waitFor()
    await page.getByText('The connection was lost.').waitFor({ state: 'detached' })
    // A browser says on the console that a connection was refused: that is what was done to it.
    expect(eyes.troubles().filter((text) => !/ERR_(CONNECTION|INCOMPLETE|EMPTY)/.test(text))).toEqual([])
    await other.close()
    await page.close()
  })
})
