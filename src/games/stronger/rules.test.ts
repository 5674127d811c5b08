import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../kits/index.js'
import { FAULT_KINDS, newLuck, readMove } from '../../core/index.js'
import type { Fault, BotOutput, Move, Moves } from '../../core/index.js'
import { conform } from './conform.js'
import { game } from './rules.js'
import type { Action, StrongerOptions, State } from './rules.js'
import { turn } from './wires.js'

const start = (seats: number, options: Partial<StrongerOptions> = {}): State =>
  game.setup(seats, { ...game.options, ...options }, newLuck('a seed'))
const bySeat = (state: State): State['bots'] => [...state.bots].sort((a, b) => a.seat - b.seat)
/** `[life, power]` by seat. */
const figures = (state: State): number[][] => bySeat(state).map((bot) => [bot.life, bot.power])
const play = (state: State, ...moves: (Move<Action> | undefined)[]): State => game.play(state, moves)

interface Recorded {
  order: number[]
  turns: { replies: (string | null)[]; after: number[][] }[]
  score: number[][]
}
const lines = gunzipSync(readFileSync('test/conformance/stronger.jsonl.gz')).toString().trim().split('\n')
const raise = (row: number[] | undefined, k: number): unknown => row?.splice(k, 1, (row[k] ?? 0) + 1)
const recorded = (n: number): Recorded => JSON.parse(lines[n] ?? '') as Recorded

describe('recorded games', () => {
  it('all 40 agree, turn by turn', () => {
    expect(lines).toHaveLength(40)
    for (const line of lines) expect(conform(JSON.parse(line))).toEqual([])
  })

  it('a single wrong figure, order or score is noticed', () => {
    for (const n of [3, 6, 17]) {
      const whole = recorded(n)
      const bent = (bend: (copy: Recorded) => void): void => {
        const copy = structuredClone(whole)
        bend(copy)
        expect(conform(copy)).not.toEqual([])
      }
      for (let t = 0; t < whole.turns.length; t += 7) {
        for (const id of whole.order) for (const k of [0, 1]) bent((copy) => raise(copy.turns[t]?.after[id], k))
      }
      for (const id of whole.order) for (const k of [0, 1]) bent((copy) => raise(copy.score[id], k))
      bent((copy) => copy.turns.pop())
      bent((copy) => copy.turns.push(...copy.turns.slice(-1)))
      bent((copy) => copy.turns[4]?.replies.splice(0, 1, null))
    }
  })

  it('a line of another shape is a difference, not an exception', () => {
    const whole = recorded(0)
    const shapes = [
      null,
      7,
      'x',
      [],
      {},
      { ...whole, turns: 5 },
      { ...whole, turns: [null] },
      { ...whole, score: [[0, 0]] },
    ]
    for (const line of [...shapes, { ...whole, order: [0, 0, 1, 2, 3, 4] }, { ...whole, turns: [] }]) {
      expect(conform(line)).toHaveLength(1)
    }
  })
})

describe('a turn by the text', () => {
  it('an attack takes life and gives power; two of them twice (rule 2.1)', () => {
    expect(figures(play(start(3), '1', '2', '1'))).toEqual([
      [1000, 10],
      [980, 12],
      [990, 11],
    ])
  })

  it('a defence costs 1 power, halves each attack and gives 2 power for it (rules 2.2, 2.3)', () => {
    expect(figures(play(start(3), '1', 'D', '1'))[1]).toEqual([990, 13])
    expect(figures(play(start(3), '0', 'D', '0'))[1]).toEqual([1000, 9])
    expect(figures(play(start(2, { power: 11 }), '1', 'D'))[1]).toEqual([994, 12])
  })

  it('attacking oneself counts on both sides (rule 2.6)', () => {
    expect(figures(play(start(2), '0', 'D'))[0]).toEqual([990, 11])
  })

  it('strikes have the power of before the turn, and the dying still strike (rule 2.7)', () => {
    const next = play(start(3, { life: 10 }), '1', '2', 'D')
    expect(figures(next)).toEqual([
      [10, 10],
      [0, 11],
      [5, 11],
    ])
    expect(game.toMove(next)).toEqual([0, 2])
  })

  it('power never ends below 1 (rule 2.8)', () => {
    let state = start(2, { power: 2 })
    for (let t = 0; t < 3; t++) state = play(state, 'D', 'D')
    expect(figures(state)).toEqual([
      [1000, 1],
      [1000, 1],
    ])
  })

  it('any fault costs 1 power and shows as X (rules 2.5, 3.1, 3.2)', () => {
    for (const fault of FAULT_KINDS) {
      const next = play(start(2), { fault, said: '1' } satisfies Fault, '0')
      expect(figures(next)).toEqual([
        [990, 10],
        [1000, 10],
      ])
      expect(bySeat(next)[0]).toEqual({ seat: 0, life: 990, power: 10, last: 'X' })
    }
  })

  it('the dead stay listed, unchanged, and cannot be attacked (rules 1.4, 2.4)', () => {
    const next = play(start(3, { life: 10 }), '1', '0', '1')
    expect(figures(next)).toEqual([
      [0, 11],
      [0, 12],
      [10, 10],
    ])
    const one = play(start(3, { life: 15 }), '1', 'D', '1')
    const two = play(one, '1', 'D', '1')
    expect(bySeat(two)[1]?.life).toBe(0)
    expect(game.legal(game.view(two, 0)).slice().sort()).toEqual(['0', '2', 'D'])
    expect(bySeat(play(two, 'D', undefined, 'D'))[1]).toEqual(bySeat(two)[1])
  })
})

describe('the end', () => {
  it('one alive has won; the others share the place behind (rule 4.2)', () => {
    expect(game.outcome(play(start(3, { life: 10 }), '1', '0', '1'))).toEqual({
      place: [2, 2, 1],
      reason: 'last one alive',
      tally: { life: [0, 0, 10] },
    })
  })

  it('nobody alive: all share the first place (rule 4.3)', () => {
    expect(game.outcome(play(start(2, { life: 10 }), '1', '0'))).toEqual({
      place: [1, 1],
      reason: 'nobody left',
      tally: { life: [0, 0] },
    })
  })

  it('turn 1000 is the last: several alive share the first place (rules 1.2, 4.4)', () => {
    let state = start(3, { life: 6 })
    state = play(state, '0', 'D', 'D')
    for (let t = 1; t < 999; t++) state = play(state, undefined, 'D', 'D')
    expect(game.toMove(state)).toEqual([1, 2])
    state = play(state, undefined, 'D', 'D')
    expect(game.toMove(state)).toEqual([])
    expect(game.outcome(state)).toEqual({ place: [3, 1, 1], reason: 'turn limit', tally: { life: [0, 6, 6] } })
  })

  it('a last turn that leaves one alive is won, and limits are options', () => {
    const all: StrongerOptions = { ...game.options, life: 10, turns: 1 }
    expect(game.outcome(play(start(2, all), '1', 'D'))?.reason).toBe('turn limit')
    expect(game.outcome(play(start(2, { ...all, life: 5 }), '1', 'D'))?.reason).toBe('last one alive')
    expect(game.outcome(start(2, { life: 10, turns: 1 }))).toBeUndefined()
  })

  it('joint moves of two that leave a game of 20 life going after turns 1 and 2: 7 and 39', () => {
    // Each may strike itself (s), the other (o) or defend (D). From 20 life at 10 power only a double strike kills: s against o, two of
    // the 9 joint moves. Of the 7 that go on, ss and oo leave both at (10 life, 11 power), where any strike on one who does not
    // defend kills: 3 go on each (oD, Do, DD), 6 together. sD leaves (10, 11) and (20, 9): 5 go on, mirrored 10 (oo, oD, Ds, Do, DD). oD
    // leaves (20, 10) and (15, 11): 7 go on, all but so and os, mirrored 14. DD leaves (20, 9) twice: 9. 6 + 10 + 14 + 9 = 39.
    let going = [start(2, { life: 20 })]
    const counts: number[] = []
    for (let t = 0; t < 2; t++) {
      going = going.flatMap((state) => {
        const [own, other] = [0, 1].map((seat) => game.legal(game.view(state, seat)))
        return (own ?? []).flatMap((a) => (other ?? []).map((b) => play(state, a, b)))
      })
      going = going.filter((state) => !game.outcome(state))
      counts.push(going.length)
    }
    expect(counts).toEqual([7, 39])
  })
})

describe('the wire', () => {
  const ids = [7, 0, 4]
  const me = { seat: 1, ids, field: 9 }
  /** In the order that the tape tells. */
  const withOptions = (options: Partial<StrongerOptions> = {}): State =>
    game.setup(3, { ...game.options, ...options }, { seed: '', at: 0, tape: [2, 0] })
  const moveOf = (output: BotOutput, state = withOptions()): Move<string> =>
    readMove(game, turn, output, game.view(state, 1), me)
  const kind = (output: BotOutput, state = withOptions()): string => {
    const move = moveOf(output, state)
    return typeof move === 'string' ? move : move.fault
  }

  it('tells the own id, then everyone in the shuffled order, by ids (rules 5.1, 5.2)', () => {
    expect(turn.ask(game.view(withOptions(), 1), me).argv).toEqual(['0', '4,1000,10,X', '7,1000,10,X', '0,1000,10,X'])
    const next = play(withOptions(), '2', 'D', { fault: 'unparsable', said: 'banana' })
    expect(turn.ask(game.view(next, 0), { ...me, seat: 0 }).argv).toEqual([
      '7',
      '4,990,10,X',
      '7,1000,10,4',
      '0,1000,9,D',
    ])
  })

  it('reads an id or D from the first line (rules 5.3, 5.4)', () => {
    expect(moveOf({ out: '7\n' })).toBe('0')
    expect(moveOf({ out: ' 4 \r\n7\n' })).toBe('2')
    expect(moveOf({ out: '0', exit: 1 })).toBe('1')
    expect(moveOf({ out: 'D\n' })).toBe('D')
    expect(kind({ out: '9' })).toBe('illegal')
    expect(kind({ out: '1' })).toBe('illegal')
    expect(kind({ out: '-1' })).toBe('illegal')
    for (const out of ['banana', 'd', 'D 7', '7.0', '0x7', '7,', '99999999999', '7x']) {
      expect(kind({ out })).toBe('unparsable')
    }
    for (const output of [{}, { out: '' }, { out: '\n7' }, { out: '  ' }]) expect(kind(output)).toBe('silent')
  })

  it('does not take the answer of a process that ran out of time or crashed (rule 5.5)', () => {
    expect(kind({ out: '7\n', trouble: 'timeout' })).toBe('timeout')
    expect(kind({ out: '7\n', trouble: 'crash' })).toBe('crash')
  })

  it('admits who prints ok when called without arguments (rule 5.6)', () => {
    expect(turn.ready?.input?.argv).toEqual([])
    expect(turn.ready?.ok({ out: 'ok\n' })).toBe(true)
    expect(turn.ready?.ok({ out: 'OK\n' })).toBe(false)
    expect(turn.ready?.ok({ out: 'okay\n' })).toBe(false)
    expect(turn.ready?.ok({ out: 'ok\n', trouble: 'timeout' })).toBe(false)
    expect(turn.ready?.ok({})).toBe(false)
  })

  it('keeps one state file of 1024² bytes through the tournament (rules 5.7, 5.8)', () => {
    expect(turn.state).toEqual({ folder: 'state', bytes: 1_048_576, files: 1 })
    expect(turn.memory).toBe('tournament')
  })

  describe('with the controller of 2015', () => {
    const old = (): State => withOptions({ controller: '2015' })
    /** Seat 1's figures and what seat 0 is sent of it, after seat 1's answer and two defences. */
    const after = (output: BotOutput): string | undefined => {
      const next = play(old(), 'D', moveOf(output, old()), 'D')
      return turn.ask(game.view(next, 0), { ...me, seat: 0 }).argv?.[3]
    }

    it('an id that nobody has costs nothing and is passed on (rule 6.1)', () => {
      expect(after({ out: '1\n' })).toBe('0,1000,10,1')
      expect(after({ out: ' -1 \n' })).toBe('0,1000,10,-1')
    })

    it('a dead one costs 1 power, its id is passed on (rule 6.1)', () => {
      const gone = play(withOptions({ controller: '2015', life: 10 }), '2', '2', 'D')
      expect(bySeat(gone)[2]?.life).toBeLessThan(1)
      const next = play(gone, 'D', moveOf({ out: '4' }, gone))
      expect(bySeat(next)[1]?.power).toBe((bySeat(gone)[1]?.power ?? 0) - 1)
      expect(turn.ask(game.view(next, 0), { ...me, seat: 0 }).argv?.[3]).toMatch(/^0,\d+,\d+,4$/)
    })

    it('running out of time takes all life, and attackers strike below 0 (rules 6.2, 6.3)', () => {
      expect(after({ trouble: 'timeout' })).toBe('0,0,9,T')
      expect(after({ out: 'T\n' })).toBe('0,0,9,T')
      expect(figures(play(old(), '1', { fault: 'timeout' }, '1'))[1]).toEqual([-20, 11])
      expect(figures(play(withOptions({ controller: '2015', life: 5 }), '1', 'D', '1'))[1]).toEqual([-5, 13])
    })

    it('the raw text is passed on, whatever it is (rules 6.4, 6.5)', () => {
      expect(after({ out: ' ba na,na \nx' })).toBe('0,1000,9,ba na,na')
      expect(after({ out: '\n' })).toBe('0,1000,9,')
      expect(after({})).toBe('0,1000,9,Exception: No line found')
      expect(after({ out: 'a\0b \xc3\xa9' })).toBe('0,1000,9,ab é')
      expect(after({ out: ' T' })).toBe('0,1000,9,T')
    })
  })
})

describe('options and luck', () => {
  it('refuses what makes no sense, in words', () => {
    const refuse = (change: object): string | undefined => game.refuse?.({ ...game.options, ...change }, 2)
    expect(refuse({})).toBeUndefined()
    expect(refuse({ controller: '2015', life: 1, power: 1, turns: 1 })).toBeUndefined()
    expect(refuse({ life: 0 })).toMatch(/^life must be a whole number from 1/)
    expect(refuse({ turns: -1 })).toMatch(/^turns /)
    expect(refuse({ power: 1.5 })).toMatch(/1\.5/)
    expect(refuse({ power: '10' })).toMatch(/^power /)
    expect(refuse({ controller: '2016' })).toMatch(/^controller must be one of "text", "2015"/)
    expect(refuse({ controller: 2015 })).toMatch(/^controller /)
  })

  it('shuffles the list by luck alone (rule 1.4)', () => {
    const order = (seed: string): string =>
      game
        .setup(6, game.options, newLuck(seed))
        .bots.map((bot) => bot.seat)
        .join('')
    expect(order('1')).toBe(order('1'))
    expect(new Set(['1', '2', '3', '4', '5'].map(order)).size).toBeGreaterThan(1)
    expect([...order('1')].sort().join('')).toBe('012345')
  })
})

describe('random games', () => {
  const cases = fc.record({
    seats: fc.integer({ min: 2, max: 7 }),
    life: fc.integer({ min: 1, max: 120 }),
    power: fc.integer({ min: 1, max: 30 }),
    controller: fc.constantFrom('text', '2015'),
  })
  /** For each turn and seat: which legal action, or a fault. */
  const choices = fc.array(fc.array(fc.nat(99), { minLength: 7, maxLength: 7 }), { minLength: 60, maxLength: 60 })

  it('conserve what is struck and gained, end in time, and ask exactly the living', () => {
    fc.assert(
      fc.property(cases, choices, ({ seats, ...options }, all) => {
        let state = deepFreeze(start(seats, { ...options, turns: 60 }))
        for (const row of all) {
          const due = game.toMove(state)
          expect(due.length === 0).toBe(game.outcome(state) !== undefined)
          if (due.length === 0) break
          expect(due).toEqual(
            bySeat(state)
              .filter((bot) => bot.life > 0)
              .map((bot) => bot.seat),
          )
          const moves: Moves<Action> = bySeat(state).map(({ seat }) => {
            const legal = game.legal(game.view(state, seat))
            const n = row[seat] ?? 0
            return !due.includes(seat) ? undefined : n < 10 ? { fault: 'silent' } : legal[n % legal.length]
          })
          const next = deepFreeze(game.play(state, moves))
          expect(game.play(state, moves)).toEqual(next)
          checkTurn(state, next, moves)
          state = next
        }
        expect(state.turn === 60 || bySeat(state).filter((bot) => bot.life > 0).length < 2).toBe(true)
        expect(game.outcome(state)).toBeDefined()
      }),
      { numRuns: 100 },
    )
  })

  /** Nothing from nowhere: each strike is felt once, in full or half, and each gain has its strike. */
  function checkTurn(before: State, after: State, moves: Moves<Action>): void {
    const was = bySeat(before)
    for (const bot of bySeat(after)) {
      const old = was[bot.seat]
      if (!old || old.life < 1) {
        expect(bot).toEqual(old)
        continue
      }
      const attackers = was.filter((other) => moves[other.seat] === String(bot.seat))
      const full = attackers.reduce((sum, other) => sum + other.power, 0)
      const odd = attackers.filter((other) => other.power % 2 === 1).length
      const defended = moves[bot.seat] === 'D'
      const life = old.life - (defended ? (full + odd) / 2 : full)
      expect(bot.life).toBe(before.options.controller === '2015' ? life : Math.max(0, life))
      const paid = defended || typeof moves[bot.seat] === 'object' ? 1 : 0
      expect(bot.power).toBe(Math.max(1, old.power + attackers.length * (defended ? 2 : 1) - paid))
    }
  }

  it('everyone sees the same, and knows itself', () => {
    fc.assert(
      fc.property(cases, ({ seats, ...options }) => {
        const state = start(seats, options)
        for (let seat = 0; seat < seats; seat++) {
          const { seat: own, ...rest } = game.view(state, seat)
          const { seat: _, ...first } = game.view(state, 0)
          expect(own).toBe(seat)
          expect(rest).toEqual(first)
        }
      }),
    )
  })
})
