import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Came, ManyMachines, storedMatches } from '../kit/killed-run.js'
import type { Running } from '../kit/agon-process.js'
import { PROGRAMS, type TestServer, testServer } from '../kit/postgres.js'
import { until } from '../kit/until.js'
import { findIsolation } from '../../src/sandbox/index.js'
import { Place } from './agon.js'

/* Bots that live through the tournament, whose answers depend on all that they were asked before, and two of which remember less. */

const BOT = `$| = 1; srand $ENV{AGON_SEED}; my $n = 0;
while (<STDIN>) { next unless /^F/; select undef, undef, undef, 0.005; print +(qw(0 - =))[(3 * rand() + $n++) % 3], "\\n" }\n`
const ENTRANTS = [
  ['Life', 'tournament'],
  ['Other', 'tournament'],
  ['Series', 'series'],
  ['Match', 'match'],
]
const CONTEST = `title = "Remember"\ngame = "gunduel"\nseed = "remember"\nmemory = "tournament"\n[format]\nkind = "round-robin"\nrepetitions = 2\n${ENTRANTS.map(
  ([name, memory]) =>
    `[[entrants]]\nname = "${name}"\nwire = "lines"\nmemory = "${memory}"\ncommand = ["perl", "bot.pl"]\n`,
).join('')}`

const place = new Place()
const machines = new ManyMachines(place.path('many'), { 'bot.pl': BOT, 'c.toml': CONTEST })
const { program } = await findIsolation()
const started: Running[] = []
afterAll(() => {
  for (const one of started) one.signal('SIGKILL')
})

/** A run on a server of its own, with as many workers as are started. */
class Hall {
  private constructor(
    private readonly server: TestServer,
    private readonly name: string,
    readonly url: string,
  ) {}

  static async open(name: string): Promise<Hall> {
    const server = await testServer()
    return new Hall(server, name, await server.database())
  }

  worker(name: string): Running {
    return this.keep(machines.worker(`${this.name}-${name}`, this.url))
  }

  run(...words: readonly string[]): Running {
    return this.keep(machines.run(`${this.name}-boss`, this.name, '--store', this.url, '--workers-only', ...words))
  }

  matches(): Promise<number> {
    return storedMatches(this.server, this.url)
  }

  /** Waits until so many matches are stored. */
  async reach(matches: number): Promise<void> {
    await until(async () => (await this.matches()) >= matches)
  }

  /** Matches that workers have played. */
  async byWorkers(): Promise<number> {
    const rows = await this.server.query<{ n: number }>(
      new URL(this.url).pathname.slice(1),
      'SELECT sum(matches)::int AS n FROM agon1.worker',
    )
    return rows[0]?.n ?? 0
  }

  private keep(one: Running): Running {
    started.push(one)
    return one
  }
}

// Most of their time they wait for leases to end: side by side they wait once.
describe
  .runIf(PROGRAMS !== undefined && program !== undefined)
  .concurrent('bots that live through the tournament', () => {
    let whole: Came
    beforeAll(async () => {
      whole = await machines.whole()
    }, 300_000)

    it('are played by the run itself, and what they do not play in by workers, also if one is killed', async () => {
      const hall = await Hall.open('killed')
      const worker = hall.worker('one')
      const boss = hall.run()
      await hall.reach(2)
      worker.signal('SIGKILL')
      hall.worker('other')
      const { status, stderr, stdout } = await boss.ended
      expect(status, stderr).toBe(0)
      expect(stderr).toContain('Life, Other: bots that remember the whole tournament are played here, not by workers')
      expect(machines.came({ status, stderr, stdout }, 'killed')).toEqual(whole)
      expect(await hall.matches()).toBe(whole.matches)
      // Series and Match meet twice without them.
      expect(await hall.byWorkers()).toBe(2)
    }, 300_000)

    it('are brought back where the run is killed, and resumed', async () => {
      const hall = await Hall.open('resumed')
      hall.worker('one')
      const boss = hall.run()
      await hall.reach(0.3 * whole.matches)
      boss.signal('SIGKILL')
      await boss.ended
      const again = await hall.run('--resume').ended
      expect(again.status, again.stderr).toBe(0)
      expect(machines.came(again, 'resumed')).toEqual(whole)
    }, 300_000)
  })
