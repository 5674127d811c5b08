// Takes the pictures of docs/serve.md: serves a site with contests of the house bots, and looks at each of its pages in Chromium.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { games } from '../src/games/index.js'
import type { GameDefinition } from '../src/core/index.js'
import { openEyes } from '../test/e2e/browser.js'
import { ServedSite } from '../test/site/served.js'
import { Stands } from '../test/site/stands.js'

const images = fileURLToPath(new URL('../docs/images/', import.meta.url))
const served = await ServedSite.open()
const { site, url } = served
const token = site.host

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const {
    status,
    text,
    body: facts,
  } = await site.ask<T>(body === undefined ? 'GET' : 'POST', path, {
    token,
    body,
  })
  if (status >= 400) throw new Error(`${path}: ${status} ${text}`)
  return facts
}

/** A contest of house bots of a game that need no other language. */
async function contest(title: string, game: string, bots: readonly string[], format: string): Promise<string> {
  const entrants = bots.map((name) => `[[entrants]]\nhouse = "${name}"\n`).join('')
  const toml = `title = "${title}"\ngame = "${game}"\nseed = "pictures of a site"\n[format]\n${format}\n[limits]\nturn = 1000\n\n${entrants}`
  const { id } = await ask<{ id: string }>('/contests', { toml })
  return id
}
async function finished(id: string): Promise<string> {
  await site.finish(id)
  return id
}

const { items } = await ask<{ items: { id: string; house: string[] }[] }>('/games')
const houseOf = (game: string): readonly string[] => items.find(({ id }) => id === game)?.house.slice(0, 7) ?? []
await finished(
  await contest('Dawn duels', 'gunduel', houseOf('gunduel').slice(0, 4), 'kind = "last-standing"\nrepetitions = 10'),
)
const coup = await finished(
  await contest('Friday night coup', 'coup', houseOf('coup'), 'kind = "ordered-pairs"\nrepetitions = 4'),
)
const term = await contest(
  'Term ladder',
  'samurai',
  houseOf('samurai').slice(0, 5),
  'kind = "round-robin"\nrepetitions = 4',
)
for (const name of ['Ada', 'Grace', 'Edsger']) await ask(`/contests/${term}/contestants`, { name })
await ask(`/contests/${term}/contestants/Edsger/revoke`, {})
const { items: matches } = await ask<{ items: { id: number; turns: number }[] }>(`/contests/${coup}/matches?limit=100`)
const [longest] = [...matches].sort((a, b) => b.turns - a.turns)
const { rows } = await ask<{ rows: { name: string }[] }>(`/contests/${coup}/standings`)
const leader = encodeURIComponent(rows[0]?.name ?? '')
const sitting = await ask<{ id: string }>('/sittings', { game: 'gunduel', opponents: ['Storm'] })

/** A contest in the middle of it: one of its matches is played again as if it were under way. */
await finished(term)
const [one] = (await ask<{ items: { id: number }[] }>(`/contests/${term}/matches?limit=1`)).items
const played = await site.services.site.store.recordOf(one?.id ?? 0)
await served.addRun(
  'friday',
  games.find(({ game }) => game.id === 'samurai') as GameDefinition,
  [...new Set([...played.seats.map(({ entrant }) => entrant), ...houseOf('samurai').slice(0, 5)])],
  {
    title: 'Friday showdown',
    began: new Date(Date.now() - 60_000).toISOString(),
    format: { kind: 'round-robin', repetitions: 4, swap: true, playoff: 0 },
  },
)
const [a = '', b = ''] = played.seats.map(({ entrant }) => entrant)
const { items: before } = await ask<{ items: { id: number }[] }>(
  `/contests/${term}/matches?limit=7&bot=${encodeURIComponent(a)}&opponent=${encodeURIComponent(b)}`,
)
for (const { id } of before.slice(1)) await served.addMatch('friday', await site.services.site.store.recordOf(id))
const stands = new Stands(played)
stands.steps = Math.min(9, played.steps.length - 1)
site.services.site.progress.begin('friday', stands)
site.services.site.progress.advance('friday', 40)

/** A bot that its owner tries before it is entered. */
const form = new FormData()
form.set('name', 'Heron')
form.set('command', 'sh heron.sh')
form.set('files', new Blob(['[ "$#" -lt 6 ] && echo B || echo O\n']), 'heron.sh')
const contestant = (await ask<{ token: string }>(`/contests/${term}/contestants/Ada/renew`, {})).token
const entered = await site.ask<{ id: string }>('POST', `/contests/${term}/entries`, { token: contestant, form })
const stateOf = async (path: string): Promise<string> =>
  (await site.ask<{ state: string }>('GET', path, { token: contestant })).body.state
await site.until(async () => (await stateOf(`/entries/${entered.body.id}`)) !== 'building')
const asked = { token: contestant, body: { bots: ['Heron', 'Hedgehog'] } }
const { body: scrimmage } = await site.ask<{ id: string }>('POST', `/contests/${term}/scrimmages`, asked)
await site.until(async () => (await stateOf(`/scrimmages/${scrimmage.id}`)) === 'over')

const pages = {
  home: '/',
  contest: `/contests/${coup}`,
  underway: '/contests/friday',
  bot: `/contests/${coup}/bots/${leader}`,
  matches: `/contests/${coup}/matches?bot=${leader}`,
  replay: `/matches/${longest?.id}?contest=${coup}&turn=${Math.floor((longest?.turns ?? 0) / 2)}`,
  live: `/contests/friday/live?match=${encodeURIComponent(played.key ?? '')}&turn=${stands.steps}`,
  games: '/play',
  play: `/sittings/${sitting.id}`,
  enter: `/contests/${term}/enter`,
  scrimmage: `/scrimmages/${scrimmage.id}?contest=${term}`,
  hosting: '/host',
  host: `/contests/${term}/host`,
}
const eyes = await openEyes()
const keep = await eyes.visit(url)
await keep.evaluate(
  ([host, ada, id]) => {
    localStorage.setItem('agon.token.host', host ?? '')
    localStorage.setItem(`agon.token.${id}`, ada ?? '')
  },
  [token, contestant, term],
)
await keep.close()
/** Names of pages; none: all of them. */
const wanted = process.argv.slice(2)
for (const [name, path] of Object.entries(pages)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const looks = [
    { suffix: '', look: { width: 1200, height: 860, dark: name === 'replay' || name === 'bot' || name === 'live' } },
    { suffix: '-phone', look: { width: 390, height: 844 } },
  ]
  for (const { suffix, look } of looks) {
    const page = await eyes.visit(url + path, { ...look, still: true })
    await page.getByText('Loading').first().waitFor({ state: 'detached' })
    await page.waitForTimeout(800)
    await page.screenshot({ path: join(images, `site-${name}${suffix}.png`) })
    await page.close()
  }
}
for (const line of eyes.troubles()) console.error(line)
await eyes.close()
await served.remove()
process.exit()
