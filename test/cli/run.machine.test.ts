import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Ended, Place, lastLine } from './agon.js'

/** Modules in both languages, and programs of a turn and of a match, one of which says escapes and one of which is silent at times. */
const place = new Place({
  'four.toml': `title = "Four"
game = "samurai"
seed = "four"
[options]
turns = 6
[limits]
turn = 20000
[format]
kind = "round-robin"
repetitions = 2
[[entrants]]
name = "Random"
module = "random.ts"
[[entrants]]
name = "Bower"
module = "bower.js"
[[entrants]]
name = "Escape"
command = "sh escape.sh"
[[entrants]]
name = "Mute, at times"
command = ["sh", "mute.sh"]
[[entrants]]
name = "Absent"
command = ["no-such-program-here"]
`,
  'random.ts': `import type { Bot } from 'agon'
const bot: Bot<{ turn: number }, string> = (_view, chance) => 'WBGIPO'.charAt(chance.below(6))
export default bot
`,
  'bower.js': `export default () => {
  console.log('\\u001b[2Jbowing')
  return 'B'
}
`,
  'escape.sh': `printf '\\033[31mB'; printf '\\033[2Jred\\n' >&2\n`,
  'mute.sh': `[ $# -eq 6 ] && [ "\${#1}" -eq 1 ] || echo G\n`,
})

interface Document {
  contest: string
  game: string
  seed: string
  finished: boolean
  matches: number
  played: number
  reused: number
  standings: { rank: number; name: string; points: number }[]
  notes: string[]
  faults: Record<string, Record<string, number>>
  leftOut: { name: string; why: string }[]
  elo: { rows: { name: string }[] }
}
const documentOf = ({ stdout }: Ended): Document => JSON.parse(stdout) as Document
const read = (...names: readonly string[]) => readFileSync(place.path(...names), 'utf8')

describe('agon run', () => {
  let table: Ended
  let document: Ended
  beforeAll(async () => {
    ;[table, document] = await Promise.all([
      place.agon(['run', 'four.toml', '--out', 'one', '--jobs', '1']),
      place.agon(['run', 'four.toml', '--out', 'more', '--jobs', '4', '--json', '--workspace', 'other']),
    ])
  })

  it('prints the table, the crosstable, faults, who is left out, and where the archive lies', () => {
    expect(table.status, table.stderr).toBe(0)
    expect(table.stdout.replaceAll(place.folder, '~').replace(/ in [\d.]+ m?s/, ' in TIME')).toMatchSnapshot()
  })

  it('says nothing that changes a screen, whatever bots say and modules print', () => {
    for (const { stdout, stderr } of [table, document]) {
      expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
    }
  })

  it('prints one document with --json', () => {
    expect(document.status, document.stderr).toBe(0)
    const { standings, faults, notes, elo, ...rest } = documentOf(document)
    expect(rest).toEqual({
      contest: 'Four',
      game: 'samurai',
      seed: 'four',
      finished: true,
      matches: 12,
      played: 12,
      reused: 0,
      leftOut: [{ name: 'Absent', why: 'this machine has no no-such-program-here' }],
    })
    expect(notes).toEqual([])
    expect(elo.rows.map(({ name }) => name)).toEqual(standings.map(({ name }) => name))
    expect(standings.map(({ name }) => name).sort()).toEqual(['Bower', 'Escape', 'Mute, at times', 'Random'])
    expect(standings.reduce((sum, { points }) => sum + points, 0)).toBe(12)
    expect(Object.keys(faults)).toEqual(['Escape', 'Mute, at times'])
    expect(faults['Escape']?.['unparsable']).toBeGreaterThan(6)
    expect(faults['Mute, at times'], 'once a match, at its second turn').toEqual({ silent: 6 })
  })

  it('comes to the same judged records with 1 job and with 4, and verify gives their digest', async () => {
    const [one, more] = await Promise.all([place.agon(['verify', 'one/records.jsonl']), place.agon(['verify', 'more'])])
    expect([one.status, more.status]).toEqual([0, 0])
    expect(one.stdout).toMatch(/^12 of 12 records agree\ndigest [0-9a-f]{64}\n$/)
    expect(more.stdout).toBe(one.stdout)
  })

  it('writes the records in the order of the schedule, not of the clock', () => {
    const keys = (folder: string) =>
      read(folder, 'records.jsonl')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { key: string }).key)
    expect(keys('more')).toEqual(keys('one'))
    expect(new Set(keys('one')).size).toBe(12)
  })

  it('writes results as JSON, CSV and Markdown, and what bots wrote to their standard error', () => {
    expect(JSON.parse(read('more', 'results.json'))).toEqual(documentOf(document))
    expect(read('one', 'standings.csv').split('\r\n')).toHaveLength(6)
    expect(read('one', 'standings.csv')).toContain('"Mute, at times"')
    expect(read('one', 'faults.csv')).toMatch(
      /^name,fault,count\r\nEscape,unparsable,\d+\r\n"Mute, at times",silent,\d+\r\n$/,
    )
    expect(read('one', 'crosstable.csv').split('\r\n')).toHaveLength(4 * 3 + 2)
    expect(read('one', 'results.md')).toContain('- Absent: this machine has no no-such-program-here')
    expect(readdirSync(place.path('one', 'logs')).sort()).toEqual(['Bower.stderr.txt', 'Escape.stderr.txt'])
    expect(read('one', 'logs', 'Bower.stderr.txt')).toContain('\u001b[2Jbowing')
    expect(JSON.parse(read('one', 'contest.json'))).toMatchObject({ game: 'samurai', seed: 'four', title: 'Four' })
  })

  it('does not play again what is there, and refuses to play over it', async () => {
    const nothing = { ...documentOf(document), played: 0, reused: 12 }
    const again = await place.agon(['run', 'four.toml', '--out', 'one', '--resume', '--json'])
    expect(documentOf(again)).toEqual(nothing)
    const another = await place.agon(['run', 'four.toml', '--out', 'another', '--json'])
    expect(documentOf(another), 'a run of its own shares what was played').toEqual(nothing)
    expect(read('another', 'records.jsonl')).toBe(read('one', 'records.jsonl'))
    const over = await place.agon(['run', 'four.toml', '--out', 'one'])
    expect([over.status, over.stdout]).toEqual([2, ''])
    expect(over.stderr).toMatch(/^agon: one already holds a run: .*--resume.*--fresh/)
  })

  it('refuses to go on with what has changed, and names it', async () => {
    const matches = await place.agon(['run', 'four.toml', '--out', 'one', '--resume', '--matches', '3'])
    expect([matches.status, lastLine(matches.stderr)]).toEqual([2, expect.stringContaining('--matches')])
    const seed = await place.agon(['run', 'four.toml', '--out', 'one', '--resume', '--seed', 'five'])
    expect([seed.status, seed.stderr]).toEqual([2, expect.stringContaining('another seed')])
  })

  it('starts again with --fresh, and keeps what it did not write', async () => {
    writeFileSync(place.path('more', 'notes.txt'), 'mine')
    const args = ['run', 'four.toml', '--out', 'more', '--fresh', '--seed', 'other', '--json']
    const fresh = await place.agon([...args, '--workspace', 'other'])
    expect(documentOf(fresh)).toMatchObject({ seed: 'other', played: 12, reused: 0 })
    expect(read('more', 'notes.txt')).toBe('mine')
    const broken = await place.agon([
      'run',
      'four.toml',
      '--out',
      'more',
      '--fresh',
      '--only',
      'Escape,Absent',
      '--workspace',
      'other',
    ])
    expect(broken.status).toBe(2)
    expect(read('more', 'records.jsonl').trim().split('\n'), 'kept, as nothing new began').toHaveLength(12)
  })

  it('plays only the entrants that are asked for, and --against not among themselves', async () => {
    const args = ['--only', 'Random', '--against', 'Mute, at times,Escape', '--matches', '1', '--json']
    const narrow = documentOf(await place.agon(['run', 'four.toml', ...args, '--out', 'narrow']))
    expect([narrow.matches, narrow.standings.map(({ name }) => name).sort()]).toEqual([
      2,
      ['Escape', 'Mute, at times', 'Random'],
    ])
  })
})

describe('agon verify and replay on an archive', () => {
  const bent = (name: string, change: (record: { outcome: { place: number[] }; steps: unknown[] }) => void) => {
    const lines = read('one', 'records.jsonl').trim().split('\n')
    const at = lines.findIndex((line) => /"place":\[[12],[12]\]/.test(line) && !line.includes('"place":[1,1]'))
    const record = JSON.parse(lines[at] ?? '') as Parameters<typeof change>[0]
    change(record)
    place.write(name, `${lines.map((line, i) => (i === at ? JSON.stringify(record) : line)).join('\n')}\n`)
    return `${name}:${at + 1}`
  }

  it('the order of the records does not matter, and a gzip-compressed file is read', async () => {
    const lines = read('one', 'records.jsonl').trim().split('\n')
    place.write('reversed.jsonl', lines.reverse().join('\n'))
    const [a, b] = await Promise.all([place.agon(['verify', 'one']), place.agon(['verify', 'reversed.jsonl'])])
    expect(b).toEqual(a)
  })

  it('a winner who did not win, and a missing step, are reported with their line: exit code 1', async () => {
    const winner = bent('winner.jsonl', ({ outcome }) => outcome.place.reverse())
    const step = bent('step.jsonl', ({ steps }) => void steps.pop())
    const [a, b] = await Promise.all([place.agon(['verify', 'winner.jsonl']), place.agon(['verify', 'step.jsonl'])])
    expect([a.status, b.status]).toEqual([1, 1])
    expect(a.stdout).toMatch(new RegExp(`^${winner}: .*recorded .*, judged .*\n11 of 12 records agree\n`))
    expect(b.stdout).toMatch(new RegExp(`^${step}: .*the match is not over`))
  })

  it('what the rules cannot follow is reported, not thrown', async () => {
    bent('options.jsonl', (record) => Object.assign(record, { options: {} }))
    const { status, stdout, stderr } = await place.agon(['verify', 'options.jsonl'])
    expect([status, stderr]).toEqual([1, ''])
    expect(stdout).toMatch(/11 of 12 records agree/)
  })

  it('a line that was cut off, or of another version, is refused: exit code 2', async () => {
    const text = read('one', 'records.jsonl')
    place.write('cut.jsonl', text.slice(0, -30))
    place.write('version.jsonl', text.replace('{"agon":1,', '{"agon":2,'))
    const [cut, version] = await Promise.all([
      place.agon(['verify', 'cut.jsonl']),
      place.agon(['verify', 'version.jsonl']),
    ])
    expect([cut.status, version.status]).toEqual([2, 2])
    expect(cut.stderr).toMatch(/^agon: cut\.jsonl:12: not a whole line of JSON.*\n$/)
    expect(version.stderr).toMatch(/^agon: version\.jsonl:1: .*version 2.*\n$/)
  })

  it('a record of an unknown game is reported, and the others are verified: exit code 2', async () => {
    place.write('unknown.jsonl', read('one', 'records.jsonl').replace('"game":"samurai"', '"game":"chess"'))
    const { status, stdout, stderr } = await place.agon(['verify', 'unknown.jsonl'])
    expect(stderr).toMatch(/^agon: unknown\.jsonl:1: the game "chess" does not come with agon.*\n$/)
    expect(stdout).toMatch(/^11 of 11 records agree; 1 line could not be read\n/)
    expect(status).toBe(2)
  })

  it('replay prints every turn where there is no terminal, or the turn that is asked for', async () => {
    const [whole, one] = await Promise.all([
      place.agon(['replay', 'one', '--match', '2']),
      place.agon(['replay', 'one', '--match', '2', '--turn', '1']),
    ])
    expect([whole.status, one.status]).toEqual([0, 0])
    const turns = Number(/^turn 1 of (\d)$/m.exec(one.stdout)?.[1])
    expect(
      whole.stdout
        .split('\n')
        .filter((line) => /^ +\d+ /.test(line))
        .map((line) => line.trim()[0]),
    ).toEqual(['1', '2', '3', '4', '5', '6'].slice(0, turns))
    expect(turns).toBeGreaterThan(1)
    expect(whole.stdout + one.stdout).not.toContain('\u001b')
    const key = /\((1\/[^)]*)\)/.exec(whole.stdout)?.[1] ?? ''
    expect((await place.agon(['replay', 'one', '--match', key])).stdout).toBe(whole.stdout)
  })
})
