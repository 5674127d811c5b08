import { expect, it } from 'vitest'
import { Place } from './agon.js'

/** A game of four turns, with a mistake in one part of it. */
const gameWith = (part: string): string => `const fine = {
  id: 'odd', version: 1, seats: { min: 2, max: 2 }, options: {},
  setup: () => ({ n: 0 }),
  toMove: (s) => (s.n < 4 ? [s.n % 2] : []),
  view: (s) => ({ n: s.n }),
  legal: () => ['a', 'b'],
  play: (s) => ({ n: s.n + 1 }),
  outcome: (s) => (s.n < 4 ? undefined : { place: [1, 1], reason: 'end' }),
}
const shown = {}
${part}
export default { game: fine, title: 'Odd', summary: '', ...shown }
`
const contest = `game = "./odd.mjs"
seed = "s"
[format]
kind = "round-robin"
repetitions = 2
[[entrants]]
name = "One"
module = "a.mjs"
[[entrants]]
name = "Two"
module = "a.mjs"
`

const BROKEN: readonly (readonly [part: string, why: string])[] = [
  ['', ''],
  ['fine.toMove = (s) => (s.n < 4 ? [2] : [])', 'toMove() names seat 2, and the seats are 0 to 1'],
  [
    'fine.view = () => { const v = {}; v.me = v; return v }',
    'view() of seat 0 does not survive JSON: view.me holds itself',
  ],
  ['fine.view = () => ({ n: 1n })', 'view.n is a bigint'],
  ['fine.view = (s) => ({ now: Date.now() })', 'odd.mjs:11: view() threw Error: Date.now is called'],
  ["fine.view = (s) => ({ n: s.n, all: 'x'.repeat(s.n < 3 ? 1 : 3e7) })", 'characters as JSON, and may be 262,144'],
  ['fine.play = async (s) => ({ n: s.n + 1 })', 'play() gives a promise'],
  ['fine.outcome = (s) => (s.n < 4 ? undefined : { place: [2, 2], reason: "end" })', 'its place [2, 2] is no ranking'],
  ['shown.board = (s) => s.cards.join()', 'odd.mjs:11: board() threw TypeError'],
]

it.each([
  [
    'fine.view = (s) => { const v = { n: s.n }; v.me = v; return v }',
    /odd\.mjs\) breaks its own rules: view\(\) of seat \d does not survive JSON/,
  ],
  [
    'fine.view = (s) => (s.n < 2 ? { n: 1 } : { n: 1n })',
    /odd\.mjs\) breaks its own rules: view\(\) of seat \d does not survive JSON/,
  ],
  ['fine.play = async (s) => ({ n: s.n + 1 })', /odd\.mjs\) breaks its own rules: play\(\) gives a promise/],
  [
    "fine.view = (s) => ({ n: s.n, all: 'x'.repeat(3e7) })",
    /odd\.mjs\) breaks its own rules: view\(\) of seat \d is 30,000,0\d\d characters as JSON, and may be 262,144: .* \(in turn 1; luck "/,
  ],
  [
    "fine.legal = () => Array.from({ length: 100001 }, (_, i) => 'a' + i)",
    /odd\.mjs\) breaks its own rules: legal\(\) gives seat \d 100,001 actions, and may give 100,000: .* \(in turn 1; luck "/,
  ],
  [
    "fine.setup = () => ({ n: 0, all: 'x'.repeat(2 ** 24) })",
    /odd\.mjs\) breaks its own rules: setup\(\) gives a state of 16,777,2\d\d characters as JSON, and may give 16,777,216: .* \(at its beginning; luck "/,
  ],
  [
    "fine.legal = async () => ['a']",
    /odd\.mjs\) breaks its own rules: legal\(\) gives \{\}, and has to give a list of texts/,
  ],
] as const)(
  'a match, a duel and a check of a game with %j end with its designer’s mistake',
  { timeout: 60_000 },
  async (part, why) => {
    const bot = 'while read -r line; do echo "{}"; done\n'
    const place = new Place({ 'odd.mjs': gameWith(part), 'a.mjs': "export default () => 'a'\n", 'b.sh': bot })
    for (const words of ['match ./odd.mjs b.sh a.mjs', 'duel ./odd.mjs a.mjs b.sh', 'check ./odd.mjs a.mjs']) {
      const { status, stderr } = await place.agon([...words.split(' '), '--trust'])
      expect(status, stderr).toBe(2)
      expect(stderr).toMatch(why)
    }
  },
)

it.each(BROKEN)('a run of a game with %j ends with its designer’s mistake', { timeout: 60_000 }, async (part, why) => {
  const place = new Place({ 'odd.mjs': gameWith(part), 'a.mjs': "export default () => 'a'\n", 'odd.toml': contest })
  const { status, stderr } = await place.agon(['run', 'odd.toml', '--jobs', '1', '--trust', '--out', 'out'])
  expect(status, stderr).toBe(why === '' ? 0 : 2)
  expect(stderr).toContain(why)
  // Its bots are not blamed.
  expect(stderr).not.toContain('is left out')
  if (why !== '') expect(stderr).toContain('odd.mjs')
})
