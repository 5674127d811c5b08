import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyWire, Memory } from '../src/core/index.js'
import { BotFactory } from '../src/engine/index.js'
import type { SeatedBot } from '../src/bots/index.js'

const place = mkdtempSync(join(tmpdir(), 'agon-lines-'))
const source = join(place, 'source')
beforeAll(() => mkdirSync(source))
afterAll(() => rmSync(place, { recursive: true, force: true }))

let made = 0
/** A bot of a Perl text, with what the host receives of it and what it writes to its standard error. */
function life(text: string, memory: Memory = 'match', wire: Partial<AnyWire> = {}) {
  const file = join(source, `${made++}.pl`)
  writeFileSync(file, text)
  const notes: string[] = []
  const whole: AnyWire = { transport: 'lines', summary: '', ask: () => ({}), read: () => '', ...wire }
  const rooms = join(place, `rooms${made}`)
  const factory = new BotFactory({
    seed: 's',
    wires: { whole },
    rooms,
    limits: {},
    note: (what) => void notes.push(what),
  })
  const run = { kind: 'process', argv: ['perl', file], source } as const
  return {
    bot: factory.bot({ name: 'Bot', wire: 'whole', memory, run }, 'life'),
    notes,
    printed: () => factory.stderr('Bot'),
  }
}
const lines = (text: string, memory?: Memory): SeatedBot => life(text, memory).bot
const question = (line: string, limit = 20_000) => ({ input: { lines: [line] }, view: undefined, number: 0, limit })
const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
/** Keeps this whole process from reading anything. */
function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const TWICE = '$| = 1; while (<STDIN>) { print "answer $_"; select undef, undef, undef, 0.03; print "stale $_" }'

test('a line that lies in the pipe when a question is asked is no answer to it, also where it could not be read yet', async () => {
  const bot = lines(TWICE)
  await bot.begin('m')
  expect((await bot.ask(question('1'))).output).toEqual({ out: 'answer 1' })
  block(150)
  expect((await bot.ask(question('2'))).output).toEqual({ out: 'answer 2' })
  await sleep(150)
  expect((await bot.ask(question('3'))).output).toEqual({ out: 'answer 3' })
  await bot.close()
})

test('an answer that came in time counts, though this process was kept from reading it', async () => {
  const bot = lines('$| = 1; while (<STDIN>) { print "here\\n" }')
  await bot.begin('m')
  await bot.ask(question('warm'))
  const asked = bot.ask(question('1', 100))
  await sleep(10)
  block(400)
  expect((await asked).output).toEqual({ out: 'here' })
  await bot.close()
})

test('a deadline is kept, and a late process is not met again in its match', async () => {
  const bot = lines('$| = 1; while (<STDIN>) { sleep 1 if /slow/; print "here\\n" }', 'series')
  await bot.begin('1')
  await bot.ask(question('warm'))
  const late = await bot.ask(question('slow', 80))
  expect(late.output).toEqual({ trouble: 'timeout', why: 'no whole line within 80 ms' })
  expect(late.wallUs).toBeGreaterThanOrEqual(80_000)
  expect((await bot.ask(question('2'))).output).toMatchObject({ trouble: 'killed' })
  await bot.begin('2')
  expect((await bot.ask(question('3'))).output).toEqual({ out: 'here' })
  await bot.close()
})

test('a question that is given up ends at once', async () => {
  const bot = lines('sleep 60')
  await bot.begin('m')
  const asked = bot.ask(question('1'))
  await sleep(30)
  await bot.close()
  expect((await asked).output).toEqual({ trouble: 'killed', why: 'the match was given up' })
})

test('what is said after the last answer is still read, and the program may end by itself', async () => {
  const { bot, printed } = life(
    '$| = 1; while (<STDIN>) { print STDERR $_; print "x\\n" if /ask/ } print STDERR "bye\\n"',
  )
  await bot.begin('m')
  await bot.ask(question('ask'))
  await bot.send({ lines: ['over'] })
  await bot.end()
  expect(printed()).toBe('ask\nover\nbye\n')
})

test('more is written than a pipe holds, to a program that takes its time, and all arrives in order', async () => {
  const bot = lines(
    '$| = 1; select undef, undef, undef, 0.1; my $n = 0; while (<STDIN>) { $n += length; print "$n\\n" if /end/ }',
  )
  await bot.begin('m')
  for (let i = 0; i < 50; i++) await bot.send({ lines: [String(i).repeat(10_000)] })
  const sum = Array.from({ length: 50 }, (_, i) => String(i).length * 10_000 + 1).reduce((a, b) => a + b, 0)
  expect((await bot.ask(question('end'))).output).toEqual({ out: String(sum + 4) })
  await bot.close()
})

test('one that answers over and over without being asked is a flood in the end', async () => {
  const bot = lines('$| = 1; <STDIN>; syswrite STDOUT, "0\\n" x 50_000 while 1')
  await bot.begin('m')
  const output: unknown[] = []
  for (let i = 0; i < 20; i++) output.push((await bot.ask(question('?'))).output.trouble)
  expect(output[0]).toBeUndefined()
  expect(output).toContain('flood')
  expect(output.at(-1)).toBe('killed')
  await bot.close()
})

test('its environment is its own: a seed for each life, its folder as home, and nothing else of the host', async () => {
  process.env['AGON_TEST_SECRET'] = 'x'
  const bot = lines(
    '$| = 1; while (<STDIN>) { print join(" ", map { "$_=$ENV{$_}" } grep { !/^(PATH|PWD|SHLVL|_)$/ } sort keys %ENV), "\\n" }',
  )
  const output = async (key: string): Promise<string | undefined> => {
    await bot.begin(key)
    return (await bot.ask(question('?'))).output.out
  }
  const first = await output('m')
  expect(first).toMatch(/^AGON_SEED=\d+ HOME=\S+rooms\d+\/0 LANG=C\.UTF-8$/)
  expect(await output('mm')).not.toBe(first)
  expect(await output('m')).toBe(first)
  await bot.close()
})

/** A process a question with a game file and a state folder. */
const turn = (text: string, memory: Memory = 'tournament') =>
  life(text, memory, { transport: 'turn', file: 'game.txt', state: { folder: 'state', bytes: 100 } })
const call = (file: string) => ({ input: { file, argv: ['x'] }, view: undefined, number: 0, limit: 20_000 })

test.each([
  ['a folder', 'unlink $ARGV[0]; mkdir $ARGV[0]', {}],
  ['a pipe', 'unlink $ARGV[0]; system "mkfifo", $ARGV[0]', {}],
  ['a link', 'unlink $ARGV[0]; symlink "/etc/passwd", $ARGV[0]', {}],
  ['a link to another name of it', 'link $ARGV[0], "state/other"', { file: 'begin' }],
  ['gone', 'unlink $ARGV[0]', {}],
])(
  'a game file that a bot made into %s is not followed, not waited for, and there again at the next call',
  async (_, vice, output) => {
    const { bot } = turn(
      `if (-e 'state/done') { open my $f, '>>', $ARGV[0]; print $f '!' } else { open my $f, '>', 'state/done'; close $f; ${vice} }`,
    )
    await bot.begin('m')
    expect((await bot.ask(call('begin'))).output).toEqual({ out: '', ...output })
    expect((await bot.ask(call('again'))).output).toEqual({ out: '', file: 'again!' })
    await bot.close()
  },
)

test('a state folder that became a link, too large, or closed to all, is what it was before', async () => {
  const outside = join(place, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'host'), 'the host has it')
  const vices = [
    `system "rm -r state"; symlink "${outside}", "state"`,
    'open my $f, ">", "state/much"; print $f "x" x 200',
    'system "rm -r state"; open my $f, ">", "state"',
  ]
  const { bot, notes } = turn(
    `if (!-e 'state/good') { open my $f, '>', 'state/good'; print $f 'kept' } else { my $n = -s 'calls'; open my $c, '>>', 'calls'; print $c 'x'; close $c; ${vices.map((vice, i) => `if (!$n${i === 0 ? '' : ` ? 0 : $n == ${i}`}) { ${vice} }`).join(' ')} }`,
  )
  await bot.begin('m')
  for (let i = 0; i < 4; i++) await bot.ask(call(''))
  expect(notes).toEqual([
    'Bot: state/ was no folder any more: rolled back (match m, call 2)',
    'Bot: state/ held 204 bytes, more than the 100 it may have: rolled back (match m, call 3)',
    'Bot: state/ was no folder any more: rolled back (match m, call 4)',
  ])
  expect((await bot.snapshot?.())?.['state/good']).toBe(Buffer.from('kept').toString('base64'))
  expect(readdirSync(outside)).toEqual(['host'])
  await bot.close()
})

test('each call has a seed of its own, and what a bot left is there after it was begun anew', async () => {
  const text = `open my $f, '>>', 'state/seeds'; print $f "$ENV{AGON_SEED} "; close $f; open $f, '<', 'state/seeds'; print <$f>`
  const { bot } = turn(text)
  await bot.begin('m')
  await bot.ask(call(''))
  const two = (await bot.ask(call(''))).output.out ?? ''
  expect(new Set(two.trim().split(' ')).size).toBe(2)
  const snapshot = (await bot.snapshot?.()) ?? {}
  await bot.close()
  const { bot: heir } = turn(text)
  await heir.restore?.(snapshot)
  await heir.begin('mm')
  const three = (await heir.ask(call(''))).output.out ?? ''
  expect(three.startsWith(two)).toBe(true)
  expect(new Set(three.trim().split(' ')).size).toBe(3)
  await heir.close()
})
