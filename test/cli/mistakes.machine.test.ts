import { mkdirSync } from 'node:fs'
import { describe, it } from 'vitest'
import { Place } from './agon.js'

const place = new Place({
  'two.toml': `game = "samurai"
[format]
kind = "round-robin"
repetitions = 1
[[entrants]]
name = "Ant"
command = "sh bow.sh"
[[entrants]]
name = "Bee"
command = "sh bow.sh"
`,
  'one.toml': `game = "samurai"
[format]
kind = "round-robin"
repetitions = 1
[[entrants]]
name = "Ant"
command = "sh bow.sh"
[[entrants]]
name = "Bee"
command = "no-such-program-here x"
`,
  'bow.sh': 'echo B\n',
  'notes.txt': 'no record\n',
  'broken.ts': 'export default ((\n',
})
mkdirSync(place.path('folder'))

/** Everything here is a mistake of the user's: exit code 2, nothing on standard output, one line, no stack. */
const MISTAKES: readonly (readonly string[])[] = [
  ['rnu'],
  ['help', 'rnu'],
  ['xyzzy'],
  ['run'],
  ['run', 'two.toml', '--sede', '3'],
  ['run', 'two.toml', 'more'],
  ['check', 'samurai', 'python3', 'bot.py', 'more'],
  ['run', 'two.toml', '--matches', '0'],
  ['run', 'two.toml', '--jobs', 'many'],
  ['run', 'two.toml', '--seed', ''],
  ['run', 'two.toml', '--only', ''],
  ['run', 'two.toml', '--only', 'Ante'],
  ['run', 'two.toml', '--only', 'Ant'],
  ['run', 'two.toml', '--against', 'Ant'],
  ['run', 'two.toml', '--resume', '--fresh'],
  ['run', 'two.toml', '--out', 'notes.txt'],
  ['run', 'two.toml', '--out', 'notes.txt/deeper'],
  ['run', 'nothing.toml'],
  ['run', 'folder/'],
  ['run', 'gunduell'],
  ['match', 'samurai'],
  ['match', 'samuri', 'bow.sh', 'bow.sh'],
  ['match', 'samurai', 'bow.sh'],
  ['match', 'samurai', 'bow.sh', 'folder'],
  ['match', 'samurai', 'bow.sh', 'notes.txt'],
  ['match', 'samurai', 'bow.sh', 'sh "bow.sh'],
  ['match', 'samurai', 'bow.sh', 'no-such-program-here x'],
  ['match', 'samurai', 'bow.sh', 'bow.sh', '--option', 'turn=3'],
  ['match', 'samurai', 'bow.sh', 'bow.sh', '--option', 'turns=few'],
  ['match', 'samurai', 'bow.sh', 'bow.sh', '--limit', 'trun=3'],
  ['match', 'samurai', 'bow.sh', 'bow.sh', '--limit', 'turn=-1'],
  ['match', 'gunduel', 'bow.sh', 'bow.sh', '--wire', 'linse'],
  ['match', './broken.ts', 'bow.sh', 'bow.sh'],
  ['check', 'samurai'],
  ['check', 'negotiate', 'bow.sh', '--option', 'turns=x'],
  ['play', 'samurai'],
  ['verify'],
  ['verify', 'nothing.jsonl'],
  ['verify', 'folder'],
  ['replay', 'folder'],
  ['replay', 'notes.txt'],
  ['replay', 'notes.txt', '--turn', '-1'],
  ['wires', 'samuri'],
]

describe.concurrent('a mistake is one line with a remedy', () => {
  for (const args of MISTAKES) {
    it(`agon ${args.map((word) => (/^[\w./=-]+$/.test(word) ? word : `'${word}'`)).join(' ')}`, async ({ expect }) => {
      const { status, stdout, stderr } = await place.agon(args)
      expect(stderr.replaceAll(place.folder, '~')).toMatchSnapshot()
      expect(stdout).toBe('')
      expect(status).toBe(2)
      expect(stderr).toMatch(/^agon: .+\n$/)
    })
  }

  const ODD = 'a\u001b[31m\u009b2J\n\u202eagon: all is well'
  it.for([
    [ODD],
    ['help', ODD],
    [ODD, 'two.toml'],
    ['run', `--${ODD}`],
    ['run', ODD],
    ['run', 'two.toml', `--jobs=${ODD}`],
    ['run', 'two.toml', '--jobs', ODD],
    ['store', ODD],
    ['new', ODD, 'x'],
    ['match', ODD, 'Hedgehog', 'Hedgehog'],
    ['match', 'samurai', 'Hedgehog', 'Hedgehog', `--limit=${ODD}`],
    ['check', 'samurai', `./${ODD}`],
    ['verify', ODD],
    ['import', ODD],
  ])('shows the control characters of what it names: %j', async (args, { expect }) => {
    const { status, stdout, stderr } = await place.agon(args)
    expect(stderr).toMatch(/^agon: \P{C}*\n$/u)
    expect(stderr).toMatch(/\\u\{?0*1b\}?\[31m/)
    expect([status, stdout]).toEqual([2, ''])
  })

  it('too few entrants: what keeps the others out stands above', async ({ expect }) => {
    const { status, stdout, stderr } = await place.agon(['run', 'one.toml'])
    expect(stderr).toMatchInlineSnapshot(`
      "Bee is left out: this machine has no no-such-program-here
      agon: 1 of 2 entrants can play and 2 are needed: the lines above say what keeps the others out
      "
    `)
    expect([status, stdout]).toEqual([2, ''])
  })
})
