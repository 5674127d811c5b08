import { describe, expect, it } from 'vitest'
import { type GameDefinition, type Luck, type Options, UserError, chance, pick } from '../core/index.js'
import { games } from '../games/index.js'
import kuhn from '../games/kuhn/index.js'
import leduc from '../games/leduc/index.js'
import { solveMatrix } from './matrix-game.js'
import { solveGame } from './solve.js'

const definitionOf = (id: string): GameDefinition => games.find(({ game }) => game.id === id) as GameDefinition
const solved = (id: string, changes: Options) => {
  const definition = definitionOf(id)
  return solveGame(definition, { ...definition.game.options, ...changes })
}

describe('a game of one joint choice', () => {
  it('is solved by the mean of what wins and loses in a circle', () => {
    const { value, rows, columns } = solveMatrix([
      [0, -1, 1],
      [1, 0, -1],
      [-1, 1, 0],
    ])
    expect(value).toBeCloseTo(0, 12)
    for (const weight of [...rows, ...columns]) expect(weight).toBeCloseTo(1 / 3, 12)
  })

  it('mixes by what is at stake: matching pennies whose heads count double', () => {
    // p·2 − (1−p) = −p + (1−p), so p = 2/5, and the value is 1/5.
    const { value, rows } = solveMatrix([
      [2, -1],
      [-1, 1],
    ])
    expect([value, ...rows].map((one) => Math.round(1e9 * one) / 1e9)).toEqual([0.2, 0.4, 0.6])
  })

  it('leaves neither seat anything to gain, whatever is at stake', () => {
    let at = 1
    const next = (): number => (at = (at * 48271) % 2147483647) / 2147483647
    for (let i = 0; i < 400; i++) {
      const [m, n] = [1 + Math.floor(6 * next()), 1 + Math.floor(6 * next())]
      // Few figures: ties are where the method might circle.
      const table = Array.from({ length: m }, () => Array.from({ length: n }, () => Math.floor(4 * next()) - 2))
      const { value, rows, columns } = solveMatrix(table)
      const gains = table.map((row) => row.reduce((sum, payoff, j) => sum + payoff * (columns[j] ?? 0), 0))
      const losses = columns.map((_, j) => table.reduce((sum, row, k) => sum + (row[j] ?? 0) * (rows[k] ?? 0), 0))
      expect(Math.max(...gains) - value).toBeLessThan(1e-9)
      expect(value - Math.min(...losses)).toBeLessThan(1e-9)
      expect(Math.min(...rows, ...columns)).toBeGreaterThanOrEqual(0)
    }
  })
})

describe('poker, in sequence form', () => {
  it('is worth −1/18 to who begins, in Kuhn’s', async () => {
    const { value, exploitability, strategy } = await solveGame(kuhn, {})
    expect(value).toBeCloseTo(-1 / 18, 9)
    expect(exploitability).toBeLessThan(1e-9)
    // Kuhn's theorem: the first passes with the queen; the second calls a bet with the king, and folds the jack.
    const betsOf = (card: string, ...said: readonly string[]) =>
      strategy.find(({ view }) => {
        const seen = view as { card: string; said: readonly string[] }
        return seen.card === card && seen.said.join() === said.join()
      })?.policy['bet']
    expect(betsOf('Q')).toBeCloseTo(0, 6)
    expect(betsOf('K', 'bet')).toBeCloseTo(1, 6)
    expect(betsOf('J', 'bet')).toBeCloseTo(0, 6)
    expect(betsOf('Q', 'bet')).toBeCloseTo(1 / 3, 6)
    expect(strategy).toHaveLength(12)
  })

  it('is worth −0.0856064 to who begins, in Leduc', { timeout: 150_000 }, async () => {
    const { value, exploitability, strategy } = await solveGame(leduc, {})
    expect(value).toBeCloseTo(-0.0856064, 7)
    expect(exploitability).toBeLessThan(1e-7)
    // The literature's count for six cards without suits.
    expect(strategy).toHaveLength(288)
  })
})

describe('chance', () => {
  /** The seat that guesses a coin, heads three times of four, wins; `shown`: seat 0 sees it. */
  const coin = (shown: boolean, more: object = {}): GameDefinition => ({
    title: 'Coin',
    summary: 'A coin.',
    game: {
      id: 'coin',
      version: 1,
      seats: { min: 2, max: 2 },
      options: {},
      setup: (_seats, _options, luck) => ({ heads: chance(luck, 0.75)[0], said: '' }),
      toMove: (state) => ((state as Coin).said === '' ? [0] : []),
      view: (state, seat) => (shown && seat === 0 ? { heads: (state as Coin).heads } : {}),
      legal: () => ['heads', 'tails'],
      play: (state, [move]) => ({ ...(state as Coin), said: move as string }),
      outcome: (state) => {
        const { said, heads } = state as Coin
        return said === '' ? undefined : { place: (said === 'heads') === heads ? [1, 2] : [2, 1], reason: 'said' }
      },
      ...more,
    },
  })
  interface Coin {
    readonly heads: boolean
    readonly said: string
  }

  it('counts by its probability: 3/4 − 1/4 to who does not see it, 1 to who does', async () => {
    expect((await solveGame(coin(false), {})).value).toBeCloseTo(0.5, 9)
    expect((await solveGame(coin(true), {})).value).toBeCloseTo(1, 9)
  })

  it('may be given by the game itself, with probabilities that come to 1', async () => {
    const chances = (p: number) => (state: unknown) =>
      (state as Coin).said === ''
        ? [
            { state: { heads: true, said: '' }, p },
            { state: { heads: false, said: '' }, p: 0.5 },
          ]
        : undefined
    expect((await solveGame(coin(false, { chances: chances(0.5) }), {})).value).toBeCloseTo(0, 9)
    await expect(solveGame(coin(false, { chances: chances(0.6) }), {})).rejects.toThrow('come to 1.1, and not to 1')
  })

  it('is refused where one does not gain what the other loses', async () => {
    const outcome = (state: unknown) =>
      (state as Coin).said === '' ? undefined : { score: (state as Coin).heads ? [1, 1] : [0, 1], reason: 'said' }
    await expect(solveGame(coin(false, { outcome }), {})).rejects.toThrow('is not what the other loses')
  })

  it('has to be drawn from the luck that is given, and not from a copy of it', async () => {
    const setup = (_seats: number, _options: Options, luck: Luck) => {
      const copy = JSON.parse(JSON.stringify(luck)) as Luck
      return { heads: chance(copy, 0.75)[0] && chance({ ...copy, at: 1 }, 0.75)[0], said: '' }
    }
    expect((await solveGame(coin(true, { setup }), {})).value).toBeCloseTo(1, 9)
    const kept = { ...kuhn.game, play: () => pick(newLuckWithTape, [1, 2]) as unknown }
    await expect(solveGame({ ...kuhn, game: kept }, {})).rejects.toThrow('it copies the luck')
  })
})
const newLuckWithTape: Luck = { seed: '', at: 0, tape: [] }

describe('a game in which nothing is hidden', () => {
  it.each([
    { turns: 3, ammo: 0 },
    { turns: 3, ammo: 2 },
    { turns: 12, ammo: 1 },
  ])('is worth 0, and not to be exploited: a gun duel of %o', async (options) => {
    const { value, exploitability, strategy } = await solved('gunduel', options)
    expect(Math.abs(value)).toBeLessThan(1e-9)
    expect(exploitability).toBeLessThan(1e-9)
    for (const { policy } of strategy) expect(Object.values(policy).reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
  })

  it('never fires an empty gun', async () => {
    const { strategy } = await solved('gunduel', { turns: 1, ammo: 0 })
    expect(strategy).toHaveLength(2)
    for (const { policy } of strategy) expect([policy['1'], policy['2']]).toEqual([0, 0])
  })

  it('is the same by either method', { timeout: 150_000 }, async () => {
    const gunduel = definitionOf('gunduel')
    const options = { turns: 2, ammo: 1 }
    const hidden = await solveGame({ ...gunduel, open: false }, options)
    expect(hidden.method).toBe('linear programming')
    expect(Math.abs(hidden.value)).toBeLessThan(1e-8)
    expect(hidden.exploitability).toBeLessThan(1e-8)
  })

  it('is the same whether or not it says what of a view matters', async () => {
    for (const id of ['gunduel', 'samurai']) {
      const { essence: _, ...whole } = definitionOf(id)
      const options = { ...whole.game.options, turns: 3, ...(id === 'samurai' && { health: 1, sword: 2 }) }
      const [all, some] = [await solveGame(whole, options), await solveGame(definitionOf(id), options)]
      expect(all.value).toBeCloseTo(some.value, 9)
      expect(some.positions).toBeLessThan(all.positions)
      // The smaller one's strategy is one of the larger: asked for by each view.
      expect(some.exploitability + all.exploitability).toBeLessThan(1e-9)
    }
  })

  it('is refused where it is too large, has other seats, or refuses its options', async () => {
    await expect(solved('gunduel', { turns: 0 })).rejects.toThrow('turns must be')
    await expect(solveGame(definitionOf('negotiate'), definitionOf('negotiate').game.options)).rejects.toThrow(
      UserError,
    )
  })
})
