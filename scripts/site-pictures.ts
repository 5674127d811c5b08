// Takes the pictures of docs/serve.md: serves a site with contests of the house bots, and looks at each of its pages in Chromium.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { workspaceAt } from '../src/app/workspace.js'
import { serveSite } from '../src/server/serve.js'
import { openEyes } from '../test/e2e/browser.js'

const images = fileURLToPath(new URL('../docs/images/', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'agon-pictures-'))
const served = await serveSite(
  { host: '127.0.0.1', port: 0 },
  { workspace: workspaceAt(folder), notice: (text) => console.error(text) },
)
const api = `${served.url}/api/v1`

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${served.hostToken ?? ''}`, 'content-type': 'application/json' }
  const answer = await fetch(api + path, {
    headers,
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

/** A contest of all house bots of a game that need no other language, played to its end. */
async function contest(title: string, game: string, bots: readonly string[], format: string): Promise<string> {
  const entrants = bots.map((name) => `[[entrants]]\nhouse = "${name}"\n`).join('')
  const toml = `title = "${title}"\ngame = "${game}"\nseed = "pictures of a site"\n[format]\n${format}\n${entrants}`
  const { id } = await ask<{ id: string }>('/contests', { toml })
  await ask(`/contests/${id}/start`, {})
  const isOver = async () => (await ask<{ state: string }>(`/contests/${id}`)).state === 'finished'
  while (!(await isOver())) await new Promise((done) => setTimeout(done, 200))
  return id
}

const { items: games } = await ask<{ items: { id: string; house: string[] }[] }>('/games')
const houseOf = (game: string): readonly string[] => games.find(({ id }) => id === game)?.house.slice(0, 7) ?? []
await contest('Dawn duels', 'gunduel', houseOf('gunduel').slice(0, 4), 'kind = "last-standing"\nrepetitions = 10')
const coup = await contest('Friday night coup', 'coup', houseOf('coup'), 'kind = "ordered-pairs"\nrepetitions = 4')
const { items: matches } = await ask<{ items: { id: number; turns: number }[] }>(`/contests/${coup}/matches?limit=100`)
const [longest] = [...matches].sort((a, b) => b.turns - a.turns)
const { rows } = await ask<{ rows: { name: string }[] }>(`/contests/${coup}/standings`)
const leader = encodeURIComponent(rows[0]?.name ?? '')
const sitting = await ask<{ id: string }>('/sittings', { game: 'gunduel', opponents: ['Storm'] })

const pages = {
  home: '/',
  contest: `/contests/${coup}`,
  bot: `/contests/${coup}/bots/${leader}`,
  matches: `/contests/${coup}/matches?bot=${leader}`,
  replay: `/matches/${longest?.id}?contest=${coup}&turn=${Math.floor((longest?.turns ?? 0) / 2)}`,
  play: `/sittings/${sitting.id}`,
  enter: `/contests/${coup}/enter`,
  host: `/contests/${coup}/host`,
}
const eyes = await openEyes()
for (const [name, path] of Object.entries(pages)) {
  const looks = [
    { suffix: '', look: { width: 1200, height: 860, dark: name === 'replay' || name === 'bot' } },
    { suffix: '-phone', look: { width: 390, height: 844 } },
  ]
  for (const { suffix, look } of looks) {
    const page = await eyes.visit(served.url + path, { ...look, still: true })
    await page.getByText('Loading').first().waitFor({ state: 'detached' })
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(images, `site-${name}${suffix}.png`) })
    await page.close()
  }
}
await eyes.close()
await served.close()
rmSync(folder, { recursive: true, force: true })
process.exit()
