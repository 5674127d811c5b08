import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestSite } from '../../test/site/site.js'
import type { Contest as ContestFacts } from './contests.js'
import type { Entry } from './entries.js'
import type { Match as MatchFacts, MatchList } from './matches.js'
import type { Standings } from './standings.js'
import { findIsolation } from '../sandbox/index.js'

const { launcher, program } = await findIsolation()
const LADDER = `title = "Ladder"
game = "samurai"
seed = "a seed of more than sixteen characters"
memory = "match"
[format]
kind = "ladder"
repetitions = 4
placing = 12
[[entrants]]
house = "Hedgehog"
[[entrants]]
house = "Abacus"
`

let site: TestSite
let id: string
beforeAll(async () => {
  site = await TestSite.open()
  const made = await site.ask<{ id: string }>('POST', '/contests', { token: site.host, body: { toml: LADDER } })
  id = made.body.id
  await site.ask('POST', `/contests/${id}/start`, { token: site.host })
})
afterAll(() => site.remove())

const contest = async () => (await site.ask<ContestFacts>('GET', `/contests/${id}`)).body
const matches = async () => (await site.ask<MatchList>('GET', `/contests/${id}/matches?limit=200`)).body.items
const idsOf = (list: readonly MatchFacts[]) => list.map(({ id: match }) => match).sort((one, other) => one - other)
const isAmong = (names: readonly string[]) => (match: MatchFacts) =>
  match.seats.every(({ name }) => names.includes(name))
const entryOf = async (entry: string) => (await site.ask<Entry>('GET', `/entries/${entry}`, { token: site.host })).body
async function enter(
  name: string,
  script: string,
  ends: readonly Entry['state'][] = ['rejected', 'placed'],
): Promise<Entry> {
  const form = new FormData()
  form.set('name', name)
  form.set('command', 'sh bot.sh')
  form.append('files', new Blob([script]), 'bot.sh')
  const { body } = await site.ask<{ id: string }>('POST', `/contests/${id}/entries`, { token: site.host, form })
  await site.until(async () => ends.includes((await entryOf(body.id)).state))
  return entryOf(body.id)
}

it('a ladder that has begun as many matches as it may says when it goes on, and which series it plays', async () => {
  const toml = LADDER.replace('placing = 12', 'placing = 12\nhourly = 20')
  const made = await site.ask<{ id: string }>('POST', '/contests', { token: site.host, body: { toml } })
  const facts = async () => (await site.ask<ContestFacts>('GET', `/contests/${made.body.id}`)).body
  const asked = Date.now()
  await site.ask('POST', `/contests/${made.body.id}/start`, { token: site.host })
  await site.until(async () => (await facts()).budget)
  const { budget, matches: played } = await facts()
  expect([budget?.hourly, played]).toEqual([20, 0])
  const wait = Date.parse(budget?.until ?? '') - asked
  expect(wait).toBeGreaterThan(150_000)
  expect(wait).toBeLessThan(600_000)
  const listed = (await site.ask<{ items: ContestFacts[] }>('GET', '/contests')).body.items
  expect(listed.find((one) => one.id === made.body.id)?.budget?.hourly).toBe(20)
  expect((await facts()).series).toBeUndefined()
  const pairings = [1, 2, 3].map((n) => ({ key: `1/Abacus-Hedgehog/${n}`, seats: [0, 1], deal: n }))
  const job = { key: '1/Abacus-Hedgehog', pairings }
  const jobs = () => [{ job, began: asked }]
  site.services.site.progress.begin(made.body.id, {
    jobs,
    played: async () => 0,
    look: async () => undefined,
  })
  await site.until(async () => (await facts()).series)
  expect((await facts()).series).toEqual({ playing: 1, matches: 3 })
  await site.ask('POST', `/contests/${made.body.id}/pause`, { token: site.host })
  expect((await facts()).budget).toBeUndefined()
})

describe.skipIf(launcher === undefined || program === undefined)('a ladder', () => {
  it('never ends: it waits for newcomers, each of whom plays until its place is settled, and no old match again', async () => {
    await site.until(async () => (await contest()).matches > 0)
    expect((await enter('Heron', 'echo B\n')).state).toBe('placed')
    const first = await matches()
    const old = first.filter(isAmong(['Hedgehog', 'Abacus']))
    expect(first.length - old.length).toBeGreaterThan(0)
    expect(first.length - old.length).toBeLessThanOrEqual(14)
    await site.until(async () => (await contest()).idle)
    const waiting = await contest()
    expect([waiting.state, waiting.ended]).toEqual(['playing', undefined])

    // Another version is another bot: what the one before had played counts no more, and the others' matches stay.
    expect((await enter('Heron', 'echo G\n')).state).toBe('placed')
    const second = await matches()
    // A run whose entrants change takes over what was played in the order in which it asks for it, so the order may be another.
    expect(idsOf(second.filter(isAmong(['Hedgehog', 'Abacus'])))).toEqual(idsOf(old))
    const versions = second.flatMap(({ seats }) =>
      seats.flatMap(({ name, version }) => (name === 'Heron' ? [version] : [])),
    )
    expect(new Set(versions)).toEqual(new Set([2]))
    expect((await contest()).state).toBe('playing')
    const { rows, columns } = (await site.ask<Standings>('GET', `/contests/${id}/standings`)).body
    expect(columns).toEqual(['±', 'Matches'])
    expect(rows.length).toBe(3)
  })

  it('says of a version that was replaced before it had played that nothing is left to play for it', async () => {
    const control = (verb: string) => site.ask('POST', `/contests/${id}/${verb}`, { token: site.host })
    await site.until(async () => (await contest()).idle)
    await control('pause')
    const first = await enter('Stork', 'echo B\n', ['rejected', 'playing'])
    const second = await enter('Stork', 'echo G\n', ['rejected', 'playing'])
    expect([first.state, second.state]).toEqual(['playing', 'playing'])
    await control('resume')
    await site.until(async () => (await entryOf(second.id)).state === 'placed')
    await site.until(async () => (await contest()).idle)
    expect((await entryOf(first.id)).state).toBe('placed')
  })
})
