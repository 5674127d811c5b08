import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Duellists, type Fought } from './kit/duellists.js'

/** How often the same two meet, and how many duels of each are looked at for agreement. */
const DUELS = 4
const LOOKED_AT = 5

describe("the gun duel's house bots", () => {
  const field = new Duellists('house')
  const places = field.entrants.map((_, place) => place)
  const fought: Fought[] = []
  const won = (duels: readonly Fought[], place: number): number =>
    duels.filter(({ seats, record }) => record.outcome.place.join() === (seats[0] === place ? '1,2' : '2,1')).length
  const of = (place: number): Fought[] => fought.filter(({ seats }) => seats.includes(place))

  beforeAll(async () => {
    for (const one of places) {
      for (const two of places.slice(one + 1)) fought.push(...(await field.duels(one, two, DUELS)))
    }
  }, 120_000)
  afterAll(() => field.close())

  it('are there, all but those whose language is missing here, and commit no fault', ({ annotate }) => {
    for (const note of field.missing) void annotate(note)
    expect(field.entrants.length).toBeGreaterThanOrEqual(7)
    expect(fought.length).toBe((DUELS * places.length * (places.length - 1)) / 2)
    for (const { record } of fought) expect(record.outcome.reason, JSON.stringify(record)).not.toBe('fault')
  })

  it('end most duels before the turn limit', () => {
    const limited = fought.filter(({ record }) => record.outcome.reason === 'turn limit')
    expect(limited.length).toBeLessThan(fought.length / 2)
  })

  it('differ: no two agree on more than 90 % of the views that one of them had', async () => {
    const looked = (place: number): readonly Fought[] =>
      of(place).filter((_, n, all) => n % Math.ceil(all.length / LOOKED_AT) === 0)
    for (const place of places) {
      for (const { of: other, alike, asked } of await field.agreement(place, looked)) {
        const names = [place, other].map((each) => field.entrants[each]?.name).join(' and ')
        expect(asked).toBeGreaterThan(LOOKED_AT)
        // Metronome answers as the contest's text describes its own bot, which leaves it nothing to differ by.
        if (!names.includes('Metronome')) expect(alike / asked, names).toBeLessThanOrEqual(0.9)
      }
    }
  }, 120_000)

  it('have a best one that beats the random one in 90 % of their duels', async () => {
    const score = (place: number): number => won(of(place), place)
    const best = [...places].sort((a, b) => score(b) - score(a))[0] ?? 0
    const dice = field.entrants.findIndex(({ name }) => name === 'Dice')
    const duels = await field.duels(best, dice, 40)
    expect(won(duels, best), field.entrants[best]?.name).toBeGreaterThanOrEqual(36)
  }, 60_000)
})
