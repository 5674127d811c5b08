import { afterAll, describe, expect, it } from 'vitest'
import { alike, ahead, loadHouse, playHouse } from '../../../test/kit/matches.js'
import { isFault } from '../../core/index.js'
import definition from './index.js'

const { bots, close } = await loadHouse(definition)
afterAll(close)
const named = (name: string) => bots.find((bot) => bot.name === name) ?? expect.fail(`no bot ${name}`)

describe('the house bots of coup', () => {
  it('six at least need only Node, sh and perl', () => {
    expect(bots.filter((bot) => bot.needs === undefined).length).toBeGreaterThanOrEqual(6)
  })

  // Each against its neighbour in the list.
  const ring = bots.map((bot, n) => playHouse(definition, [bot, bots[(n + 1) % bots.length] ?? bot], '0'))

  it('never commit a fault', () => {
    const faults = ring.flatMap(({ seats }) => seats.flat().filter(({ move }) => isFault(move)))
    expect(faults).toEqual([])
  })

  it('end most games before the limit', () => {
    const ended = ring.filter(({ outcome }) => outcome.reason !== 'turn limit')
    expect(ended.length).toBeGreaterThan(ring.length / 2)
  })

  it('are no two alike: no pair answers more than 90 % of the same views in the same way', () => {
    for (const [n, one] of bots.entries()) {
      for (const other of bots.slice(n + 1)) {
        const share = alike(bots, ring, one, other)
        expect(share, `${one.name} and ${other.name}`).toBeLessThanOrEqual(0.9)
      }
    }
  })

  it('the best beats the random one in at least 60 % of matches', () => {
    expect(ahead(definition, named('Ledger'), [named('Tombola')], 20)).toBeGreaterThanOrEqual(0.6)
  })
})
