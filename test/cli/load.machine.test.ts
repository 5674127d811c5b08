import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Place } from './agon.js'

/** Milliseconds a turn: some times what the bots need alone, and much less than what they take among so many others. */
const LIMIT = 80
const LOAD = 6 * availableParallelism()

const bot = (name: string, file: string) => `[[entrants]]\nname = "${name}"\ncommand = ["perl", "${file}"]\n`
const place = new Place({
  'load.toml': `title = "Load"\ngame = "samurai"\nseed = "load"\n[options]\nturns = 4\n[limits]\nturn = ${LIMIT}\n[format]\nkind = "round-robin"\nrepetitions = 1\n${bot('Guard', 'guard.pl')}${bot('Bow', 'bow.pl')}${bot('Sleeper', 'sleeper.pl')}`,
  'guard.pl': "my $x = 0; $x += $_ for 1 .. 200_000; print 'Guard'",
  'bow.pl': "my $x = 0; $x += $_ for 1 .. 200_000; print 'Bow'",
  'sleeper.pl': "sleep 3; print 'Guard'",
})

/** Only `npm run test:load` keeps the machine as busy as this takes: nothing else may be tested beside it. */
const LOADED = process.env['AGON_LOAD'] === 'yes'

/** Each in a session of its own: schedulers share cores out among sessions first. */
const load: ReturnType<typeof spawn>[] = []
interface Document {
  readonly matches: number
  readonly faults: Record<string, Record<string, number>>
}

describe.runIf(LOADED)('a machine that others keep busy', () => {
  beforeAll(() => {
    for (let n = 0; n < LOAD; n++)
      load.push(spawn('sh', ['-c', 'while :; do :; done'], { detached: true, stdio: 'ignore' }))
  })
  afterAll(() => {
    for (const one of load) one.kill('SIGKILL')
  })

  it.each([[], ['--unsafe-no-isolation']])(
    'no fast bot loses time on a machine that others keep busy, and a slow one does %s',
    async (...args) => {
      const out = `out${args.length}`
      const run = await place.agon([
        'run',
        'load.toml',
        '--admit-anyway',
        '--out',
        out,
        '--json',
        '--workspace',
        `${out}.w`,
        ...args,
      ])
      const { matches, faults } = JSON.parse(run.stdout) as Document
      expect([matches, Object.keys(faults)], run.stderr).toEqual([3, ['Sleeper']])
      expect(faults['Sleeper']?.['timeout']).toBeGreaterThan(3)
    },
    120_000,
  )
})
