import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import type { MatchRecord } from '../src/core/index.js'
import { findIsolation } from '../src/sandbox/index.js'
import { Place } from './cli/agon.js'

/*
 * Other programs keep the machine busy. Honest bots need 30 % of their limit by their own clock and lose no turn; a bot that needs
 * 130 % is late all the same. Each bot computes until its own processor time says so, so that a slower machine changes nothing.
 */

/** Only `npm run test:load` keeps the machine as busy as this takes: nothing else may be tested beside it. */
const LOADED = process.env['AGON_LOAD'] === 'yes'
const TURNS = 15

/** Milliseconds. The hard stop comes at 1,600: a bot beside twelve others on its core has run for 120 by then, beside three for 400. */
const LIMIT = 200
const HONEST = 0.3 * LIMIT
const SLOW = 1.3 * LIMIT

const PERL =
  'use Time::HiRes "clock_gettime", "CLOCK_PROCESS_CPUTIME_ID"; sub cpu { clock_gettime(CLOCK_PROCESS_CPUTIME_ID) }'
const perlTurn = (ms: number) => `${PERL} 1 while cpu() < ${ms / 1000}; print 'Bow'`
const perlStays = (ms: number) =>
  `${PERL} $| = 1; while (<STDIN>) { next unless /^F/; my $end = cpu() + ${ms / 1000}; 1 while cpu() < $end; print "0\\n" }`
const python = (ms: number) => `import time\nwhile time.process_time() < ${ms / 1000}: pass\nprint('Bow')\n`

const bot = (name: string, ...command: readonly string[]) =>
  `[[entrants]]\nname = "${name}"\ncommand = ${JSON.stringify(command)}\n`
const contest = (game: string, ...bots: readonly string[]) => `title = "Load"
game = "${game}"
seed = "load"
[options]
turns = ${TURNS}
[limits]
turn = ${LIMIT}
[format]
kind = "round-robin"
repetitions = 1
${bots.join('')}`

const SLOW_BOT = { turn: 'slow-turn.pl', warm: 'slow-turn.py', stays: 'slow-stays.pl' } as const
type Kind = keyof typeof SLOW_BOT
const lines = (text: string) => `${text}wire = "lines"\n`
const place = new Place({
  'turn.pl': perlTurn(HONEST),
  'slow-turn.pl': perlTurn(SLOW),
  'turn.py': python(HONEST),
  'slow-turn.py': python(SLOW),
  'stays.pl': perlStays(HONEST),
  'slow-stays.pl': perlStays(SLOW),
  'turn.toml': contest('samurai', bot('Ant', 'perl', 'turn.pl'), bot('Bee', 'perl', 'turn.pl')),
  'warm.toml': contest('samurai', bot('Ant', 'python3', 'turn.py'), bot('Bee', 'python3', 'turn.py')),
  'stays.toml': contest('gunduel', lines(bot('Ant', 'perl', 'stays.pl')), lines(bot('Bee', 'perl', 'stays.pl'))),
  'slow-turn.toml': contest('samurai', bot('Ant', 'perl', 'turn.pl'), bot('Slow', 'perl', SLOW_BOT.turn)),
  'slow-warm.toml': contest('samurai', bot('Ant', 'python3', 'turn.py'), bot('Slow', 'python3', SLOW_BOT.warm)),
  'slow-stays.toml': contest(
    'gunduel',
    lines(bot('Ant', 'perl', 'stays.pl')),
    lines(bot('Slow', 'perl', SLOW_BOT.stays)),
  ),
})

const load: ReturnType<typeof spawn>[] = []
/** So many a core, each in a session of its own: schedulers share cores out among sessions first. */
function busy(many: number): void {
  for (let n = 0; n < many * availableParallelism(); n++)
    load.push(spawn('sh', ['-c', 'while :; do :; done'], { detached: true, stdio: 'ignore' }))
}
afterEach(() => {
  for (const one of load.splice(0)) one.kill('SIGKILL')
})

/** Of each match of a run: by entrant how often it was asked, and how often it was late. */
function answersOf(out: string): Record<string, { asked: number; late: number; other: number }> {
  const counts: Record<string, { asked: number; late: number; other: number }> = {}
  for (const line of readFileSync(place.path(out, 'records.jsonl'), 'utf8').trim().split('\n')) {
    const { seats, steps } = JSON.parse(line) as MatchRecord
    for (const [seat, output] of steps.flat()) {
      const trouble = typeof output === 'string' ? undefined : output.trouble
      const one = (counts[seats[seat]?.entrant ?? ''] ??= { asked: 0, late: 0, other: 0 })
      one.asked++
      if (trouble === 'timeout') one.late++
      else if (trouble !== undefined) one.other++
    }
  }
  return counts
}

const { program } = await findIsolation()
const sandboxes = program === undefined ? [] : [[]]
const rows: (readonly [Kind, string, readonly string[]])[] = [
  ...sandboxes.flatMap((args) =>
    (['turn', 'warm', 'stays'] as const).map((kind) => [kind, 'in sandboxes', args] as const),
  ),
  ...(['turn', 'stays'] as const).map((kind) => [kind, 'without sandboxes', ['--unsafe-no-isolation']] as const),
]
const played = async (file: string, where: string, args: readonly string[]) => {
  const out = `${file}-${where}`.replaceAll(' ', '-')
  const words = ['run', `${file}.toml`, '--admit-anyway', '--out', out, '--workspace', `${out}.w`, ...args]
  const { status, stderr } = await place.agon(words)
  expect(status, stderr).toBe(0)
  return { answers: answersOf(out), stderr }
}

describe.runIf(LOADED)('beside other programs', () => {
  it.each(rows)(
    'honest bots lose no turn: %s, %s',
    async (kind, where, args) => {
      busy(12)
      const { answers, stderr } = await played(kind, where, args)
      const all = { asked: TURNS, late: 0, other: 0 }
      expect(answers, stderr).toEqual({ Ant: all, Bee: all })
    },
    300_000,
  )

  it.each(rows)(
    'a slow bot is late: %s, %s',
    async (kind, where, args) => {
      busy(3)
      const { answers, stderr } = await played(`slow-${kind}`, where, args)
      const { Ant, Slow } = answers
      expect(Ant, stderr).toMatchObject({ late: 0, other: 0 })
      // One that stays leaves its match when it is late once.
      if (kind === 'stays') expect(Slow?.late, stderr).toBe(1)
      else expect(Slow, stderr).toEqual({ asked: TURNS, late: TURNS, other: 0 })
    },
    300_000,
  )
})
