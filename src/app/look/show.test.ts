import { beforeAll, describe, expect, it } from 'vitest'
import { playScored } from '../../../test/kit/scored-run.js'
import { TestContest } from '../../../test/kit/stored-run.js'
import { excludeEntrant } from '../manage/rulings.js'
import { showEntrant, entrantText } from './show.js'
import { showTiming } from './timing.js'

const place = new TestContest()
const ref = { contest: place.contest }
beforeAll(() => place.play())

it('shows how an entrant fared, its matches as it saw them, the newest first', async () => {
  const page = await showEntrant({ ...ref, name: 'lost' }, { last: 20 }, place.context)
  expect(page).toMatchObject({ name: 'Lost', rank: 2, points: 0.5, matches: 2, wins: 0, draws: 1, losses: 1 })
  expect(page.faults).toEqual({ illegal: 7 })
  expect(page.opponents).toContainEqual({ name: 'Strike', ahead: 0, level: 0, behind: 1 })
  const drawn = page.shown.find(({ against }) => against[0] === 'Wait')
  expect(drawn?.faults).toHaveLength(6)
  expect(
    drawn?.exchanges.map(({ turn }) => turn),
    'the first faults are shown in full',
  ).toEqual([0, 1, 2])
  expect(drawn?.exchanges[0]?.lines.join('\n')).toContain('answered:       "nonsense"')
})

it('shows only losses, and only so many matches', async () => {
  const lost = await showEntrant({ ...ref, name: 'Wait' }, { last: 20, lost: true }, place.context)
  expect(lost.author).toBe('Ann')
  expect(lost.shown.map(({ against, place: rank }) => [against, rank])).toEqual([[['Strike'], 2]])
  expect((await showEntrant({ ...ref, name: 'Wait' }, { last: 1 }, place.context)).shown).toHaveLength(1)
})

it('counts every answer on the clock, of one entrant or of all', async () => {
  const { bots, stalls } = await showTiming({ ...ref, name: undefined }, place.context)
  expect(bots.map(({ name, questions }) => [name, questions])).toEqual([
    ['Strike', 2],
    ['Wait', 7],
    ['Lost', 7],
  ])
  expect(stalls).toEqual([])
  const alone = await showTiming({ ...ref, name: 'wait' }, place.context)
  expect(alone.bots).toEqual(bots.filter(({ name }) => name === 'Wait'))
})

it('refuses a name that is none, and ends where it is not wanted any more', async () => {
  const filter = { last: 20 }
  await expect(showEntrant({ ...ref, name: undefined }, filter, place.context)).rejects.toThrow(
    'name a bot: one of Strike, Wait, Lost',
  )
  await expect(showTiming({ ...ref, name: 'Wat' }, place.context)).rejects.toThrow('did you mean "Wait"')
  await expect(showEntrant({ ...ref, name: 'Wait' }, filter, place.aborted)).rejects.toThrow('not wanted')
  await expect(showTiming({ ...ref, name: undefined }, place.aborted)).rejects.toThrow('not wanted')
})

it('counts what the table counts: matches with one who is out are void, and told', async () => {
  const other = new TestContest()
  await other.play()
  await excludeEntrant({ contest: other.contest, name: 'Lost', ...OUT }, other.context)
  const page = await showEntrant({ contest: other.contest, name: 'Strike' }, { last: 9 }, other.context)
  expect(page).toMatchObject({ rank: 1, points: 1, matches: 1, void: 1, wins: 1, draws: 0, losses: 0 })
  expect(page.opponents).toEqual([{ name: 'Wait', ahead: 1, level: 0, behind: 0 }])
  expect(entrantText(page, [])).toContain('1 match and 1 void one: 1 won, 0 drawn, 0 lost')
})

const OUT = { status: 'disqualified', treatment: 'void', why: 'x' } as const

describe('where scores count', () => {
  it('shows means by opponent, itself among them, and the worst matches first', async () => {
    const scored = await playScored(place)
    const page = await showEntrant({ ...scored, name: 'Friend' }, { last: 3, lost: true }, place.context)
    const coin = page.opponents.find(({ name }) => name === 'Coin')
    expect(page.opponents).toEqual([
      { name: 'Knave', matches: 8, mean: 0 },
      { name: 'Coin', matches: 8, mean: expect.any(Number) as number },
      { name: 'Friend', matches: 8, mean: 12 },
    ])
    expect(page).toMatchObject({ mean: page.points })
    expect(page).not.toHaveProperty('wins')
    // Knave leaves it nothing: no match is worse.
    expect(page.shown.map(({ against, score }) => [against, score])).toEqual(
      Array.from({ length: 3 }, () => [['Knave'], 0]),
    )
    const text = entrantText(
      page,
      page.shown.map((match) => ({ ...match, replay: '' })),
    )
    expect(text).toMatch(/mean score \d/)
    expect(text).toMatch(
      new RegExp(`^Coin +8 +${coin && 'mean' in coin ? Math.round(1000 * coin.mean) / 1000 : ''}$`, 'm'),
    )
    expect(text).toContain('against Knave: place 2, score 0 (')
    expect(text).not.toMatch(/won|Ahead/)
    await excludeEntrant({ contest: scored.contest, name: 'Friend', ...OUT }, place.context)
    const out = await showEntrant({ ...scored, name: 'Friend' }, { last: 1 }, place.context)
    expect(out.excluded).toContain('disqualified')
    // Of what it has played; matches that repeat those count for no entrant now.
    expect(out.opponents).toMatchObject([{ name: 'Knave', mean: 0 }, { name: 'Friend', mean: 12 }, { name: 'Coin' }])
    const all = await showEntrant({ ...scored, name: 'Coin' }, { last: 99, lost: true }, place.context)
    const scores = all.shown.map(({ score = Number.NaN }) => score)
    expect(scores.length).toBe(all.matches + (all.void ?? 0))
    expect(scores).toEqual([...scores].sort((a, b) => a - b))
  })
})
