import { describe, expect, it } from 'vitest'
import { describeGame } from '../../kits/index.js'
import { type Moves, newLuck } from '../../core/index.js'
import { policy } from './bots/keel.js'
import definition from './index.js'
import { ACTIONS, type Action, CARDS, type Card, type State, kuhn } from './rules.js'

describeGame(definition, { describe, it }, { games: 60 })

const dealt = (a: Card, b: Card): State => ({ cards: [a, b], said: [] })
const played = (state: State, ...said: readonly Action[]): State =>
  said.reduce((now, action, n) => kuhn.play(now, n % 2 === 0 ? [action] : [undefined, action]), state)
const scoreOf = (state: State) => kuhn.outcome(state)?.score

describe('Kuhn poker', () => {
  it.each<readonly [readonly Action[], Card, Card, readonly number[]]>([
    [['pass', 'pass'], 'K', 'J', [1, -1]],
    [['pass', 'pass'], 'J', 'Q', [-1, 1]],
    [['bet', 'bet'], 'Q', 'J', [2, -2]],
    [['pass', 'bet', 'bet'], 'Q', 'K', [-2, 2]],
    // Whoever passes a bet loses the ante, whatever it holds.
    [['bet', 'pass'], 'J', 'K', [1, -1]],
    [['pass', 'bet', 'pass'], 'K', 'J', [-1, 1]],
  ])('%j with %s against %s comes to %j (rules 3.1 to 3.3)', (said, a, b, score) => {
    expect(scoreOf(played(dealt(a, b), ...said))).toEqual(score)
    expect(scoreOf(played(dealt(a, b), ...said.slice(0, -1)))).toBeUndefined()
  })

  it('asks in turn, and shows cards only where they are laid open (rules 1.3, 3.1, 3.2, 4.1)', () => {
    const bet = played(dealt('Q', 'J'), 'bet')
    expect([kuhn.toMove(dealt('Q', 'J')), kuhn.toMove(bet)]).toEqual([[0], [1]])
    expect(kuhn.view(bet, 1)).toEqual({ seat: 1, card: 'J', said: ['bet'], shown: [] })
    expect(kuhn.view(played(bet, 'pass'), 1).shown).toEqual([])
    const called = kuhn.play(bet, [undefined, 'bet'])
    expect(kuhn.view(called, 1).shown).toEqual(['Q', 'J'])
  })

  it('prices a fault as a pass (rule 4.2)', () => {
    const late: Moves<Action> = [{ fault: 'timeout' }]
    expect(kuhn.play(dealt('K', 'J'), late).said).toEqual(['pass'])
  })

  it('deals each of the six hands equally often', () => {
    const counts = new Map<string, number>()
    for (let n = 0; n < 6000; n++) {
      const key = kuhn.setup(2, {}, newLuck(`deal ${n}`)).cards.join('')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect(counts.size).toBe(6)
    // A thousand each, within five standard deviations.
    for (const n of counts.values()) expect(Math.abs(n - 1000)).toBeLessThan(5 * Math.sqrt(6000 * (1 / 6) * (5 / 6)))
  })
})

describe('Keel', () => {
  /** What seat 0 gets of both policies over all deals, by hand. */
  function worth(first: Policy, second: Policy): number {
    let sum = 0
    for (const a of CARDS)
      for (const b of CARDS.filter((card) => card !== a)) sum += go(dealt(a, b), [first, second]) / 6
    return sum
  }
  type Policy = (view: { card: Card; said: readonly Action[] }) => Readonly<Record<Action, number>>
  function go(state: State, policies: readonly [Policy, Policy]): number {
    const [seat] = kuhn.toMove(state)
    if (seat === undefined) return kuhn.outcome(state)?.score?.[0] ?? 0
    const mix = policies[seat === 0 ? 0 : 1](kuhn.view(state, seat))
    return ACTIONS.reduce(
      (sum, action) => sum + mix[action] * go(kuhn.play(state, seat === 0 ? [action] : [undefined, action]), policies),
      0,
    )
  }
  const keel: Policy = (view) => policy({ ...view, seat: 0, shown: [] })

  it('is worth −1/18 against itself, and no single-minded answer gets more (rule 6.4)', () => {
    expect(worth(keel, keel)).toBeCloseTo(-1 / 18, 12)
    // A bit a card and question: all answers that never draw.
    for (let bits = 0; bits < 64; bits++) {
      const pure: Policy = ({ card, said }) => {
        const bet = (bits >> (2 * CARDS.indexOf(card) + (said.length > 1 || said[0] === 'bet' ? 1 : 0))) & 1
        return { pass: 1 - bet, bet }
      }
      expect(worth(pure, keel)).toBeLessThan(-1 / 18 + 1e-9)
      expect(worth(keel, pure)).toBeGreaterThan(-1 / 18 - 1e-9)
    }
  })
})
