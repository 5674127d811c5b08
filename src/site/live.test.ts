import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomMatch } from '../../test/kit/archive.js'
import { TestSite } from '../../test/site/site.js'
import { Stands } from '../../test/site/stands.js'
import { FollowedMatch } from '../results/index.js'
import type { LiveMatch } from './live.js'
import type { MatchList } from './matches.js'
import type { GameDefinition, MatchRecord, Options } from '../core/index.js'
import { games } from '../games/index.js'
import { judge, sealOf } from '../match/index.js'

interface News {
  readonly id: string
  readonly kind: string
  readonly data: Record<string, unknown>
}

let site: TestSite
let id: string
let record: MatchRecord
let match: number
beforeAll(async () => {
  site = await TestSite.open()
  id = await site.contest(2)
  await site.finish(id)
  const { items } = (await site.ask<MatchList>('GET', `/contests/${id}/matches`)).body
  match = items[0]?.id ?? 0
  record = await site.services.site.store.recordOf(match)
})
afterAll(() => site.remove())

/** What a stream sends, event after event. */
async function listen(key: string, last?: string) {
  const address = `http://localhost/api/v1/contests/${id}/live/events?match=${encodeURIComponent(key)}`
  const answer = await site.app.fetch(
    new Request(address, last === undefined ? {} : { headers: { 'last-event-id': last } }),
  )
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  return {
    async next(): Promise<News | undefined> {
      for (;;) {
        const [, own, kind, data] = /id: (.*)\nevent: (.*)\ndata: (.*)\n\n/.exec(text) ?? []
        if (own !== undefined && kind !== undefined && data !== undefined) {
          text = text.slice(text.indexOf(data) + data.length + 2)
          return { id: own, kind, data: JSON.parse(data) as News['data'] }
        }
        const { done, value } = await reader.read()
        if (done) return undefined
        text += decoder.decode(value)
      }
    },
    close: () => reader.cancel(),
  }
}

describe('a match that is being played', () => {
  it('is listed, and seen step by step without its luck, until it is stored', async () => {
    const stands = new Stands(record)
    site.services.site.progress.begin(id, stands)
    const { items } = (await site.ask<{ items: LiveMatch[] }>('GET', `/contests/${id}/live`)).body
    expect(items.map(({ key, seats }) => [key, seats.map(({ name }) => name).sort()])).toEqual([
      [record.key, ['Abacus', 'Hedgehog']],
    ])
    stands.steps = 1
    const stream = await listen(record.key ?? '')
    const began = await stream.next()
    expect(began).toMatchObject({ kind: 'began', data: { game: 'samurai', steps: record.steps.slice(0, 1) } })
    expect(JSON.stringify(began)).not.toContain(record.luck.seed)
    stands.steps = 3
    const more = await stream.next()
    expect(more).toMatchObject({ kind: 'steps', data: { from: 1, steps: record.steps.slice(1, 3) } })
    await stream.close()

    // A listener that comes back is sent what it missed, and nothing twice.
    stands.steps = 5
    const again = await listen(record.key ?? '', more?.id)
    const missed = await again.next()
    expect(missed?.data).toMatchObject({ from: 3, steps: record.steps.slice(3, 5) })
    stands.over = true
    expect(await again.next()).toMatchObject({ kind: 'ended', data: { match } })
    expect(await again.next()).toBeUndefined()
    site.services.site.progress.end(id)
  })

  it('begins anew where it was void, and leads to its record where it is long over', async () => {
    const stands = new Stands(record)
    site.services.site.progress.begin(id, stands)
    stands.steps = 4
    const stream = await listen(record.key ?? '', '999.4.')
    expect((await stream.next())?.data['steps']).toHaveLength(4)
    await stream.close()
    site.services.site.progress.end(id)
    const late = await listen(record.key ?? '')
    expect(await late.next()).toMatchObject({ kind: 'ended', data: { match } })
    const none = await listen('1/Nobody-Nothing/9')
    expect(await none.next()).toMatchObject({ kind: 'gone' })
    expect(await none.next()).toBeUndefined()
  })
})

const definitionOf = (game: string) => games.find((one) => one.game.id === game) as GameDefinition
const randomOf = (game: string) => {
  const { seats } = definitionOf(game).game
  return randomMatch(
    definitionOf(game),
    '1/a-b/1',
    Array.from({ length: seats.min }, (_, n) => ({ entrant: `Bot ${n}`, id: n })),
  )
}

describe('what is shown of a match while it is played', () => {
  it.each([
    ['samurai', undefined],
    ['gunduel', undefined],
    ['coup', 'hidden'],
    ['negotiate', 'hidden'],
    ['stronger', 'chance'],
  ])('%s: all, unless its secret is %s', (game, why) => {
    expect(sealOf(definitionOf(game), randomOf(game))).toBe(why)
  })

  it.each(['samurai', 'gunduel'])('%s: its positions, as its rules have them', (game) => {
    const played = randomOf(game)
    const follower = new FollowedMatch(definitionOf(game), played)
    follower.take(played.steps.slice(0, 1))
    follower.take(played.steps.slice(1))
    expect(follower.computed.moves).toEqual(judge(definitionOf(game), played).moves)
    expect(follower.computed.boards.length).toBe(played.steps.length + 1)
  })

  it('with what bots say, on which its positions may rest', () => {
    const talk = {
      id: 'talk',
      version: 1,
      seats: { min: 2, max: 2 },
      options: {},
      say: true,
      setup: () => [],
      toMove: (heard: unknown[]) => (heard.length === 0 ? [0] : []),
      view: () => null,
      legal: () => ['nod'],
      play: (heard: unknown[], _: unknown, said?: unknown[]) => [...heard, said?.[0]],
      outcome: (heard: unknown[]) => (heard.length === 0 ? undefined : { place: [1, 1], reason: 'over' }),
    }
    const seats = [0, 1].map((seat) => ({ entrant: `Bot ${seat}`, wire: 'jsonl', id: seat }))
    const played = { ...randomOf('gunduel'), game: 'talk', options: {}, seats, ready: [] }
    const follower = new FollowedMatch({ game: talk, title: '', summary: '' } as unknown as GameDefinition, played)
    follower.take([[[0, '{"action":"nod","say":"hello"}']]])
    expect(follower.computed.boards.map((board) => JSON.parse(board) as unknown)).toEqual([[], ['hello']])
  })

  it('nothing of a game that draws late, before the first draw either', () => {
    const gunduel = definitionOf('gunduel')
    const { game } = gunduel
    const setup = (seats: number, options: Options, luck: MatchRecord['luck']) => ({
      ...(game.setup(seats, options, luck) as object),
      luck,
    })
    expect(sealOf({ ...gunduel, game: { ...game, setup } }, randomOf('gunduel'))).toBe('chance')
  })
})
