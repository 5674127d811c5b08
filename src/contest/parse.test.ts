import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { UserError } from '../core/index.js'
import { contestOf } from '../../test/kit/contest.js'
import { type LoadedContest, loadContest } from './parse.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-parse-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (...names: string[]): string => join(folder, ...names)
function write(name: string, text: string): string {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
  return at(name)
}

/** The message of the mistake in a contest file with this text. */
async function mistake(text: string): Promise<string> {
  try {
    await contestOf(text, at('c.toml'))
  } catch (error) {
    if (error instanceof UserError) return error.message.replaceAll(folder, '')
    throw error
  }
  return 'no mistake'
}
const TWO = `
[[entrants]]
name = "Ant"
command = "sh ant"

[[entrants]]
name = "Bee"
module = "bee.ts"
`
const samurai = (text: string): Promise<string> => mistake(`game = "samurai"\n${text}${TWO}`)

describe('a contest', () => {
  test('has defaults for all but its game and entrants', async () => {
    const { contest, definition } = await contestOf(`game = "samurai"${TWO}`, at('c.toml'))
    expect(contest).toEqual({
      title: definition.title,
      game: 'samurai',
      options: definition.game.options,
      format: { kind: 'round-robin', repetitions: 1, swap: true, playoff: 0 },
      scoring: { win: 1, draw: 0.5, loss: 0, ties: [] },
      limits: {},
      entrants: [
        { name: 'Ant', command: ['sh', 'ant'] },
        { name: 'Bee', module: 'bee.ts' },
      ],
    })
  })

  test('says all it may say', async () => {
    const { contest } = await contestOf(
      `title = "Cup"
game = "gunduel"
seed = 12345678901234567890
memory = "tournament"
options = { turns = 30 }
limits = { turn = 250.5, output = 4096 }
[format]
kind = "last-standing"
repetitions = 100
swap = false
quick = 10
[scoring]
draw = 0
ties = [{ tally = "life", of = "won", name = "Life" }, { tally = "kills" }]
[[entrants]]
name = "Ant"
command = ["./ant", "two words"]
wire = "exit"
language = "C"
build = [["make"], ["make", "ant"]]
folder = "ant"
memory = "turn"
synopsis = "bites"
[[entrants]]
name = "Bee"
command = "sh -c 'exit 48'"
build = "make bee"
[[entrants]]
name = "Cat"
class = "Cat.hpp"
build = ["make", "cat"]
`,
      at('c.toml'),
    )
    expect(contest).toMatchObject({
      title: 'Cup',
      seed: '12345678901234567890',
      memory: 'tournament',
      options: { turns: 30 },
      limits: { turn: 250.5, output: 4096 },
      format: { kind: 'last-standing', repetitions: 100, swap: false, playoff: 0, quick: 10 },
      scoring: {
        win: 1,
        draw: 0,
        loss: 0,
        ties: [
          { tally: 'life', of: 'won', name: 'Life' },
          { tally: 'kills', of: 'all', name: 'kills' },
        ],
      },
    })
    expect(contest.entrants[0]).toEqual({
      name: 'Ant',
      command: ['./ant', 'two words'],
      wire: 'exit',
      language: 'C',
      build: [['make'], ['make', 'ant']],
      folder: 'ant',
      memory: 'turn',
      synopsis: 'bites',
    })
    expect(contest.entrants[1]).toEqual({ name: 'Bee', command: ['sh', '-c', 'exit 48'], build: [['make', 'bee']] })
    expect(contest.entrants[2]?.build).toEqual([['make', 'cat']])
  })

  test('takes entrants from the files of a pattern, their paths relative to each', async () => {
    write('many/entries/bee/bot.toml', 'name = "Bee"\nmodule = "bee.ts"\n')
    write('many/entries/ant/bot.toml', 'name = "Ant"\ncommand = ["sh", "ant.sh"]\n')
    write('many/entries/.hidden/bot.toml', 'nonsense')
    write('many/entries/readme.txt', 'nonsense')
    const { entries } = await loadContest(write('many/c.toml', 'game = "samurai"\nentrants = "entries/*/bot.toml"\n'))
    expect(entries.map(({ spec, base }) => [spec.name, base])).toEqual([
      ['Ant', at('many/entries/ant')],
      ['Bee', at('many/entries/bee')],
    ])
    const deep = await loadContest(write('many/deep.toml', 'game = "samurai"\nentrants = "**/bot.toml"\n'))
    expect(deep.entries.map(({ spec }) => spec.name)).toEqual(['Ant', 'Bee'])
  })

  test.each([
    ['samurai', 'round-robin'],
    ['gunduel', 'round-robin'],
    ['stronger', 'free-for-all'],
  ])('of %s is a %s where it does not say', async (game, kind) => {
    const { contest } = await contestOf(`game = "${game}"${TWO}`, at('c.toml'))
    expect(contest.format.kind).toBe(kind)
  })

  test('of more entrants than the game seats is played in groups as large as can be', async () => {
    const many = ['A', 'B', 'C', 'D', 'E'].map((name) => `[[entrants]]\nname = "${name}"\ncommand = "x"\n`).join('')
    const { contest } = await contestOf(`game = "negotiate"\n${many}`, at('c.toml'))
    expect(contest.format).toMatchObject({ kind: 'groups', size: 4 })
  })

  test('of a ladder has its bounds', async () => {
    const { contest } = await contestOf(
      `game = "samurai"${TWO}\n[format]\nkind = "ladder"\nplacing = 12\nhourly = 600\n`,
      at('c.toml'),
    )
    expect(contest.format).toMatchObject({ kind: 'ladder', placing: 12, hourly: 600 })
  })
})

const GAME = `const f = () => []
export default { id: 'own', version: 1, seats: { min: 2, max: 2 }, options: {}, setup: f, toMove: f, view: f, legal: f, play: f, outcome: f }
`
const HOUSE = `[[entrants]]
name = "Finch"
command = "sh finch.sh"
synopsis = "hops"

[[entrants]]
name = "Heron"
module = "heron.ts"
memory = "match"
`

test("a stranger's folder is not taken for that of the game's house bots", async () => {
  write('friday/game.ts', GAME)
  for (const name of ['ant', 'bee']) {
    write(`friday/${name}/bot.toml`, `name = "${name}"\ncommand = "sh bot.sh"\n`)
    write(`friday/${name}/bot.sh`, 'echo\n')
  }
  write('friday/bots/house.toml', HOUSE)
  const contest = write('friday/contest.toml', 'game = "./game.ts"\nentrants = "*/bot.toml"\n')
  expect((await loadContest(contest)).entries).toHaveLength(2)
  write('friday/bots/bot.toml', 'house = "Heron"\n')
  await expect(loadContest(contest)).rejects.toThrow(
    /friday\/bots\/bot.toml:1: it lies beside the house.toml of the game, whose bots are trusted: put the entrant into another folder$/,
  )
  rmSync(at('friday/bots/bot.toml'))
})

describe("an entrant's own file", () => {
  const league = (name: string, own: string, head = ''): Promise<LoadedContest> => {
    write(`${name}/ant/bot.toml`, `name = "Ant"\ncommand = "sh ant.sh"\n${own}`)
    write(`${name}/bee/bot.toml`, 'name = "Bee"\ncommand = "sh bee.sh"\n')
    return loadContest(write(`${name}/contest.toml`, `game = "samurai"\n${head}entrants = "*/bot.toml"\n`))
  }

  test('says who it is, how it is made and started, and less memory', async () => {
    const own = `author = "Ann"\nsynopsis = "bites"\nlanguage = "sh"\nfolder = "."\nbuild = "make"\nwire = "jsonl"
warm = false\ndeterministic = true\nlabels = ["gpu"]\nmemory = "match"\n`
    expect((await league('own-short', own)).contest.entrants).toMatchObject([{ author: 'Ann', memory: 'match' }, {}])
  })

  test.each([
    'house = "Hedgehog"',
    'with = { p = 1 }',
    'strict_memory = false',
    'mixed_builds = true',
    'steps = 9',
    'seed = 1',
    'game = "samurai"',
    '[limits]\nturn = 9',
    '[options]\nturns = 3',
    '[format]\nkind = "swiss"',
    '[[entrants]]\nname = "Bee"\ncommand = "sh bee.sh"',
  ])('does not say what is the host’s: %j', async (own) => {
    const [, key = ''] = /(\w+)/.exec(own) ?? []
    await expect(league('own-host', own)).rejects.toThrow(
      `/own-host/ant/bot.toml:3: "${key}" is for the contest's file to say, not for an entrant's own: leave it out; known: name, command, module, class, wire`,
    )
  })

  test.each([
    ['', 'tournament'],
    ['memory = "series"\n', 'tournament'],
    ['memory = "match"\n', 'series'],
    ['memory = "turn"\n', 'match'],
  ])('has no more memory than the contest: with %j not a %s', async (head, memory) => {
    const most = /"(\w+)"/.exec(head)?.[1] ?? 'series'
    await expect(league('own-memory', `\nmemory = "${memory}"\n`, head)).rejects.toThrow(
      `/own-memory/ant/bot.toml:4: "Ant" may remember for a ${most} at most, as the contest says: leave memory = "${memory}" out, or ask for less`,
    )
    expect((await league('own-memory', `memory = "${most}"\n`, head)).contest.entrants[0]?.memory).toBe(most)
  })

  test('has house bots beside it that the contest names', async () => {
    const { entries } = await league('own-beside', '', 'house = ["Dice", "Hedgehog"]\n')
    expect(entries.map(({ spec, house }) => [spec.name, house])).toEqual([
      ['Dice', true],
      ['Hedgehog', true],
      ['Ant', false],
      ['Bee', false],
    ])
    await expect(league('own-beside', '', '\nhouse = ["Dise"]\n')).rejects.toThrow(
      '/own-beside/contest.toml:3: unknown house bot "Dise" (did you mean "Dice"?)',
    )
  })
})

test('a house bot plays under its own name or another, with its own folder as base', async () => {
  write('own/game.ts', GAME)
  write('own/bots/house.toml', HOUSE)
  const text = `game = "./own/game.ts"
[[entrants]]
house = "finch"
[[entrants]]
name = "Second"
house = "Heron"
memory = "turn"
`
  const { contest, entries } = await contestOf(text, at('c.toml'))
  expect(contest.entrants).toEqual([
    { name: 'Finch', house: 'Finch', command: ['sh', 'finch.sh'], synopsis: 'hops' },
    { name: 'Second', house: 'Heron', module: 'heron.ts', memory: 'turn' },
  ])
  expect(entries.map(({ house, base }) => [house, base])).toEqual([
    [true, at('own/bots')],
    [true, at('own/bots')],
  ])
})

write('bee.ts', '')

describe('a mistake is reported with file, line and remedy', () => {
  test('in the TOML itself', async () => {
    expect(await mistake('game = "samurai"\nseed = \n')).toMatchInlineSnapshot(
      `"/c.toml:2: not TOML: invalid value, at column 8 of "seed =""`,
    )
    expect(await mistake('game = "samurai"\ngame = "coup"\n')).toMatchInlineSnapshot(
      `"/c.toml:2: not TOML: trying to redefine an already defined table or value, at column 1 of "game = \\"coup\\"""`,
    )
  })

  test.each([
    [
      '[entrants]\nname = "A"\n[[entrants]]',
      /:4: .*: line 2 has \[entrants\]: each entrant begins with \[\[entrants\]\]$/,
    ],
    ['[format]\nswap = true\n[format]', /:4: .*: \[format\] stands in line 2 already/],
    ['title: "Cup"', /: write title = "Cup"$/],
    ['title Cup', /: write title = "Cup"$/],
    ['seed: 7', /: write seed = 7$/],
    ['title = \u201CCup\u201D', /quotes are not those of a keyboard: write title = "Cup"$/],
    ['title = "Cup",', /: no comma ends a line: write title = "Cup"$/],
    ['title = Cup', /: quote it: title = "Cup"$/],
  ])('what is no TOML has its remedy: %j', async (text, remedy) => {
    expect(await mistake(`game = "samurai"\n${text}\n`)).toMatch(remedy)
  })

  test('a key of the top that stands in a table', async () => {
    expect(await mistake('game = "samurai"\n[format]\nkind = "swiss"\nentrants = "*/bot.toml"\n')).toContain(
      '/c.toml:4: unknown key "entrants" in [format]: it belongs at the top of the file, above all tables; known: kind',
    )
  })

  test('unknown keys', async () => {
    expect(await mistake('game = "samurai"\n\n[[entrants]]\nnam = "x"\ncommand = ["true"]\n')).toMatchInlineSnapshot(
      `"/c.toml:4: unknown key "nam" in [[entrants]] (did you mean "name"?); known: name, command, module, with, class, house, wire, language, build, folder, memory, author, country, synopsis, deterministic, warm, labels"`,
    )
    expect(await samurai('sede = 3')).toMatchInlineSnapshot(
      `"/c.toml:2: unknown key "sede" (did you mean "seed"?); known: title, game, seed, memory, steps, strict_memory, mixed_builds, entries_per_author, signup, sittings, notice, publish, remote, reconnect, options, format, scoring, limits, house, entrants"`,
    )
    expect(await samurai('[format]\nrepetition = 3')).toMatchInlineSnapshot(
      `"/c.toml:3: unknown key "repetition" in [format] (did you mean "repetitions"?); known: kind, repetitions, swap, playoff, size, rounds, places, placing, hourly, challengers, seeding, by, self, quick"`,
    )
    expect(
      await samurai('[scoring]\nties = [\n  { tally = "x" },\n  { tally = "x", off = "won" },\n]'),
    ).toMatchInlineSnapshot(
      `"/c.toml:3: unknown key "off" in scoring.ties (did you mean "of"?); known: tally, of, name"`,
    )
  })

  test('unknown words', async () => {
    expect(await mistake('game = "samurai"\n\n[format]\nkind = "round-robbin"\n')).toMatchInlineSnapshot(
      `"/c.toml:4: unknown kind "round-robbin" in [format] (did you mean "round-robin"?); known: round-robin, ordered-pairs, last-standing, free-for-all, groups, heats, gauntlet, swiss, elimination, double-elimination, hill, ladder"`,
    )
    expect(await samurai('memory = "forever"')).toMatchInlineSnapshot(
      `"/c.toml:2: unknown memory "forever"; known: turn, match, series, tournament"`,
    )
    expect(await samurai('[scoring]\nties = [{ tally = "x", of = "one" }]')).toMatchInlineSnapshot(
      `"/c.toml:3: unknown of "one" in scoring.ties; known: all, won"`,
    )
    expect(await mistake(`game = "samurais"${TWO}`)).toMatchInlineSnapshot(
      `"/c.toml:1: unknown game "samurais" (did you mean "samurai"?); known: gunduel, coup, samurai, negotiate, stronger, kuhn, leduc, or a file such as ./mygame.ts"`,
    )
    expect(await samurai('[limits]\ntrun = 3')).toMatchInlineSnapshot(
      `"/c.toml:3: unknown limit "trun" (did you mean "turn"?); samurai has turn, bank, increment, late, network, start, output, source, memory, processes, files, disk, errors"`,
    )
    expect(await mistake(`game = "samurai"${TWO}wire = "trun"`)).toMatchInlineSnapshot(
      `"/c.toml:9: unknown wire "trun" (did you mean "turn"?); samurai has turn, jsonl, module"`,
    )
  })

  test('several at once, a line each; a key that is missing is not reported beside one that is unknown', async () => {
    expect(
      (
        await mistake(
          'game = "samurai"\ntitle = 7\n[format]\nkind = "round-robbin"\nrepetition = 2\n[[entrants]]\nnam = "A"\n',
        )
      )
        .split('\n')
        .map((line) => line.split(';')[0]),
    ).toEqual([
      '/c.toml:2: title = 7 must be a text',
      '/c.toml:4: unknown kind "round-robbin" in [format] (did you mean "round-robin"?)',
      '/c.toml:5: unknown key "repetition" in [format] (did you mean "repetitions"?)',
      '/c.toml:7: unknown key "nam" in [[entrants]] (did you mean "name"?)',
    ])
    expect(await mistake('game = samurai\n')).toMatch(/: quote it: game = "samurai"$/)
    expect(await mistake('game = "samurai\n')).not.toContain('quote it')
  })

  test('also those that only the game knows', async () => {
    const all = await mistake(`game = "samurai"
[options]
turn = 5
[limits]
trun = 3
[scoring]
per = "turn"
[[entrants]]
name = "Ant"
command = "ant > log"
wire = "lins"
[[entrants]]
name = "Bee"
command = "bee"
[[entrants]]
name = "Cat"
house = "Hedgehogg"
[[entrants]]
name = "Dog"
module = "dog.ts"
[[entrants]]
name = "Dog"
command = "dog"
[[entrants]]
name = "Elk"
[[entrants]]
name = "Fox"
command = ["python3", "-u", "fox.py", "--deep=3"]
[[entrants]]
name = "Gnu"
command = ["./gnu"]
build = ["make", "gnu"]
[[entrants]]
name = "Hen"
command = ["sh", "hen.sh"]
folder = "hens"
`)
    expect(all.split('\n').map((line) => line.split(/[;(]|: (?:leave|give|it was)/)[0]?.trim())).toEqual([
      '/c.toml:3: unknown option "turn"',
      '/c.toml:5: unknown limit "trun"',
      '/c.toml:7: per means nothing if wins count',
      '/c.toml:10: command: ">" in "ant > log" is for a shell, and there is no shell',
      '/c.toml:11: unknown wire "lins"',
      '/c.toml:17: unknown house bot "Hedgehogg"',
      '/c.toml:22: two entrants are called "Dog", the other at /c.toml:19',
      '/c.toml:24: "Elk" has none of command, module, class and house',
    ])
  })

  test('also those that show once all is read: of the format, and of options together', async () => {
    const bots = '[[entrants]]\nname = "Ant"\ncommand = ["python3", "ant.py"]\n[[entrants]]\nhouse = "Hedgehog"\n'
    for (const wrong of ['[options]\nturns = 0', '[format]\nkind = "groups"\nsize = 3'])
      expect(await mistake(`game = "samurai"\n${wrong}\n${bots}`)).toMatch(/^\/c\.toml:2: /)
  })

  test('wrong types and figures', async () => {
    expect(await samurai('seed = 1.5')).toMatchInlineSnapshot(
      `"/c.toml:2: seed = 1.5 must be a whole number or a text"`,
    )
    expect(await samurai('format = 3')).toMatchInlineSnapshot(`"/c.toml:2: format = 3 must be a table [format]"`)
    expect(await samurai('format = { kind = 3 }')).toMatchInlineSnapshot(
      `"/c.toml:2: kind = 3 in [format] must be one of round-robin, ordered-pairs, last-standing, free-for-all, groups, heats, gauntlet, swiss, elimination, double-elimination, hill, ladder"`,
    )
    expect(await samurai('[format]\nrepetitions = 0')).toMatchInlineSnapshot(
      `"/c.toml:3: repetitions = 0 in [format] must be a whole number, 1 or more"`,
    )
    expect(await samurai('[format]\nswap = 1')).toMatchInlineSnapshot(
      `"/c.toml:3: swap = 1 in [format] must be true or false"`,
    )
    expect(await samurai('[limits]\nturn = -1')).toMatchInlineSnapshot(
      `"/c.toml:3: turn = -1 in [limits] must be a number above 0, or of late "fault" or "forgive:3""`,
    )
    expect(await samurai('[limits]\noutput = 1.5')).toMatchInlineSnapshot(
      `"/c.toml:3: output = 1.5 must be a whole number of bytes"`,
    )
    expect(await samurai('[scoring]\nwin = "one"')).toMatchInlineSnapshot(
      `"/c.toml:3: win = "one" in [scoring] must be a number from -1000000 to 1000000"`,
    )
    // Sums of it are infinite, which no table holds: that is not to be found out when all matches are played.
    expect(await samurai('[scoring]\nloss = -1e308')).toMatchInlineSnapshot(
      `"/c.toml:3: loss = -1e+308 in [scoring] must be a number from -1000000 to 1000000"`,
    )
    expect(await samurai('[scoring]\nwin = -inf')).toContain('in [scoring] must be a number from -1000000 to 1000000')
    expect(await samurai('[scoring]\nties = [{ of = "won" }]')).toMatchInlineSnapshot(
      `"/c.toml:3: tally is missing in scoring.ties: it must be a text"`,
    )
    expect(await samurai('seed = 1979-05-27')).toMatchInlineSnapshot(
      `"/c.toml:2: seed = 1979-05-27 must be a whole number or a text"`,
    )
    expect(await mistake('title = "x"')).toMatchInlineSnapshot(
      `"/c.toml:1: game is missing: it must be a game's id, a file such as ./mygame.ts, or a table with its command"`,
    )
    expect(await mistake('game = "samurai"\nentrants = 3')).toMatchInlineSnapshot(
      `"/c.toml:2: entrants = 3 must be a table [[entrants]] for each, or a pattern of files such as "entries/*/bot.toml""`,
    )
    expect(await mistake(`game = "samurai"${TWO}[[entrants]]\nname = 3\ncommand = "x"`)).toMatchInlineSnapshot(
      `"/c.toml:10: name = 3 in [[entrants]] must be a text; quote it: name = "3""`,
    )
    expect(await mistake(`game = "samurai"${TWO}build = [1]`)).toMatchInlineSnapshot(
      `"/c.toml:9: build = [1] in [[entrants]] must be a command, such as ["make", "bot"], or an array of commands"`,
    )
    expect(await mistake(`game = "samurai"\n[[entrants]]\nname = "x"\ncommand = []`)).toMatchInlineSnapshot(
      `"/c.toml:4: command = [] in [[entrants]] must be words such as ["python3", "bot.py"], or one text"`,
    )
  })

  test('parameters', async () => {
    const one = (text: string): Promise<string> => mistake(`game = "gunduel"\n[[entrants]]\n${text}\n`)
    expect(await one('name = "x"\ncommand = "y"\nwith = { p = 1 }')).toBe(
      '/c.toml:5: with has parameters of a module: leave it out, and put them into the command',
    )
    expect(await one('house = "Dice"\nwith = { p = 1 }')).toBe(
      '/c.toml:4: "Dice" is a program, and with has parameters of a module: leave it out',
    )
    expect(await one('name = "x"\nmodule = "bee.ts"\nwith = { p = [1] }')).toContain(
      'must be a number, a text, true or false',
    )
  })

  test('options', async () => {
    expect(await samurai('[options]\nturn = 5')).toMatchInlineSnapshot(
      `"/c.toml:3: unknown option "turn" (did you mean "turns"?); samurai has turns, health, honour, sword"`,
    )
    expect(await samurai('[options]\nturns = "5"')).toMatchInlineSnapshot(
      `"/c.toml:3: option turns = "5" must be a whole number, such as 500"`,
    )
    expect(await samurai('[options]\nturns = 5.5')).toMatchInlineSnapshot(
      `"/c.toml:3: option turns = 5.5 must be a whole number, such as 500"`,
    )
    expect(await samurai('[options]\nturns = { x = 1 }')).toMatchInlineSnapshot(
      `"/c.toml:3: turns = {"x":1} in [options] must be a number, a text, true or false, or an array of them"`,
    )
    expect(await samurai('[options]\nturns = -1')).toMatchInlineSnapshot(
      `"/c.toml:2: samurai cannot be played so: turns must be a whole number from 1 to 100000, not -1"`,
    )
  })

  test('entrants', async () => {
    const one = (text: string): Promise<string> => mistake(`game = "samurai"\n[[entrants]]\n${text}\n`)
    expect(await mistake('game = "samurai"')).toMatchInlineSnapshot(
      `"/c.toml:1: there are no entrants: give a table [[entrants]] for each, or a pattern such as "entries/*/bot.toml""`,
    )
    expect(await mistake('game = "samurai"\nentrants = "nowhere/*.toml"')).toMatchInlineSnapshot(
      `"/c.toml:2: no file matches "nowhere/*.toml" here: give a table [[entrants]] for each, or a pattern such as "entries/*/bot.toml""`,
    )
    expect(await one('name = "x"\ncommand = "y"')).toMatchInlineSnapshot(
      `"/c.toml:1: a tournament needs at least 2 entrants, and there is x"`,
    )
    expect(await one('command = "y"')).toMatchInlineSnapshot(`"/c.toml:2: an entrant has no name: add name = "…""`)
    expect(await one('name = "x"')).toMatchInlineSnapshot(
      `"/c.toml:2: "x" has none of command, module, class and house: give exactly one of them"`,
    )
    expect(await one('name = "x"\ncommand = "y"\nmodule = "z"')).toMatchInlineSnapshot(
      `"/c.toml:5: "x" has command and module: give exactly one of them"`,
    )
    expect(await one('name = "x"\ncommand = "sh \'y"')).toMatchInlineSnapshot(
      `"/c.toml:4: command: the quote ' is never closed in "sh 'y""`,
    )
    expect(await one('name = "x"\ncommand = " "')).toMatchInlineSnapshot(`"/c.toml:4: command = " " has no words"`)
    expect(await one('name = "x"\nmodule = "z.ts"\nbuild = "make"')).toMatchInlineSnapshot(
      `"/c.toml:5: a module is loaded as it is: leave build out"`,
    )
    expect(await one('name = ""\ncommand = "y"')).toMatchInlineSnapshot(
      `"/c.toml:3: the name "" is empty: choose another"`,
    )
    expect(await one('name = "a/b"\ncommand = "y"')).toMatchInlineSnapshot(
      `"/c.toml:3: the name "a/b" has a slash: choose another"`,
    )
    expect(await one('name = "a\\tb"\ncommand = "y"')).toMatchInlineSnapshot(
      `"/c.toml:3: the name "a\\tb" has a control character: choose another"`,
    )
    expect(await one(`name = "${'x'.repeat(65)}"\ncommand = "y"`)).toMatchInlineSnapshot(
      `"/c.toml:3: the name "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx… is longer than 64 characters: choose another"`,
    )
    expect(await one('name = ".."\ncommand = "y"')).toMatchInlineSnapshot(
      `"/c.toml:3: the name ".." is a folder: choose another"`,
    )
    expect(await one('name = " x"\ncommand = "y"')).toMatchInlineSnapshot(
      `"/c.toml:3: the name " x" begins or ends with a blank: choose another"`,
    )
    expect(await mistake(`game = "samurai"${TWO}\n[[entrants]]\nname = "Ant"\ncommand = "y"`)).toMatchInlineSnapshot(
      `"/c.toml:11: two entrants are called "Ant", the other at /c.toml:3: give each its own name"`,
    )
    expect(await one('name = "\\u200B"\ncommand = "y"')).toMatch(/^\/c\.toml:3: the name .* is empty: choose another$/)
    for (const alike of ['A\\u200Bnt', '\\uFF21nt', 'Ant\\u2060'])
      expect(await mistake(`game = "samurai"${TWO}\n[[entrants]]\nname = "${alike}"\ncommand = "y"`)).toMatch(
        /^\/c\.toml:11: .* looks like the name of another entrant, at \/c\.toml:3: give each its own name$/,
      )
  })

  test('house bots', async () => {
    write('own/game.ts', GAME)
    write('own/bots/house.toml', HOUSE)
    const one = (text: string): Promise<string> =>
      mistake(`game = "./own/game.ts"\n[[entrants]]\n${text}\n[[entrants]]\nhouse = "Heron"\n`)
    expect(await one('house = "Finhc"')).toMatchInlineSnapshot(
      `"/c.toml:3: unknown house bot "Finhc" (did you mean "Finch"?); own has Finch, Heron"`,
    )
    expect(await one('house = "Finch"\nwire = "jsonl"')).toMatchInlineSnapshot(
      `"/c.toml:4: "Finch" is a house bot, which brings its own wire: leave wire out"`,
    )
    expect(await one('house = "Heron"')).toMatchInlineSnapshot(
      `"/own/bots/house.toml:7: two entrants are called "Heron", the other at /own/bots/house.toml:7: give each its own name"`,
    )
    write('own/bots/house.toml', `${HOUSE}memry = "turn"\n`)
    expect(await one('house = "Finch"')).toMatchInlineSnapshot(
      `"/own/bots/house.toml:10: unknown key "memry" in [[entrants]] (did you mean "memory"?); known: name, command, module, with, class, wire, language, build, folder, memory, author, country, synopsis, deterministic, warm, labels"`,
    )
    write('own/bots/house.toml', HOUSE)
  })

  test('in a build of more commands than may be', async () => {
    const build = (n: number): string =>
      `game = "samurai"\n[[entrants]]\nname = "B"\ncommand = "./b"\nbuild = [${'["true"], '.repeat(n)}]\n[[entrants]]\nname = "A"\ncommand = "true"`
    expect(await mistake(build(17))).toMatch(
      /c\.toml:5: "B" is built with 17 commands, and 16 is the most: put them into a script$/,
    )
    await expect(contestOf(build(16), 'c.toml')).resolves.toBeDefined()
  })

  test('in an entry file of its own', async () => {
    write('bad/a/bot.toml', 'name = "A"\n\nkommand = "x"\n')
    expect(await mistake('game = "samurai"\nentrants = "bad/*/bot.toml"')).toMatchInlineSnapshot(
      `"/bad/a/bot.toml:3: unknown key "kommand" (did you mean "command"?); known: name, command, module, class, wire, language, build, folder, memory, author, country, synopsis, deterministic, warm, labels"`,
    )
  })

  test('formats that do not fit', async () => {
    expect(await mistake(`game = "negotiate"\n[format]\nkind = "groups"\nsize = 5\n${TWO}`)).toMatchInlineSnapshot(
      `"/c.toml:2: a group of 5: the game seats exactly 4"`,
    )
    expect(await samurai('[format]\nsize = 3')).toMatchInlineSnapshot(
      `"/c.toml:2: "size" is for groups, heats and ladder, not for round-robin: leave it out"`,
    )
  })

  test('a contest file that is not there', async () => {
    await expect(loadContest(at('none.toml'))).rejects.toThrow(/none\.toml: there is no such file; name a contest file/)
  })
})

describe('what counts', () => {
  const scoring = async (lines: string) =>
    (await contestOf(`game = "samurai"\n[scoring]\n${lines}\n${TWO}`, at('contest.toml'))).contest.scoring

  test('is wins, or the scores of the game: a mean a match, unless it says otherwise', async () => {
    expect(await scoring('')).not.toHaveProperty('by')
    expect(await scoring('by = "wins"')).not.toHaveProperty('by')
    expect(await scoring('by = "score"')).toMatchObject({ by: 'score' })
    expect(await scoring('by = "score"\nper = "match"\nof = "mean"')).toMatchObject({ of: undefined })
    expect(await scoring('by = "score"\nper = "turn"\nof = "total"')).toMatchObject({ per: 'turn', of: 'total' })
  })

  test('or points by place, which are added up and stand for all else', async () => {
    expect(await scoring('points = [10, 6, 4]')).toMatchObject({ by: 'score', of: 'total', points: [10, 6, 4] })
    expect(await scoring('points = [3, 0]\nof = "mean"')).toMatchObject({ of: undefined })
    await expect(scoring('points = [3, 0]\nwin = 3')).rejects.toThrow(
      ':4: points are what places are worth: leave win or',
    )
    await expect(scoring('points = [3]')).rejects.toThrow('numbers by place')
  })

  test('is refused where it has no effect', async () => {
    await expect(scoring('per = "turn"')).rejects.toThrow(':3: per means nothing if wins count')
    await expect(scoring('by = "wins"\nof = "total"')).rejects.toThrow('of means nothing if wins count')
    await expect(scoring('by = "score"\nwin = 3')).rejects.toThrow('win means nothing if scores count')
    await expect(scoring('by = "scores"')).rejects.toThrow('known: wins, score')
  })
})
