import { describe, expect, it } from 'vitest'
import { describeGame } from '../../kits/index.js'
import { type Moves, newLuck } from '../../core/index.js'
import definition from './index.js'
import { type Action, type Card, type State, leduc } from './rules.js'

describeGame(definition, { describe, it }, { games: 60 })

/** A deal with its coming table card: the state keeps its luck on a tape. */
const dealt = (a: Card, b: Card, table: Card): State => leduc.setup(2, {}, { seed: '', at: 0, tape: [a, b, table] })
const played = (state: State, ...said: readonly Action[]): State =>
  said.reduce((now, action) => {
    const [seat] = leduc.toMove(now)
    return leduc.play(now, seat === 0 ? [action] : [undefined, action])
  }, state)

describe("Leduc hold 'em", () => {
  it.each<readonly [string, readonly [Card, Card, Card], readonly Action[], readonly number[]]>([
    ['checked through, the higher card wins the ante', ['K', 'Q', 'J'], ['call', 'call', 'call', 'call'], [1, -1]],
    ['a pair beats a king', ['K', 'J', 'J'], ['call', 'call', 'call', 'call'], [-1, 1]],
    ['equal cards share', ['Q', 'Q', 'K'], ['raise', 'call', 'raise', 'call'], [0, 0]],
    ['raises of 2, then of 4', ['K', 'Q', 'J'], ['raise', 'call', 'raise', 'call'], [7, -7]],
    // 1 + 2 + 2 in the first round, 4 + 4 in the second: the most there is.
    ['four raises', ['Q', 'J', 'Q'], ['raise', 'raise', 'call', 'raise', 'raise', 'call'], [13, -13]],
    ['a fold loses what was paid', ['K', 'Q', 'J'], ['raise', 'raise', 'fold'], [-3, 3]],
    ['also in the second round', ['K', 'Q', 'J'], ['raise', 'call', 'call', 'raise', 'fold'], [-3, 3]],
  ])('%s (rules 2 and 3)', (_, [a, b, table], said, score) => {
    const state = played(dealt(a, b, table), ...said)
    expect(leduc.outcome(state)?.score).toEqual(score)
    expect(leduc.toMove(state)).toEqual([])
  })

  it('lets fold who has something to pay, and raise twice a round (rules 2.2 and 2.3)', () => {
    const legal = (...said: readonly Action[]) => {
      const state = played(dealt('K', 'Q', 'J'), ...said)
      return leduc.legal(leduc.view(state, leduc.toMove(state)[0] ?? 0))
    }
    expect(legal()).toEqual(['call', 'raise'])
    expect(legal('raise')).toEqual(['fold', 'call', 'raise'])
    expect(legal('raise', 'raise')).toEqual(['fold', 'call'])
    expect(legal('call', 'call')).toEqual(['call', 'raise'])
  })

  it('lays the third card between the rounds, and hands only where they are laid open (rules 1.3, 3.1)', () => {
    const first = played(dealt('K', 'Q', 'J'), 'call')
    expect(leduc.view(first, 1)).toEqual({
      seat: 1,
      card: 'Q',
      table: '',
      rounds: [['call']],
      chips: [1, 1],
      shown: [],
    })
    const second = leduc.play(first, [undefined, 'call'])
    expect(leduc.view(second, 0)).toMatchObject({ table: 'J', rounds: [['call', 'call'], []], shown: [] })
    expect(leduc.view(played(second, 'raise', 'fold'), 0).shown).toEqual([])
    expect(leduc.view(played(second, 'raise', 'call'), 0).shown).toEqual(['K', 'Q'])
  })

  it('prices a fault as a fold where there is something to pay, else as a call (rule 4.2)', () => {
    const late: Moves<Action> = [{ fault: 'timeout' }]
    expect(leduc.play(dealt('K', 'Q', 'J'), late).rounds).toEqual([['call']])
    const raised = played(dealt('K', 'Q', 'J'), 'call', 'raise')
    expect(leduc.outcome(leduc.play(raised, late))?.score).toEqual([-1, 1])
  })

  it('deals pairs as often as six cards have them: one hand of five', () => {
    const pairs = Array.from({ length: 3000 }, (_, n) => leduc.setup(2, {}, newLuck(`deal ${n}`)).cards)
    const share = pairs.filter(([a, b]) => a === b).length
    expect(Math.abs(share - 600)).toBeLessThan(5 * Math.sqrt(3000 * 0.2 * 0.8))
  })
})
