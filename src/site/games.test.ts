import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestSite } from '../../test/site/site.js'
import { unpack } from '../files/unpack.js'
import type { Rules } from './games.js'

let site: TestSite
beforeAll(async () => {
  site = await TestSite.open()
})
afterAll(() => site.remove())

async function kit(game: string, query: string): Promise<readonly string[]> {
  const answer = await site.app.fetch(new Request(`http://localhost/api/v1/games/${game}/kit?${query}`))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  const files = await unpack(new Uint8Array(await answer.arrayBuffer()))
  expect(files.find(({ path }) => path === 'README.md')?.data.toString()).toContain('## The rules')
  return files.map(({ path }) => path).sort()
}

it('gives a starter kit of a game in each language, as a zip that the site takes', async () => {
  expect(await kit('samurai', 'language=Python')).toEqual(['README.md', 'agon.py', 'bot.py', 'bot.toml'])
  expect(await kit('coup', 'language=C%2B%2B')).toEqual(['README.md', 'agon.hpp', 'bot.cpp', 'bot.toml'])
  expect(await kit('gunduel', 'language=C%2B%2B&class=true')).toContain('Player.hpp')
  for (const query of ['language=Cobol', 'language=C%2B%2B&class=true', ''])
    expect((await site.ask('GET', `/games/samurai/kit?${query}`)).status).toBe(400)
  expect((await site.ask('GET', '/games/chess/kit?language=Python')).status).toBe(404)
})

it('tells the messages of a game with examples, and its rules', async () => {
  const { body } = await site.ask<Rules>('GET', '/games/gunduel/rules')
  expect(body.classKit).toBe(true)
  expect(body.kits).toContain('Java')
  expect(body.text).toMatch(/^## What it is sent\n[^]*"type":"ask"[^]*## What it answers\n[^]*## The rules\n/)
  expect((await site.ask<Rules>('GET', '/games/samurai/rules')).body.classKit).toBeUndefined()
})
