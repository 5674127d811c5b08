import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyWire, Memory } from '../core/index.js'
import { StderrTail } from '../cells/index.js'
import { LinesBot } from './lines.js'
import { TurnBot } from './turn.js'

const place = mkdtempSync(join(tmpdir(), 'agon-lines-'))
const source = join(place, 'source')
beforeAll(() => mkdirSync(source))
afterAll(() => rmSync(place, { recursive: true, force: true }))

let made = 0
/** A bot of a Perl text, with what it is noted for and what it says on its standard error. */
function life(text: string, memory: Memory = 'match', wire: Partial<AnyWire> = {}) {
  const file = join(source, `${made++}.pl`)
  writeFileSync(file, text)
  const notes: string[] = []
  const stderr = new StderrTail()
  const of = {
    name: 'Bot',
    wire: { transport: 'lines', summary: '', ask: () => ({}), read: () => '', ...wire } as AnyWire,
    memory,
    key: 'life',
    seed: (lived: string, question?: number) => lived.length + 100 * (question ?? 0),
    output: 65_536,
    told: 5000,
    stderr,
    note: (what: string) => void notes.push(what),
  }
  return { of, program: { argv: ['perl', file], source, room: join(place, `room${made}`) }, notes, stderr }
}
const lines = (text: string, memory?: Memory): LinesBot & { stderr: StderrTail } => {
  const { of, program, stderr } = life(text, memory)
  return Object.assign(new LinesBot(of, program), { stderr })
}
const question = (line: string, limit = 20_000) => ({ say: { lines: [line] }, view: undefined, number: 0, limit })
const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
/** Keeps this whole process from reading anything. */
function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

const TWICE = '$| = 1; while (<STDIN>) { print "answer $_"; select undef, undef, undef, 0.03; print "stale $_" }'

test('a line that lies in the pipe when a question is asked is no answer to it, also where nobody could read it yet', async () => {
  const bot = lines(TWICE)
  await bot.begin('m')
  expect((await bot.ask(question('1'))).heard).toEqual({ out: 'answer 1' })
  block(150)
  expect((await bot.ask(question('2'))).heard).toEqual({ out: 'answer 2' })
  await sleep(150)
  expect((await bot.ask(question('3'))).heard).toEqual({ out: 'answer 3' })
  await bot.close()
})

test('an answer that came in time counts, though this process was kept from reading it', async () => {
  const bot = lines('$| = 1; while (<STDIN>) { print "here\\n" }')
  await bot.begin('m')
  await bot.ask(question('warm'))
  const asked = bot.ask(question('1', 100))
  await sleep(10)
  block(400)
  expect((await asked).heard).toEqual({ out: 'here' })
  await bot.close()
})

test('a deadline is kept to some milliseconds, and a late process is not met again in its match', async () => {
  const bot = lines('$| = 1; while (<STDIN>) { sleep 1 if /slow/; print "here\\n" }', 'series')
  await bot.begin('1')
  await bot.ask(question('warm'))
  const late = await bot.ask(question('slow', 80))
  expect(late.heard).toEqual({ trouble: 'timeout', why: 'no whole line within 80 ms' })
  expect(late.wallUs).toBeGreaterThanOrEqual(80_000)
  expect(late.wallUs).toBeLessThan(400_000)
  expect((await bot.ask(question('2'))).heard).toMatchObject({ trouble: 'killed' })
  await bot.begin('2')
  expect((await bot.ask(question('3'))).heard).toEqual({ out: 'here' })
  await bot.close()
})

test('a question that is given up is told so at once', async () => {
  const bot = lines('sleep 60')
  await bot.begin('m')
  const asked = bot.ask(question('1'))
  await sleep(30)
  await bot.close()
  expect((await asked).heard).toEqual({ trouble: 'killed', why: 'the match was given up' })
})

test('what is said after the last answer is still read, and the program may end by itself', async () => {
  const bot = lines('$| = 1; while (<STDIN>) { print STDERR $_; print "x\\n" if /ask/ } print STDERR "bye\\n"')
  await bot.begin('m')
  await bot.ask(question('ask'))
  bot.tell({ lines: ['over'] })
  await bot.end()
  expect(bot.stderr.read()).toBe('ask\nover\nbye\n')
})

test('more is written than a pipe holds, to a program that takes its time, and all arrives in order', async () => {
  const bot = lines(
    '$| = 1; select undef, undef, undef, 0.1; my $n = 0; while (<STDIN>) { $n += length; print "$n\\n" if /end/ }',
  )
  await bot.begin('m')
  for (let i = 0; i < 50; i++) bot.tell({ lines: [String(i).repeat(10_000)] })
  const sum = Array.from({ length: 50 }, (_, i) => String(i).length * 10_000 + 1).reduce((a, b) => a + b, 0)
  expect((await bot.ask(question('end'))).heard).toEqual({ out: String(sum + 4) })
  await bot.close()
})

test('its environment is its own: a seed for each life, its folder as home, and nothing else of the host', async () => {
  process.env['AGON_TEST_SECRET'] = 'x'
  const bot = lines(
    '$| = 1; while (<STDIN>) { print join(" ", map { "$_=$ENV{$_}" } grep { !/^(PATH|PWD|SHLVL|_)$/ } sort keys %ENV), "\\n" }',
  )
  const heard = async (key: string): Promise<string | undefined> => {
    await bot.begin(key)
    return (await bot.ask(question('?'))).heard.out
  }
  expect(await heard('m')).toMatch(/^AGON_SEED=1 HOME=\S+room\d+ LANG=C\.UTF-8$/)
  expect(await heard('mm')).toMatch(/^AGON_SEED=2 /)
  await bot.close()
})

/** A process a question with a game file and a state folder. */
const turn = (text: string, memory: Memory = 'tournament') => {
  const { of, program, notes } = life(text, memory, {
    transport: 'turn',
    file: 'game.txt',
    state: { folder: 'state', bytes: 100 },
  })
  return { bot: new TurnBot(of, program), notes, program }
}
const call = (file: string) => ({ say: { file, argv: ['x'] }, view: undefined, number: 0, limit: 20_000 })

test.each([
  ['a folder', 'unlink $ARGV[0]; mkdir $ARGV[0]', {}],
  ['a pipe', 'unlink $ARGV[0]; system "mkfifo", $ARGV[0]', {}],
  ['a link', 'unlink $ARGV[0]; symlink "/etc/passwd", $ARGV[0]', {}],
  ['a link to another name of it', 'link $ARGV[0], "state/other"', { file: 'begin' }],
  ['gone', 'unlink $ARGV[0]', {}],
])(
  'a game file that a bot made into %s is not followed, not waited for, and there again at the next call',
  async (_, vice, heard) => {
    const { bot } = turn(
      `if (-e 'state/done') { open my $f, '>>', $ARGV[0]; print $f '!' } else { open my $f, '>', 'state/done'; close $f; ${vice} }`,
    )
    await bot.begin('m')
    expect((await bot.ask(call('begin'))).heard).toEqual({ out: '', ...heard })
    expect((await bot.ask(call('again'))).heard).toEqual({ out: '', file: 'again!' })
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
  expect(bot.snapshot()?.['state/good']).toBe(Buffer.from('kept').toString('base64'))
  expect(readdirSync(outside)).toEqual(['host'])
  await bot.close()
})

test('each call has a seed of its own, and what a bot left is there after it was begun anew', async () => {
  const text = `open my $f, '>>', 'state/seeds'; print $f "$ENV{AGON_SEED} "; close $f; open $f, '<', 'state/seeds'; print <$f>`
  const { bot } = turn(text)
  await bot.begin('m')
  await bot.ask(call(''))
  expect((await bot.ask(call(''))).heard.out).toBe('1 101 ')
  const snapshot = bot.snapshot() ?? {}
  await bot.close()
  const { bot: heir } = turn(text)
  heir.restore(snapshot)
  await heir.begin('mm')
  expect((await heir.ask(call(''))).heard.out).toBe('1 101 2 ')
  await heir.close()
})
