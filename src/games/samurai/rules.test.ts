import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newLuck, readMove } from '../../core/index.js'
import type { Fault, BotOutput, Move } from '../../core/index.js'
import { conform } from './conform.js'
import { ACTIONS, game } from './rules.js'
import type { Action, SamuraiOptions, State } from './rules.js'
import { turn } from './wires.js'

const start = (options: Partial<SamuraiOptions> = {}): State =>
  game.setup(2, { ...game.options, ...options }, newLuck(''))
const play = (state: State, a: Move<Action>, b: Move<Action>): State => game.play(state, [a, b])
/** A letter a turn for each seat. */
const fight = (a: string, b: string, options: Partial<SamuraiOptions> = {}): State =>
  [...a].reduce((state, letter, t) => play(state, letter as Action, b.charAt(t) as Action), start(options))
const figures = ({ samurai: [a, b] }: State): number[] => [a.health, b.health, a.honour, b.honour]

const lines = gunzipSync(readFileSync('test/conformance/samurai.jsonl.gz')).toString().trim().split('\n')
interface Recorded {
  a: string
  b: string
  trace: number[][]
  winner: number | null
  why: string
}
const recorded = (n: number): Recorded => JSON.parse(lines[n] ?? '') as Recorded

describe('recorded games', () => {
  it('all 400 agree, turn by turn', () => {
    expect(lines).toHaveLength(400)
    for (const line of lines) expect(conform(JSON.parse(line))).toEqual([])
  })

  it('a single wrong figure, letter or end is noticed', () => {
    for (let n = 0; n < 400; n += 37) {
      const whole = recorded(n)
      for (const [t, row] of whole.trace.entries()) {
        for (const k of row.keys()) {
          const bent = structuredClone(whole)
          const at = bent.trace[t]
          if (at) at[k] = (at[k] ?? 0) + 1
          expect(conform(bent)).not.toEqual([])
        }
      }
      expect(conform({ ...whole, winner: 1 - Number(whole.winner) })).not.toEqual([])
      expect(conform({ ...whole, winner: null })).not.toEqual([])
      expect(conform({ ...whole, why: 'killed by the gods' })).not.toEqual([])
      expect(
        conform({ ...whole, a: whole.a.slice(0, -1), b: whole.b.slice(0, -1), trace: whole.trace.slice(0, -1) }),
      ).not.toEqual([])
      expect(
        conform({ ...whole, a: `${whole.a}W`, b: `${whole.b}W`, trace: [...whole.trace, whole.trace.at(-1)] }),
      ).not.toEqual([])
      expect(conform({ ...whole, a: `?${whole.a.slice(1)}` })).not.toEqual([])
    }
  })

  it('a line of another shape is a difference, not an exception', () => {
    for (const line of [
      null,
      undefined,
      7,
      'x',
      [],
      {},
      { ...recorded(0), trace: [[1]] },
      { ...recorded(0), trace: [] },
      { ...recorded(0), b: 5 },
    ]) {
      expect(conform(line)).not.toEqual([])
    }
  })
})

describe('single turns', () => {
  // Rows: first seat's action; columns: second's. Wounds: [first's, second's].
  it.each([
    ['I', 'O', [0, 1]],
    ['O', 'P', [0, 1]],
    ['P', 'I', [0, 1]],
    ['I', 'I', [0, 0]],
    ['P', 'P', [0, 0]],
    ['O', 'O', [0, 0]],
    ['I', 'G', [0, 0]],
    ['P', 'W', [0, 1]],
    ['O', 'B', [0, 1]],
    ['W', 'B', [0, 0]],
    ['G', 'G', [0, 0]],
  ] as const)('%s against %s wounds %j (rules 3.2–3.6)', (a, b, [hurtA, hurtB]) => {
    expect(figures(play(start(), a, b)).slice(0, 2)).toEqual([20 - hurtA, 20 - hurtB])
    expect(figures(play(start(), b, a)).slice(0, 2)).toEqual([20 - hurtB, 20 - hurtA])
    // The Sword of the Gods doubles wounds and changes nothing else (rule 3.7).
    expect(figures(play(start({ honour: 7 }), a, b)).slice(0, 2)).toEqual([20 - 2 * hurtA, 20 - 2 * hurtB])
  })

  it('the Sword goes by the honour before the turn (rule 3.8)', () => {
    expect(figures(play(start({ honour: 7 }), 'I', 'W'))).toEqual([20, 18, 6, 7])
    expect(figures(play(start({ honour: 6 }), 'I', 'W'))).toEqual([20, 19, 5, 6])
    expect(figures(fight('BI', 'WW', { honour: 6 }))).toEqual([20, 18, 6, 6])
    expect(figures(fight('II', 'WW', { honour: 7 }))).toEqual([20, 17, 5, 7])
  })

  it('only a guard right after a guard costs honour (rule 2.3)', () => {
    expect(figures(fight('GWGWG', 'WWWWW'))).toEqual([20, 20, 1, 1])
    expect(figures(fight('GG', 'WW'))).toEqual([20, 20, 0, 1])
    expect(figures(fight('GGG', 'WWW'))).toEqual([20, 20, -1, 1])
  })
})

describe('the end', () => {
  it('the gods outrank death (rule 4.2)', () => {
    const state = fight('I', 'W', { honour: 0, health: 1 })
    expect(figures(state)).toEqual([1, 0, -1, 0])
    expect(game.outcome(state)).toEqual({ place: [2, 1], reason: 'struck down by the gods' })
    expect(game.outcome(fight('W', 'O', { honour: 0, health: 1 }))).toEqual({
      place: [1, 2],
      reason: 'struck down by the gods',
    })
  })

  it('both struck down: a draw, whatever their health (rule 4.4)', () => {
    const state = fight('I', 'O', { honour: 0, health: 1 })
    expect(figures(state)).toEqual([1, 0, -1, -1])
    expect(game.outcome(state)).toEqual({ place: [1, 1], reason: 'both struck down by the gods' })
  })

  it('the Sword may kill beyond 0 (rules 3.7, 4.3)', () => {
    const state = fight('I', 'W', { honour: 7, health: 1 })
    expect(figures(state)).toEqual([1, -1, 6, 7])
    expect(game.outcome(state)).toEqual({ place: [1, 2], reason: 'killed' })
  })

  it('500 turns: a draw; 499: it goes on (rules 1.2, 4.5)', () => {
    const bows = 'B'.repeat(499)
    const late = fight(bows, bows)
    expect(game.toMove(late)).toEqual([0, 1])
    const end = play(late, 'B', 'B')
    expect(game.toMove(end)).toEqual([])
    expect(game.outcome(end)).toEqual({ place: [1, 1], reason: 'turn limit' })
    expect(figures(end)).toEqual([20, 20, 501, 501])
  })

  it('turn 500 is resolved before the gods grow bored (rule 4.5)', () => {
    const waits = 'W'.repeat(499)
    expect(game.outcome(fight(`${waits}I`, `${waits}W`, { health: 1 }))).toEqual({ place: [1, 2], reason: 'killed' })
    expect(game.outcome(fight(`${waits}G`, `${waits}I`, { honour: 0 }))).toEqual({
      place: [1, 2],
      reason: 'struck down by the gods',
    })
  })

  it('turn limits are options', () => {
    expect(game.outcome(fight('WW', 'WW', { turns: 3 }))).toBeUndefined()
    expect(game.outcome(fight('WWW', 'WWW', { turns: 3 }))?.reason).toBe('turn limit')
  })

  it('joint moves that leave the match going after turns 1–4: 36, 729, 14,161, 306,916', () => {
    // No wounds can kill from 20 health this early, and honour depends on one's own actions: the count is one samurai's
    // squared. From 1 honour all 6 go on. After a strike (honour 0) the next strike ends it, a first guard does not: 6²
    // − 3 × 3 = 27. By honour and last action 14 of these have honour to spare (6 go on each), 9 stand at 0 (3 go on),
    // 4 at 0 and on guard (2 go on): 84 + 27 + 8 = 119. Of these 69 have honour to spare, 40 stand at 0 (24 + 3 struck
    // from 1, 9 + 4 waited at 0), 10 at 0 and on guard (9 first guards, 1 second from 1): 69 × 6 + 40 × 3 + 10 × 2 =
    // 554.
    let going = [start()]
    const counts: number[] = []
    for (let t = 0; t < 4; t++) {
      going = going.flatMap((state) =>
        ACTIONS.map((own) => play(state, own, 'W')).filter((next) => !game.outcome(next)),
      )
      counts.push(going.length)
    }
    expect(counts).toEqual([6, 27, 119, 554])
    expect(counts.map((n) => n * n)).toEqual([36, 729, 14_161, 306_916])
    // And once in full, both sides: turn 2 from every first turn.
    const joint = (states: State[]): State[] =>
      states.flatMap((s) =>
        ACTIONS.flatMap((a) => ACTIONS.map((b) => play(s, a, b))).filter((next) => !game.outcome(next)),
      )
    expect(joint(joint([start()]))).toHaveLength(729)
  })
})

describe('faults and the wire', () => {
  const me = { seat: 0, ids: [0, 1], field: 2 }
  const view = game.view(start(), 0)
  const moveOf = (output: BotOutput): Move<string> => readMove(game, turn, output, view, me)
  const kind = (output: BotOutput): string => {
    const move = moveOf(output)
    return typeof move === 'string' ? move : move.fault
  }

  it('a fault counts as W and is shown as W (rules 5.5, 5.6)', () => {
    for (const fault of ['timeout', 'crash', 'flood', 'killed', 'silent', 'unparsable', 'illegal'] as const) {
      const state = play(start(), { fault } satisfies Fault, 'I')
      expect(state).toEqual(play(start(), 'W', 'I'))
      expect(state.samurai[0].history).toBe('W')
    }
  })

  it('the first letter is the action (rule 5.2)', () => {
    expect(moveOf({ out: 'Parry\n' })).toBe('P')
    expect(moveOf({ out: ' \t\r\n\n O\n' })).toBe('O')
    expect(moveOf({ out: 'G', exit: 3 })).toBe('G')
    expect(ACTIONS.map((action) => moveOf({ out: action }))).toEqual(ACTIONS)
  })

  it('no letter is silence, another one is unparsable (rule 5.3)', () => {
    expect(kind({})).toBe('silent')
    expect(kind({ out: '' })).toBe('silent')
    expect(kind({ out: ' \n ' })).toBe('silent')
    expect(kind({ out: 'parry' })).toBe('unparsable')
    expect(kind({ out: '1W' })).toBe('unparsable')
    expect(kind({ out: '\xe9B' })).toBe('unparsable')
  })

  it('what was printed before the time ran out counts (rule 5.4)', () => {
    expect(kind({ trouble: 'timeout', out: 'B' })).toBe('B')
    expect(kind({ trouble: 'timeout' })).toBe('timeout')
    expect(kind({ trouble: 'crash', out: 'I\n' })).toBe('I')
    expect(kind({ trouble: 'flood', out: 'I' })).toBe('flood')
  })

  it('sends four arguments first, then six (rule 5.1)', () => {
    const sent = (state: State): (readonly string[] | undefined)[] =>
      [0, 1].map((seat) => turn.ask(game.view(state, seat), { ...me, seat }).argv)
    expect(sent(start())).toEqual([
      ['20', '20', '1', '1'],
      ['20', '20', '1', '1'],
    ])
    expect(sent(fight('BI', 'WB'))).toEqual([
      ['BI', 'WB', '20', '19', '1', '2'],
      ['WB', 'BI', '19', '20', '2', '1'],
    ])
  })
})

describe('options', () => {
  it('refuses what makes no sense, in words', () => {
    const refuse = (change: object): string | undefined => game.refuse?.({ ...game.options, ...change }, 2)
    expect(refuse({})).toBeUndefined()
    expect(refuse({ honour: 0, sword: 0, turns: 1, health: 1 })).toBeUndefined()
    expect(refuse({ health: 0 })).toMatch(/^health must be a whole number from 1/)
    expect(refuse({ turns: -1 })).toMatch(/^turns /)
    expect(refuse({ honour: -1 })).toMatch(/^honour /)
    expect(refuse({ sword: 6.5 })).toMatch(/6\.5/)
    expect(refuse({ turns: '500' })).toMatch(/^turns /)
    expect(refuse({ turns: Number.NaN })).toMatch(/^turns /)
  })
})

describe('random matches', () => {
  const options = fc.record({
    turns: fc.integer({ min: 1, max: 40 }),
    health: fc.integer({ min: 1, max: 6 }),
    honour: fc.nat(9),
    sword: fc.nat(9),
  })
  const moves = fc.array(fc.tuple(fc.constantFrom(...ACTIONS), fc.constantFrom(...ACTIONS)), {
    minLength: 40,
    maxLength: 40,
  })

  it('keep the laws of honour and health, end in time, and the outcome agrees with who is to move', () => {
    fc.assert(
      fc.property(options, moves, (opts, all) => {
        let state = deepFreeze(start(opts))
        let turns = 0
        while (game.toMove(state).length > 0) {
          expect(game.outcome(state)).toBeUndefined()
          const [a, b] = all[turns++] ?? ['W', 'W']
          const next = deepFreeze(play(state, a, b))
          expect(play(state, a, b)).toEqual(next)
          expect(play({ ...state, samurai: [state.samurai[1], state.samurai[0]] }, b, a).samurai).toEqual([
            next.samurai[1],
            next.samurai[0],
          ])
          for (const seat of [0, 1] as const) {
            const [before, after] = [state.samurai[seat], next.samurai[seat]]
            expect([0, 1, 2]).toContain(before.health - after.health)
            expect([-1, 0, 1]).toContain(after.honour - before.honour)
          }
          expect(state.samurai.some((one, seat) => one.health === next.samurai[seat]?.health)).toBe(true)
          state = next
        }
        expect(game.outcome(state)).toBeDefined()
        expect(turns).toBeLessThanOrEqual(opts.turns)
        expect(state.samurai.map((one) => one.history.length)).toEqual([turns, turns])
        // Honour follows the history: bows less strikes less repeated guards.
        for (const one of state.samurai) {
          const count = (pattern: RegExp): number => (one.history.match(pattern) ?? []).length
          expect(one.honour).toBe(opts.honour + count(/B/g) - count(/[IPO]/g) - count(/(?<=G)G/g))
        }
      }),
      { numRuns: 200 },
    )
  })

  it('each seat sees itself first, and all of it', () => {
    fc.assert(
      fc.property(moves, fc.nat(39), (all, length) => {
        let state = start()
        for (const [a, b] of all.slice(0, length)) state = play(state, a, b)
        const [own, enemy] = [game.view(state, 0), game.view(state, 1)]
        expect([own.history, own.health, own.honour]).toEqual([
          enemy.enemyHistory,
          enemy.enemyHealth,
          enemy.enemyHonour,
        ])
        expect([enemy.history, enemy.health, enemy.honour]).toEqual([
          own.enemyHistory,
          own.enemyHealth,
          own.enemyHonour,
        ])
        expect(own.turn).toBe(length + 1)
      }),
    )
  })
})

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}
