import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fault, Moves } from '../../core/index.js'
import { newLuck } from '../../core/index.js'
import { ACTIONS, gunduel } from './rules.js'
import type { Action, GunduelOptions, State } from './rules.js'

const start = (options: Partial<GunduelOptions> = {}): State =>
  gunduel.setup(2, { ...gunduel.options, ...options }, newLuck(''))
const turn = (state: State, a: Action | Fault, b: Action | Fault): State => gunduel.play(state, [a, b])
const duel = (a: string, b: string, from = start()): State =>
  [...a].reduce((state, action, n) => turn(state, action as Action, b[n] as Action), from)
const late: Fault = { fault: 'timeout' }

describe('one turn', () => {
  // Rows: the first seat's action; columns: the second's; signs say who lives on (rules 3 to 5), by the author's table.
  const table: Record<Action, string> = { '0': '.--..', '1': '+.-.+', '2': '++.+.', '-': '..-..', '=': '.-...' }
  test.each(ACTIONS.flatMap((a) => ACTIONS.map((b) => [a, b] as const)))('%s against %s', (a, b) => {
    const end = gunduel.outcome(turn(start({ ammo: 2 }), a, b))
    const wanted = { '.': undefined, '+': [1, 2], '-': [2, 1] }[table[a].charAt(ACTIONS.indexOf(b))]
    expect(end?.place).toEqual(wanted)
    expect(end?.reason).toBe(wanted && 'shot')
  })
})

describe('counts: the joint moves that leave the duel going', () => {
  // Turn 1: both guns are empty, a shot bursts: 3 × 3 pairs without one.
  // Turn 2: of the 9 positions 4 have no round (9 pairs each), 2 and 2 have one on one side (9 and a bullet against the shield: 10),
  // 1 has one on both (9, two such bullets, and bullet against bullet: 12): 4 × 9 + 4 × 10 + 12 = 88.
  // Turn 3: by the rounds (a, b) after turn 2, either way round: 21 × (0, 0), 34 × (1, 0), 8 × (2, 0), 16 × (1, 1), 8 × (2, 1),
  // 1 × (2, 2). Two rounds add the beam against the deflector, on both sides also beam against beam, so from these positions
  // 9, 10, 11, 12, 13 and 15 pairs go on: 189 + 340 + 88 + 192 + 104 + 15 = 928. Turn 4 likewise, from nine kinds: 10,348.
  test('turns 1 to 4: 9, 88, 928, 10,348', () => {
    let open: readonly State[] = [start()]
    const counts = [1, 2, 3, 4].map(() => {
      open = open.flatMap((state) => ACTIONS.flatMap((a) => ACTIONS.map((b) => turn(state, a, b))))
      open = open.filter((state) => gunduel.toMove(state).length > 0)
      return open.length
    })
    expect(counts).toEqual([9, 88, 928, 10_348])
  })
})

describe('rulings', () => {
  test('9: a gun that bursts loses whatever the other does, and hits nobody', () => {
    expect(gunduel.outcome(turn(start(), '2', '0'))).toEqual({ place: [2, 1], reason: 'burst' })
    expect(gunduel.outcome(turn(start(), '0', '1'))).toEqual({ place: [1, 2], reason: 'burst' })
    expect(gunduel.outcome(duel('=02', '001'))).toEqual({ place: [2, 1], reason: 'burst' })
  })
  test('9: both guns bursting, by shots or by faults, is a draw', () => {
    expect(gunduel.outcome(turn(start(), '1', '2'))).toEqual({ place: [1, 1], reason: 'burst' })
    expect(gunduel.outcome(turn(start(), late, { fault: 'crash' }))).toEqual({ place: [1, 1], reason: 'fault' })
    expect(gunduel.outcome(turn(start(), late, '1'))).toEqual({ place: [1, 1], reason: 'fault' })
    expect(gunduel.outcome(duel('00', '00'))).toBeUndefined()
  })
  test('9: a fault loses even where the other is shot at by nobody', () => {
    expect(gunduel.outcome(turn(duel('0', '0'), '-', late))).toEqual({ place: [1, 2], reason: 'fault' })
    expect(gunduel.outcome(turn(duel('0', '0'), late, '1'))).toEqual({ place: [2, 1], reason: 'fault' })
  })
  test('10: every action is legal, a burst stands in the history, the count shows what is missing', () => {
    expect(gunduel.legal(gunduel.view(start(), 0))).toEqual(['0', '1', '2', '-', '='])
    const end = duel('02', '-0')
    expect(gunduel.view(end, 0)).toMatchObject({
      turn: 2,
      ammo: -1,
      history: '02',
      opponentAmmo: 1,
      opponentHistory: '-0',
    })
    expect(gunduel.view(turn(start(), '2', '-'), 1)).toMatchObject({ turn: 1, opponentAmmo: -2, opponentHistory: '2' })
  })
  test('11: a faulted turn stands in neither history and changes no count', () => {
    const before = duel('00', '-0')
    const { over: open, ...known } = gunduel.view(before, 1)
    expect(open).toBeNull()
    expect(gunduel.view(turn(before, late, '0'), 1)).toEqual({ ...known, over: 'fault' })
    expect(gunduel.view(turn(before, '0', late), 1)).toEqual({ ...known, over: 'fault' })
  })
  test('8 and 12: turn 100 is played before it is a draw', () => {
    const before = duel(`0${'-'.repeat(98)}`, '0'.padEnd(99, '='))
    expect(gunduel.toMove(before)).toEqual([0, 1])
    expect(gunduel.outcome(turn(before, '-', '-'))).toEqual({ place: [1, 1], reason: 'turn limit' })
    expect(gunduel.outcome(turn(before, '1', '='))).toEqual({ place: [1, 2], reason: 'shot' })
    expect(gunduel.outcome(turn(before, '2', '='))).toEqual({ place: [2, 1], reason: 'burst' })
    expect(gunduel.outcome(turn(before, late, '='))).toEqual({ place: [2, 1], reason: 'fault' })
    expect(gunduel.outcome(duel('-', '-'))).toBeUndefined()
    expect(gunduel.outcome(turn(start({ turns: 1 }), '-', '-'))?.reason).toBe('turn limit')
  })
  test("the author's own example: a plasma beam with one round loses it", () => {
    const end = duel('001-000-1201101001----2', '00-10-=1-==--0100-1---1')
    expect(gunduel.outcome(end)).toEqual({ place: [2, 1], reason: 'burst' })
    expect(end.ammo[0]).toBe(-1)
  })
  test('options that make no duel are refused', () => {
    expect(gunduel.refuse?.(gunduel.options, 2)).toBeUndefined()
    expect(gunduel.refuse?.(gunduel.options, 3)).toMatch(/two seats/)
    expect(gunduel.refuse?.({ turns: 0, ammo: 0 }, 2)).toMatch(/turns/)
    expect(gunduel.refuse?.({ turns: 9, ammo: -1 }, 2)).toMatch(/ammo/)
  })
})

describe('properties of random duels', () => {
  const anyAction = fc.constantFrom(...ACTIONS)
  const move = fc.oneof({ weight: 30, arbitrary: anyAction }, { weight: 1, arbitrary: fc.constant(late) })
  const moves = fc.array(fc.tuple(move, move), { minLength: 1, maxLength: 40 })
  const options = fc.record({ turns: fc.integer({ min: 1, max: 30 }), ammo: fc.integer({ min: 0, max: 9 }) })
  const freeze = (state: State): State => {
    for (const part of Object.values(state)) Object.freeze(part)
    return Object.freeze(state)
  }
  /** Every state of a duel, the last one ended or out of moves. */
  const states = (setting: GunduelOptions, played: readonly Moves<Action>[]): readonly State[] => {
    const all = [freeze(start(setting))]
    for (const pair of played) {
      const last = all.at(-1) as State
      if (gunduel.toMove(last).length === 0) break
      const copy = structuredClone(last)
      const next = freeze(gunduel.play(last, pair))
      expect(gunduel.play(copy, pair)).toEqual(next)
      all.push(next)
    }
    return all
  }

  test('pure, ended within the limit, and an outcome exactly when nobody is due', () => {
    fc.assert(
      fc.property(options, moves, (setting, played) => {
        const all = states(setting, played)
        for (const [n, state] of all.entries()) {
          expect(gunduel.outcome(state) === undefined).toBe(gunduel.toMove(state).length > 0)
          expect(gunduel.toMove(state).length > 0).toBe(state.end === null)
          if (n < all.length - 1) expect(state.histories.map((history) => history.length)).toEqual([n, n])
        }
        expect(all.length - 1).toBeLessThanOrEqual(setting.turns)
        const last = all.at(-1) as State
        if (last.end) expect(gunduel.play(last, ['0', '0'])).toBe(last)
      }),
    )
  })

  test('rounds are what was loaded less what was fired, negative only in a gun that burst', () => {
    fc.assert(
      fc.property(options, moves, (setting, played) => {
        for (const { ammo, histories, end } of states(setting, played)) {
          for (const seat of [0, 1] as const) {
            const count = (action: Action) => histories[seat].split(action).length - 1
            expect(ammo[seat]).toBe(setting.ammo + count('0') - count('1') - 2 * count('2'))
            expect(ammo[seat] < 0).toBe(end?.reason === 'burst' && end.lost[seat])
          }
        }
      }),
    )
  })

  test('the seats are alike: swapped moves give the swapped duel', () => {
    fc.assert(
      fc.property(options, moves, (setting, played) => {
        const one = states(setting, played)
        const two = states(
          setting,
          played.map(([a, b]) => [b, a]),
        )
        expect(two.length).toBe(one.length)
        for (const [n, state] of one.entries()) {
          for (const seat of [0, 1])
            expect(gunduel.view(two.at(n) as State, 1 - seat)).toEqual(gunduel.view(state, seat))
          const place = gunduel.outcome(state)?.place
          expect(gunduel.outcome(two.at(n) as State)?.place).toEqual(place && [...place].reverse())
        }
      }),
    )
  })

  test("the other's pending choice is in no view: a turn's view is the same whatever both then choose", () => {
    fc.assert(
      fc.property(options, moves, move, move, (setting, played, mine, theirs) => {
        const state = states(setting, played).at(-1) as State
        const before = [gunduel.view(state, 0), gunduel.view(state, 1)]
        gunduel.play(state, [mine, theirs])
        expect([gunduel.view(state, 0), gunduel.view(state, 1)]).toEqual(before)
      }),
    )
  })
})
