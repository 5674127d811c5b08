import { describe, expect, it, test } from 'vitest'
import { type BotOutput, type GameDefinition, type Luck, type Moves, isFault, pick } from '../core/index.js'
import { games } from '../games/index.js'
import { type Check, CHECKS } from './cases.js'
import { examine } from './examine.js'

interface State {
  readonly secret: string
  readonly left: number
  readonly hits: readonly number[]
  readonly luck: Luck
}
interface View {
  readonly left: number
  readonly hits: readonly number[]
}
const DIGITS = ['0', '1', '2'] as const

/** All guess a digit drawn each turn; most hits win. */
const guess = {
  id: 'guess',
  version: 1,
  seats: { min: 2, max: 4 },
  options: { turns: 4 },
  setup: (seats: number, options: { turns: number }, luck: Luck): State => {
    const [secret, rest] = pick(luck, DIGITS)
    return { secret, left: options.turns, hits: Array<number>(seats).fill(0), luck: rest }
  },
  toMove: (state: State) => (state.left === 0 ? [] : state.hits.map((_, seat) => seat)),
  view: (state: State): View => ({ left: state.left, hits: state.hits }),
  legal: (): readonly string[] => DIGITS,
  play: (state: State, moves: Moves<string>): State => {
    const [secret, luck] = pick(state.luck, DIGITS)
    const hits = state.hits.map((n, seat) => n + (isFault(moves[seat]) ? -1 : Number(moves[seat] === state.secret)))
    return { secret, left: state.left - 1, hits, luck }
  },
  outcome: (state: State) =>
    state.left > 0
      ? undefined
      : {
          place: state.hits.map((mine) => 1 + state.hits.filter((n) => n > mine).length),
          reason: 'turn limit',
          tally: { hits: state.hits },
        },
  resample: (state: State, _seat: number, luck: Luck): State => ({ ...state, secret: pick(luck, DIGITS)[0] }),
}
type Guess = typeof guess
const definitionOf = (changes: Partial<Guess>, more: Partial<GameDefinition> = {}): GameDefinition => ({
  game: { ...guess, ...changes },
  title: 'Guess',
  summary: 'Guess the digit.',
  board: (state) => `${(state as State).left} left`,
  ...more,
})
const examined = (changes: Partial<Guess>, more?: Partial<GameDefinition>) =>
  examine(definitionOf(changes, more), { seed: 'a', games: 60, cap: 100 })

/** A game with a wire whose bots are ready if this holds of their print. */
const readyIf = (ok: (out: string | undefined) => boolean): Partial<GameDefinition> => {
  const ready = { at: 'match', within: 'turn', expects: 'print ok', ok: ({ out }: BotOutput) => ok(out) } as const
  const says = { ask: () => ({}), read: () => '0' }
  return { wires: { w: { transport: 'lines', summary: 's', limits: { turn: 9 }, ready, ...says } } }
}

let calls = 0
const FLAWS: readonly (readonly [what: string, Partial<Guess>, Check, RegExp, more?: Partial<GameDefinition>])[] = [
  ['an id in capitals', { id: 'Guess' }, 'introduction', /^its id "Guess"/],
  [
    'options of its own that it refuses',
    { refuse: () => 'no' } as never,
    'introduction',
    /refuses its own options: no/,
  ],
  ['no legal action', { legal: () => [] }, 'legal', /^legal\(\) is empty for seat 0, which owes a move$/],
  ['an action that is no text', { legal: () => ['0', 1 as never] }, 'legal', /^legal\(\) gives 1, and/],
  ['an action of blanks', { legal: () => ['0', ' '] }, 'legal', /^legal\(\) gives an action of blanks alone/],
  [
    'an outcome that changes',
    {
      seats: { min: 2, max: 2 },
      outcome: (s) =>
        s.left > 0 ? undefined : { place: calls++ % 2 ? [1, 2] : [2, 1], reason: 'x', tally: { hits: [0, 0] } },
    },
    'pure',
    /^outcome\(\) differs \(at \.place\[0\]\) when it is asked twice of the same state$/,
  ],
  [
    'a view that holds itself',
    { view: (s) => Object.assign(((own: Record<string, unknown>) => (own['own'] = own))({}), guess.view(s)) },
    'data',
    /^view\(\) of seat 0 does not survive JSON: Converting circular/,
  ],
  [
    'more legal actions than may be',
    { legal: () => Array.from({ length: 100_001 }, (_, i) => `${i}`) },
    'legal',
    /^legal\(\) gives seat 0 100001 actions, and may give 100000: /,
  ],
  ['an action twice', { legal: () => ['0', '0'] }, 'legal', /lists an action twice/],
  ['a seat too many', { toMove: (s) => (s.left === 0 ? [] : [0, 9]) }, 'turns', /^toMove\(\) names seat 9/],
  ['a seat twice', { toMove: (s) => (s.left === 0 ? [] : [0, 0]) }, 'turns', /names a seat twice/],
  ['no seat due, and no outcome', { toMove: () => [] }, 'turns', /^toMove\(\) is empty, and there is no outcome$/],
  [
    'an outcome while a seat is due',
    { toMove: (s) => s.hits.map((_, i) => i) },
    'turns',
    /^there is an outcome although/,
  ],
  ['no end', { play: (s) => s }, 'turns', /^it has no end: not over after 100 steps/],
  [
    'a place that is no number',
    { outcome: (s) => (s.left > 0 ? undefined : { place: s.hits.map(() => NaN), reason: 'x', tally: { hits: [] } }) },
    'outcome',
    /its place of seat 0 is NaN/,
  ],
  [
    'a call that counts',
    { play: (s, m) => ({ ...guess.play(s, m), hits: s.hits.map((n) => n + calls++) }) },
    'pure',
    /^play\(\) differs \(at \.hits\[0\]\)/,
  ],
  [
    'a write into its state',
    { play: (s, m) => (((s as { left: number }).left = 0), guess.play(s, m)) },
    'pure',
    /^play\(\).* writes into what it is given/,
  ],
  ['a view that is never the same', { view: (s) => ({ ...guess.view(s), now: calls++ }) }, 'pure', /^view\(\) differs/],
  [
    'a view with a Map',
    { view: (s) => ({ ...guess.view(s), map: new Map([[1, 2]]) }) },
    'data',
    /^view\(\) of seat 0 does not survive JSON \(at \.map, which is a Map\)/,
  ],
  [
    'a state with what is undefined',
    { play: (s, m) => ({ ...guess.play(s, m), gone: undefined }) },
    'data',
    /^a state does not survive JSON \(at \.gone, which is undefined\)$/,
  ],
  [
    'a view that leaks',
    { view: (s) => ({ ...guess.view(s), low: s.secret === '0' }) },
    'leaks',
    /leaks to seat 0 .*\.low depends/,
  ],
  [
    'a view that leaks by the order of its keys alone',
    {
      view: (s) => {
        const { left, hits } = guess.view(s)
        return s.secret === '0' ? { hits, left } : { left, hits }
      },
    },
    'leaks',
    /leaks to seat 0 .*: the order of keys of the view depends/,
  ],
  [
    'a state that cannot be JSON',
    { play: (s, m) => ({ ...guess.play(s, m), big: 10n }) },
    'data',
    /^a state does not survive JSON: .*BigInt/,
  ],
  [
    'a view that cannot be JSON',
    { view: (s) => ({ ...guess.view(s), big: 10n }) },
    'data',
    /^view\(\) of seat 0 does not survive JSON: .*BigInt/,
  ],
  [
    'no view in the middle',
    { view: (s) => (s.left === 2 ? (undefined as never) : guess.view(s)) },
    'data',
    /^view\(\) gives nothing, and has to give what seat 0 may know$/,
  ],
  [
    'no state behind a step',
    { play: (s, m) => (s.left === 2 ? (undefined as never) : guess.play(s, m)) },
    'data',
    /^play\(\) gives nothing, and has to give the state behind it$/,
  ],
  [
    'a promise of a state',
    { play: (s, m) => Promise.resolve(guess.play(s, m)) as never },
    'data',
    /^play\(\) gives a promise, and has to give the state behind it at once$/,
  ],
  [
    'no list of seats',
    { toMove: () => undefined as never },
    'turns',
    /^toMove\(\) gives nothing, and has to give a list/,
  ],
  [
    'no list of actions',
    { legal: () => undefined as never },
    'legal',
    /^legal\(\) gives nothing, and has to give a list/,
  ],
  ['an action of two lines', { legal: () => ['0\n1'] }, 'legal', /a text of one line, without control characters$/],
  [
    'a part that throws now and then',
    {
      legal: () => {
        if (calls++ % 5 === 4) throw new Error('yak')
        return DIGITS
      },
    },
    'throws',
    / threw: yak$/,
  ],
  [
    'a part that throws',
    {
      play: (s, m) => {
        if (s.left === 2 && m[0] === '1') throw new Error('wombat')
        return guess.play(s, m)
      },
    },
    'throws',
    /^play\(\).* threw: wombat$/,
  ],
  [
    'a board that throws',
    {},
    'throws',
    /^board\(\) threw: moo$/,
    {
      board: () => {
        throw new Error('moo')
      },
    },
  ],
  ['a board with an escape', {}, 'text', /^board\(\) gives control characters$/, { board: () => '\x1b[31m' }],
  ['figures that are none', {}, 'text', /^figures\(\) gives 3/, { figures: () => 3 as never }],
  [
    'a wire whose line is two',
    {},
    'wires',
    /says a line that is none/,
    { wires: { w: { transport: 'lines', summary: 's', ask: () => ({ lines: ['a\nb'] }), read: () => '0' } } },
  ],
  [
    'a wire that throws at an output',
    {},
    'throws',
    /^read\(\) of the wire w threw/,
    { wires: { w: { transport: 'lines', summary: 's', ask: () => ({}), read: (output) => output.out!.slice(0, 1) } } },
  ],
  ['a ready.ok that throws', {}, 'throws', /^ready\.ok\(\) of the wire w threw/, readyIf((out) => out!.length > 1)],
  ['a ready.ok that answers nothing', {}, 'wires', /neither true nor false$/, readyIf(() => undefined as never)],
]

describe('a game is examined', () => {
  it('and one that keeps its contract passes', () => {
    const { findings, games: played, reasons, longest, leaks } = examined({})
    expect(findings).toEqual([])
    expect([played, longest, leaks]).toEqual([60, 4, true])
    expect(reasons).toEqual({ 'turn limit': 60 })
  })

  test.each(FLAWS.map((flaw) => [flaw[0], flaw] as const))('and %s is found', (_, [, changes, check, what, more]) => {
    const { findings } = examined(changes, more)
    const found = findings.find((finding) => finding.check === check && what.test(finding.what))
    expect(found, JSON.stringify(findings)).toBeDefined()
    expect(CHECKS[check]).not.toBe('')
    if (found?.of === undefined) return
    // Its own seed shows it in the first game.
    const again = examine(definitionOf(changes, more), { seed: found.of.seed, games: 1, cap: 100 })
    expect(again.findings.map((finding) => finding.check)).toContain(check)
  })

  it('and a view that is too large ends the examination soon', () => {
    const large: Partial<Guess> = { view: (s) => ({ ...guess.view(s), all: 'x'.repeat(300_000) }) as View }
    const { findings, games: played } = examined(large)
    expect(findings.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^view\(\) of seat 0 is 3000\d\d characters as JSON, and may be 262144/),
    ])
    expect(played).toBe(3)
  })

  it('and a state that is too large ends it at once', () => {
    const all = 'x'.repeat(16 * 1024 ** 2)
    const { findings, games: played } = examined({ setup: (...words) => ({ ...guess.setup(...words), all }) })
    expect(findings.map(({ what }) => what)).toEqual([
      expect.stringMatching(/^a state is 16777\d\d\d characters as JSON, and may be 16777216: /),
    ])
    expect(played).toBe(1)
  })

  it('and a game that takes too long is given up', () => {
    const tooLong = (step: number): string | undefined => (step === 7 ? '15 seconds' : undefined)
    const definition = definitionOf({ play: (s, m) => ({ ...guess.play(s, m), left: 4 }) })
    const { findings, games: played } = examine(definition, { seed: 'a', games: 60, cap: 100, tooLong })
    expect(findings.map(({ what }) => what)).toEqual([
      expect.stringContaining('it has no end: not over after 7 steps and 15 seconds'),
    ])
    expect(played).toBe(1)
  })

  it('and the smallest game that shows a mistake is reported', () => {
    const late: Partial<Guess> = {
      legal: () => DIGITS,
      view: (s) => (s.left <= 2 ? { ...guess.view(s), s: s.secret } : guess.view(s)),
    }
    const [finding] = examined(late).findings
    expect(finding).toMatchObject({ check: 'leaks', step: 2 })
    expect(finding?.moves).toMatch(/^\S+ \S+.*, \S+ \S+/)
  })
})

test.each(games.map((definition) => [definition.game.id, definition] as const))(
  '%s keeps its contract',
  (_, definition) => {
    const { findings, games: played } = examine(definition, { seed: 'agon', games: 25, cap: 20_000 })
    expect(findings).toEqual([])
    expect(played).toBe(25)
  },
)
