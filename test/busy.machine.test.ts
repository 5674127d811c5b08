import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { findIsolation } from '../src/sandbox/index.js'
import { Place, wait } from './cli/agon.js'

/*
 * Bots need a quarter of their limit, which is a second. Beside 24 others on its core a bot gets a twenty-fifth of it: at the hard stop,
 * after four seconds, it has run for 160 ms of the 250 that it needs. On a machine that is merely busy it gets enough.
 */
const LOAD = 24 * availableParallelism()
const PERL =
  'use Time::HiRes "clock_gettime", "CLOCK_PROCESS_CPUTIME_ID"; sub cpu { clock_gettime(CLOCK_PROCESS_CPUTIME_ID) }'
const SPIN = 'my $end = cpu() + 0.25; 1 while cpu() < $end;'
const contest = (game: string, file: string, more = '') => `game = "${game}"
seed = "busy"
memory = "match"
[options]
turns = 4
[limits]
turn = 1000
[format]
kind = "round-robin"
repetitions = 10
${['Ant', 'Bee'].map((name) => `[[entrants]]\nname = "${name}"\ncommand = "perl ${file}"\n${more}`).join('')}`
const place = new Place({
  'turn.pl': `${PERL} ${SPIN} print "B"`,
  'stays.pl': `${PERL} $| = 1; while (<STDIN>) { next unless /^F/; ${SPIN} print "0\\n" }`,
  'turn.toml': contest('samurai', 'turn.pl'),
  'stays.toml': contest('gunduel', 'stays.pl', 'wire = "lines"\n'),
})

const load: ReturnType<typeof spawn>[] = []
const calm = (): void => {
  for (const one of load.splice(0)) one.kill('SIGKILL')
}
/** Each in a session of its own: schedulers share cores out among sessions first. */
function busy(): void {
  for (let n = 0; n < LOAD; n++)
    load.push(spawn('sh', ['-c', 'while :; do :; done'], { detached: true, stdio: 'ignore' }))
}
afterEach(calm)

const { program } = await findIsolation()
const ways = [...(program === undefined ? [] : [['in sandboxes']]), ['without sandboxes', '--unsafe-no-isolation']]
const all = ways.flatMap(([where = '', ...args]) => ['turn', 'stays'].map((file) => [file, where, args] as const))
/** Only `npm run test:load` keeps the machine as busy as this takes: nothing else may be tested beside it. */
const LOADED = process.env['AGON_LOAD'] === 'yes'
const BUSY = /the machine is too busy: [\w.() ]+ did not get its core for 1000 ms within 4000 ms/

/** The threads that play in sandboxes have begun; without sandboxes there are none: the first match has. */
function hasBegun(out: string, sandboxes: boolean): boolean {
  if (!sandboxes) return existsSync(place.path(out))
  const folder = place.path(`${out}.w`, 'rooms')
  return (
    existsSync(folder) &&
    readdirSync(folder).some((room) => existsSync(place.path(`${out}.w`, 'rooms', room, 'worker-0')))
  )
}

describe.runIf(LOADED)('a machine that is too busy for a bot', () => {
  it.each(all)(
    'ends a run with one line and 75, and nothing is lost: %s, %s',
    { timeout: 400_000 },
    async (file, where, args) => {
      const out = `${file}-${where}`.replaceAll(' ', '-')
      const words = ['run', `${file}.toml`, '--out', out, '--workspace', `${out}.w`, ...args]
      const run = place.start([...words, '--patience', '1'])
      let over = false
      void run.ended.then(() => (over = true))
      while (!over && !hasBegun(out, args.length === 0)) await wait(5)
      busy()
      const { status, stdout, stderr } = await run.ended
      expect([status, stdout], stderr).toEqual([75, ''])
      const last = stderr.trim().split('\n').at(-1)
      expect(last).toMatch(BUSY)
      expect(last).toMatch(
        /^agon: .* waiting\. What is done is kept; try again when less runs beside agon \(--resume continues a run\)$/,
      )
      expect(stderr).toMatch(/^1\/Ant-Bee\/\d+: void: the machine is too busy: .*; it is played again in 1 s$/m)
      expect(stderr).not.toMatch(/^ +at |timeout/m)
      calm()
      const again = await place.agon([...words, '--resume', '--json'])
      expect(again.status, again.stderr).toBe(0)
      const { matches, faults } = JSON.parse(again.stdout) as { matches: number; faults: Record<string, unknown> }
      expect([matches, faults]).toEqual([10, {}])
    },
  )

  it('ends agon match with one line and 75', { timeout: 60_000 }, async () => {
    busy()
    const words = ['match', 'samurai', 'perl turn.pl', 'perl turn.pl', '--limit', 'turn=1000']
    const { status, stderr } = await place.agon(words)
    expect(status, stderr).toBe(75)
    expect(stderr.trim().split('\n').at(-1)).toMatch(BUSY)
  })

  it('has a person play on where the match was', { timeout: 400_000 }, async () => {
    busy()
    const words = ['play', 'samurai', '--against', 'perl turn.pl', '--limit', 'turn=1000', '--option', 'turns=1']
    const run = place.start(words, 'B\n')
    await run.printed('tried again in')
    calm()
    const { status, stdout, stderr } = await run.ended
    expect(status, stderr).toBe(0)
    expect(stderr).toMatch(BUSY)
    expect(stdout).toContain('your move again: B')
  })
})
