import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestSite } from '../../test/site/site.js'
import type { Sitting } from './sittings.js'
import { listed } from '../core/index.js'
import { games } from '../games/index.js'
import { judge } from '../match/index.js'

let site: TestSite
beforeAll(async () => {
  site = await TestSite.open()
})
afterAll(() => site.remove())

const sit = (game: string, opponents: readonly string[], more: object = {}) =>
  site.ask<Sitting>('POST', '/sittings', { body: { game, opponents, ...more } })
const move = (id: string, action: string) => site.ask<Sitting>('POST', `/sittings/${id}/moves`, { body: { action } })

/** Plays the first legal action each time. */
async function play({ body }: Awaited<ReturnType<typeof sit>>): Promise<Sitting> {
  let now = body
  for (let [first] = listed(now.legal); first !== undefined; [first] = listed(now.legal))
    now = (await move(now.id, first)).body
  return now
}

describe('a person against bots', () => {
  it.each([
    ['samurai', ['Abacus']],
    ['gunduel', ['Storm']],
    ['coup', ['Ledger']],
  ])('plays %s to its end, and its record judges to the same', async (game, opponents) => {
    const end = await play(await sit(game, opponents))
    expect(end).toMatchObject({ over: true, legal: [], game, seat: 1 })
    const definition = games.find((one) => one.game.id === game)
    if (definition === undefined || end.record === undefined) throw new Error('there is no record')
    expect(judge(definition, end.record).outcome).toEqual(end.outcome)
    // It is found by its address when it is long over.
    expect((await site.ask<Sitting>('GET', `/sittings/${end.id}`)).body.record).toEqual(end.record)
  })

  it('is sent what its seat may know, and no more', async () => {
    const { body } = await sit('coup', ['Ledger'])
    const definition = games.find((one) => one.game.id === 'coup')
    expect(body.record).toBeUndefined()
    expect(JSON.stringify(body)).not.toContain('"seed"')
    // A view is what the game shows a seat: from it the game itself says what is legal.
    expect(definition?.game.legal(body.view)).toEqual(body.legal)
    const kinds = new Set(body.events.map(({ kind }) => kind))
    expect([...kinds].every((kind) => ['began', 'asked', 'observed'].includes(kind))).toBe(true)
  })

  it('cannot make a move that is not legal, nor one after the end', async () => {
    const { body } = await sit('samurai', ['Abacus'])
    for (const action of ['\u0000', '', 'Z', 'bb']) expect((await move(body.id, action)).status).toBe(400)
    const end = await play({ body } as never)
    expect((await move(end.id, 'B')).status).toBe(409)
    expect((await move('nothing', 'B')).status).toBe(404)
  })

  it('is sent the events since a number, and no others', async () => {
    const { body } = await sit('samurai', ['Abacus'])
    const { id, events } = body
    const path = `/sittings/${id}/moves?since=${events.length}`
    const next = (await site.ask<Sitting>('POST', path, { body: { action: 'B' } })).body
    const all = (await site.ask<Sitting>('GET', `/sittings/${id}`)).body
    expect(next.first).toBe(events.length)
    expect([...events, ...next.events]).toEqual(all.events)
    expect((await site.ask<Sitting>('GET', `/sittings/${id}?since=9999`)).body).toMatchObject({
      events: [],
      first: 9999,
    })
  })

  it.each([
    ['a file', { game: 'samurai', opponents: ['/etc/passwd'] }],
    ['a command', { game: 'samurai', opponents: ['sh -c "touch /tmp/x"'] }],
    ['a game’s file', { game: './game.ts', opponents: [] }],
    ['too few', { game: 'samurai', opponents: [] }],
    ['too many', { game: 'samurai', opponents: ['Abacus', 'Hedgehog'] }],
    ['more bots than a person may have', { game: 'stronger', opponents: Array<string>(17).fill('Alchemist') }],
    ['an option without bounds', { game: 'gunduel', opponents: ['Storm'], options: { turns: 1e308 } }],
    ['an option that is none', { game: 'samurai', opponents: ['Abacus'], options: { colour: 'red' } }],
  ])('cannot name %s', async (_, body) => {
    expect((await site.ask('POST', '/sittings', { body })).status).toBe(400)
  })
})

it.each(
  games.flatMap(({ game }) =>
    Object.entries(game.options).flatMap(([name, usual]) => (typeof usual === 'number' ? [[game.id, name]] : [])),
  ),
)('%s bounds its option %s', (id, name) => {
  const { game } = games.find((one) => one.game.id === id) ?? expect.fail(`there is no ${id}`)
  for (const huge of [1e308, 1e12])
    expect(game.refuse?.({ ...game.options, [name]: huge }, game.seats.min), `${huge}`).toBeDefined()
})

describe('who sits down', () => {
  it('does not against more bots than all matches of an address may have', async () => {
    const fresh = await TestSite.open()
    const bot = 'Alchemist'
    const against = (bots: number) =>
      fresh.ask('POST', '/sittings', { body: { game: 'stronger', opponents: Array<string>(bots).fill(bot) } })
    expect([(await against(10)).status, (await against(7)).status, (await against(6)).status]).toEqual([201, 429, 201])
    await fresh.remove()
  })

  it('finds a place among so many bots in all, none of which is started before it is asked', async () => {
    const fresh = await TestSite.open({ proxy: true })
    const body = { game: 'stronger', opponents: Array<string>(15).fill('Alchemist') }
    const statuses: number[] = []
    for (let n = 1; n <= 9; n++) {
      const headers = { 'x-forwarded-for': `10.0.0.${n}` }
      statuses.push((await fresh.ask('POST', '/sittings', { body, headers })).status)
    }
    expect(statuses).toEqual([...Array<number>(8).fill(201), 429])
    await fresh.remove()
  })

  it('does not where the contest forbids it, nor in too many matches', async () => {
    const fresh = await TestSite.open()
    const closed = await fresh.contest(1, 'sittings = false')
    const body = { contest: closed, opponents: ['Abacus'] }
    expect((await fresh.ask('POST', '/sittings', { body })).status).toBe(403)
    const open = await fresh.contest(1)
    const against = await fresh.ask<Sitting>('POST', '/sittings', { body: { ...body, contest: open } })
    expect(against.body.names).toEqual(['Abacus', 'you'])
    const all: number[] = []
    const another = { game: 'gunduel', opponents: ['Storm'] }
    for (let n = 0; n < 10; n++) all.push((await fresh.ask('POST', '/sittings', { body: another })).status)
    await fresh.remove()
    expect(all.at(-1)).toBe(429)
  })
})
