import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { checkBot } from './check.js'
import { gameNamed } from '../look/games.js'
import type { StepReport } from './trial.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-check-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const fileOf = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}
const bow = fileOf('bow.mjs', `export default () => 'B'\n`)
const wild = fileOf('wild.mjs', `export default () => {\n  console.error('no idea')\n  return 'huh'\n}\n`)
const none = fileOf('none.mjs', `export const nothing = 1\n`)
const never = fileOf('never.mjs', `export default () => new Promise(() => undefined)\n`)

const context = { workspace: join(folder, 'workspace'), notice: () => undefined }
const TERMS = { noIsolation: true }

it('tells each step as it is done, and all of them in the end', async () => {
  const reports: StepReport[] = []
  const { ok, steps, warnings, covered, faults } = await checkBot(
    { definition: await gameNamed('samurai'), word: bow, terms: TERMS, context },
    (step) => reports.push(step),
  )
  expect([ok, warnings, faults, steps]).toEqual([true, [], [], reports])
  // Against itself nothing ever happens: the match lasts as long as a trial's may.
  expect(covered.turns).toBe(200)
  expect(covered.ends).toEqual(expect.arrayContaining(['turn limit', 'struck down by the gods']))
  expect(steps.map(({ name }) => name)).toEqual([
    'it is found and built: bow.mjs',
    'it starts',
    'question 1',
    'question 2',
    'question 3',
    expect.stringMatching(/^\d+ matches against random opponents, itself and Abacus: \d+ questions, 0 faults$/),
  ])
})

it('gives up after three faults, tells what was said, and what it wrote to its standard error', async () => {
  const { ok, steps } = await checkBot({ definition: await gameNamed('samurai'), word: wild, terms: TERMS, context })
  expect(ok).toBe(false)
  expect(steps.find(({ name }) => name === 'question 1')).toMatchObject({
    ok: false,
    lines: expect.arrayContaining([expect.stringMatching(/^wild\.mjs: illegal: .*\(answered "huh"\)$/)]) as string[],
  })
  expect(steps.at(-1)?.lines).toEqual(
    expect.arrayContaining([
      'the trial was ended after 3 faults',
      'what it wrote to its standard error in match 1:',
      ...Array<string>(3).fill('  no idea'),
    ]),
  )
})

it('does not seat what cannot be loaded', async () => {
  const { ok, steps } = await checkBot({ definition: await gameNamed('samurai'), word: none, terms: TERMS, context })
  expect([ok, steps.at(-1)]).toMatchObject([
    false,
    {
      ok: false,
      lines: [expect.stringContaining('default export'), expect.stringContaining('exports no function by default')],
    },
  ])
})

it('finds a mistake that comes late, in every kind of match, and tells the turn, the cause and the whole traceback', async () => {
  const deep = fileOf(
    'deep.pl',
    `use Carp; $| = 1; sub f { my $n = shift; $n ? f($n - 1) : confess 'wombat' }
     while (<STDIN>) { $turn = 0 if /^I/; next unless /^F/; f(40) if ++$turn == 77; print $turn == 1 ? "0\\n" : "-\\n" }`,
  )
  const { ok, faults, steps } = await checkBot({
    definition: await gameNamed('gunduel'),
    word: deep,
    terms: TERMS,
    context,
  })
  expect(ok).toBe(false)
  expect(faults[0]).toMatchObject({ turn: 76, fault: 'crash', against: 'itself' })
  const lines = steps.at(-1)?.lines ?? []
  expect(lines.filter((line) => line.includes('main::f('))).toHaveLength(41)
  expect(lines.join('\n')).toMatch(/\(against itself\), turn 77: deep\.pl: crash/)
})

it('names a package that is missing, and shows once what a program that is started for each question says each time', async () => {
  const missing = fileOf('missing.pl', 'use Wombat;\nprint "B\\n";\n')
  const { faults, steps } = await checkBot({
    definition: await gameNamed('samurai'),
    word: missing,
    terms: TERMS,
    context,
  })
  expect(faults.map(({ fault }) => fault)).toEqual(['silent', 'silent', 'silent'])
  expect(faults[0]?.causes[0]).toMatch(/^it does not find Wombat\.pm: /)
  const lines = steps.at(-1)?.lines ?? []
  expect(lines.filter((line) => line.includes("Can't locate Wombat.pm"))).toHaveLength(1)
  expect(lines.at(-1)).toBe('  (this 3 times over)')
})

it('tells how late a late answer is, and asks a process a question no further than it must', async () => {
  const late = fileOf('late.sh', 'sleep 0.4\necho B\n')
  const { faults } = await checkBot({
    definition: await gameNamed('samurai'),
    word: late,
    terms: { ...TERMS, limits: { turn: 200 } },
    context,
  })
  const [, ms] = /^took ([\d,]+) ms of 200$/.exec(faults[0]?.why ?? '') ?? []
  expect(Number(ms)).toBeGreaterThanOrEqual(400)
  expect(faults[0]?.causes).toEqual([expect.stringMatching(/^it answers, but too late/)])
})

it('tests that a bot that is declared deterministic answers the same again', async () => {
  const declared = (name: string, code: string): string => {
    mkdirSync(join(folder, name))
    fileOf(join(name, 'bot.toml'), `name = "${name}"\nmodule = "bot.mjs"\ndeterministic = true\n`)
    fileOf(join(name, 'bot.mjs'), code)
    return join(folder, name)
  }
  const step = async (bot: string) =>
    (await checkBot({ definition: await gameNamed('samurai'), word: bot, terms: TERMS, context })).steps.at(-1)
  const name = 'it answers the same when it is sent the same, as it declares'
  expect(await step(declared('fixed', `export default () => 'B'\n`))).toEqual({ name, ok: true, lines: [] })
  expect(await step(declared('drawing', `export default (_, chance) => 'BW'[chance.below(2)]\n`))).toEqual({
    name,
    ok: false,
    lines: [expect.stringMatching(/^turn \d+ of match 1: it answered [BW], and now [BW]$/)],
  })
})

const PYTHON = `import json, sys
for line in sys.stdin:
    if json.loads(line)['type'] == 'ask':
`
const jsonl = { ...TERMS, wires: ['jsonl'] }

it('says that a banner belongs on standard error, with a file beside it that is no text', async () => {
  mkdirSync(join(folder, 'banner'))
  fileOf('banner/bot.toml', 'name = "Banner"\nfolder = "."\ncommand = ["python3", "bot.py"]\nwire = "jsonl"\n')
  fileOf('banner/weights.npy', '\u0093NUMPY\u0001\0v\0{}\n\0\0\0\0')
  fileOf('banner/bot.py', `print('here I am', flush=True)\n${PYTHON}        print('{"action":"B"}', flush=True)\n`)
  const { faults } = await checkBot({
    definition: await gameNamed('samurai'),
    word: join(folder, 'banner'),
    terms: TERMS,
    context,
  })
  expect(faults[0]?.causes).toEqual([expect.stringMatching(/^standard output is for answers alone.*standard error/)])
})

it('warns of a second line for a question, which is no fault', async () => {
  const twice = fileOf('twice.py', `${PYTHON}        print('{"action":"B"}\\n{"action":"W"}', flush=True)\n`)
  const { ok, steps } = await checkBot({
    definition: await gameNamed('samurai'),
    word: `python3 ${twice}`,
    terms: jsonl,
    context,
  })
  expect(ok).toBe(true)
  expect(steps.at(-1)?.lines).toContainEqual(expect.stringMatching(/^note: it printed [\d,]+ lines that answered no/))
})

it.each([
  ['gunduel', `(view, chance, legal) => legal[0]`, 12],
  // It shoots as soon as it can.
  ['gunduel', `(view) => view.ammo < 2 ? '0' : '2'`, 12],
  ['samurai', `(view, chance, legal) => legal[0]`, 12],
  ['stronger', `(view, chance, legal) => legal[0]`, 12],
  ['coup', `(view, chance, legal) => legal[0]`, 12],
  // It has no more turns.
  ['negotiate', `(view, chance, legal) => legal[0]`, 9],
])('sees a bot of %s beyond its first turns: %s', async (game, bot, turns) => {
  const { covered, ok } = await checkBot({
    definition: await gameNamed(game),
    word: fileOf(`${game}.mjs`, `export default ${bot}\n`),
    terms: TERMS,
    context,
  })
  expect(ok).toBe(true)
  expect(covered.turns).toBeGreaterThanOrEqual(turns)
})

it('is a mistake to check what is not there', async () => {
  const asked = checkBot({
    definition: await gameNamed('samurai'),
    word: join(folder, 'nobody.mjs'),
    terms: TERMS,
    context,
  })
  await expect(asked).rejects.toThrow(UserError)
})

it('ends when the signal is aborted', async () => {
  const controller = new AbortController()
  const notes: string[] = []
  const asked = checkBot(
    {
      definition: await gameNamed('samurai'),
      word: never,
      terms: { ...TERMS, limits: { turn: 100 } },
      context: { ...context, signal: controller.signal },
    },
    ({ name }) => {
      notes.push(name)
      if (name === 'it starts') controller.abort(new Error('given up'))
    },
  )
  await expect(asked).rejects.toThrow('given up')
  expect(notes).toEqual(['it is found and built: never.mjs', 'it starts'])
})
