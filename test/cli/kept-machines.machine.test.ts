import { afterAll, describe, expect, it } from 'vitest'
import { ManyMachines, storedMatches } from '../kit/killed-run.js'
import type { Running } from '../kit/agon-process.js'
import { PROGRAMS, testServer } from '../kit/postgres.js'
import { until } from '../kit/until.js'
import { findIsolation } from '../../src/sandbox/index.js'
import { Place } from './agon.js'

/*
 * Bots that live through the tournament and keep files on disk, beside a stranger's module that counts in itself, where one of them needs a
 * label: the worker that has the label holds them all, and another one that has it gets them, with their files, when the first is gone.
 */

/** Strikes at one that it draws by its seed and by all that its file holds of the tournament. */
const FILING = `use strict; print("ok\\n"), exit unless @ARGV;
my ($own, @bots) = @ARGV; srand $ENV{AGON_SEED};
open my $file, '>>', 'state/calls' or die; print $file 'x'; close $file;
my @others = sort grep { $_ != $own } map { my ($id, $life) = split /,/; $life > 0 ? $id : () } @bots;
print $others[(int(rand 1000) + -s 'state/calls') % @others], "\\n";\n`
const COUNTING = `let calls = 0
export default (view) => {
  const others = view.bots.filter(({ seat, life }) => seat !== view.seat && life > 0)
  return ++calls % 4 === 0 ? 'D' : String(others[calls % others.length].seat)
}\n`
const CONTEST = `title = "Kept"\ngame = "stronger"\nseed = "kept"\nmemory = "tournament"
[options]\nturns = 6\n[format]\nkind = "free-for-all"\nrepetitions = 8
[[entrants]]\nname = "Filing"\ncommand = ["perl", "bot.pl"]
[[entrants]]\nname = "Labelled"\ncommand = ["perl", "bot.pl"]\nlabels = ["disk"]
[[entrants]]\nname = "Counting"\nmodule = "bot.mjs"\n`

const place = new Place()
const machines = new ManyMachines(place.path('many'), { 'bot.pl': FILING, 'bot.mjs': COUNTING, 'c.toml': CONTEST })
const { program } = await findIsolation()
const started: Running[] = []
afterAll(() => {
  for (const one of started) one.signal('SIGKILL')
})
const keep = (one: Running): Running => (started.push(one), one)

describe.runIf(PROGRAMS !== undefined && program !== undefined)('bots with files, modules and labels', () => {
  it('go from one worker to another as they were, and come to what one machine comes to', async () => {
    const alone = await machines.run('alone', 'alone', '--trust').ended
    expect(alone.status, alone.stderr).toBe(0)
    const whole = machines.came(alone, 'alone')
    const server = await testServer()
    const url = await server.database()
    const worker = (name: string, ...words: readonly string[]): Running =>
      keep(machines.start(name, 'worker', '--store', url, '--slots', '1', '--json', '--trust', ...words))
    worker('plain')
    const first = worker('first', '--labels', 'disk')
    const boss = keep(machines.run('boss', 'many', '--store', url, '--workers-only', '--trust'))
    await until(async () => (await storedMatches(server, url)) >= 2)
    first.signal('SIGKILL')
    const second = worker('second', '--labels', 'gpu,disk')
    const ended = await boss.ended
    expect(ended.status, ended.stderr).toBe(0)
    expect(machines.came(ended, 'many')).toEqual(whole)
    const rows = await server.query<{ pid: number }>(
      new URL(url).pathname.slice(1),
      'SELECT w.pid FROM agon.match m JOIN agon.worker w ON w.number = m.worker GROUP BY w.pid ORDER BY max(m.id)',
    )
    expect(rows.map(({ pid }) => pid)).toEqual([first.pid, second.pid])
  }, 300_000)
})
