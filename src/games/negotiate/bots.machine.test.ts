import { afterAll, describe, expect, it } from 'vitest'
import { ahead, alike, loadHouse, playHouse } from '../../../test/kit/matches.js'
import { isFault } from '../../core/index.js'
import definition from './index.js'

const { bots, close } = await loadHouse(definition)
afterAll(close)
const named = (name: string) => bots.find((bot) => bot.name === name) ?? expect.fail(`no bot ${name}`)

describe('the house bots of negotiate', () => {
  it('six at least need only Node, sh and perl', () => {
    expect(bots.filter((bot) => bot.needs === undefined).length).toBeGreaterThanOrEqual(6)
  })

  // Each with the three after it in the list.
  const ring = bots.map((_, n) => playHouse(definition, [...bots, ...bots].slice(n, n + 4), '0'))

  it('never commit a fault', () => {
    const faults = ring.flatMap(({ seats }) => seats.flat().filter(({ move }) => isFault(move)))
    expect(faults).toEqual([])
  })

  it('seldom draw', () => {
    const drawn = ring.filter(({ outcome }) => outcome.place.filter((place) => place === 1).length > 1)
    expect(drawn.length).toBeLessThan(ring.length / 2)
  })

  it('are no two alike: no pair answers more than 90 % of the same views in the same way', () => {
    for (const [n, one] of bots.entries()) {
      for (const other of bots.slice(n + 1)) {
        expect(alike(bots, ring, one, other), `${one.name} and ${other.name}`).toBeLessThanOrEqual(0.9)
      }
    }
  })

  it('the best leaves the random one behind in at least 60 % of matches', () => {
    const others = [named('Raffle'), named('Bulwark'), named('Strongarm')]
    expect(ahead(definition, named('Weaver'), others, 8)).toBeGreaterThanOrEqual(0.6)
  })
})
