import { beforeAll, describe, expect, it } from 'vitest'
import { type Blow, type Came, ManyMachines, killedRun, storedMatches } from '../kit/killed-run.js'
import { PROGRAMS, ownServer, testServer } from '../kit/postgres.js'
import { until } from '../kit/until.js'
import { VERSION } from '../../src/app/version.js'
import type { MatchRecord } from '../../src/core/index.js'
import type { WorkerPool } from '../../src/engine/index.js'
import { findIsolation } from '../../src/sandbox/index.js'
import { openServerStore } from '../../src/store/postgres/store.js'
import { prepareRun } from '../../src/workers/queue/prepared-runs.js'
import { QueueWorker } from '../../src/workers/queue/queue-worker.js'
import { Place } from './agon.js'

const place = new Place()
/** A pile that two take one from; who takes the last has won. It imports a file of its own. */
const PROGRAM = `import json, random, sys
from count import left
matches = {}
for line in sys.stdin:
    m = json.loads(line)
    if m["type"] == "describe":
        print(json.dumps({"id": "tally-py", "version": 1, "seats": {"min": 2, "max": 2}, "options": {}}), flush=True)
        continue
    if m["type"] == "end":
        continue
    if m["type"] == "setup":
        s = matches[m["match"]] = {"pile": random.Random(m["seed"]).randint(3, 9), "turn": 0}
    else:
        s = matches[m["match"]]
        s["pile"] = left(s["pile"], m["moves"][s["turn"] % 2])
        s["turn"] += 1
    over = s["pile"] == 0
    answer = {"match": m["match"], "due": [] if over else [s["turn"] % 2], "views": [{"pile": s["pile"]}] * 2, "legal": [["1"], ["1"]]}
    if over:
        answer["outcome"] = {"place": [1, 2] if s["turn"] % 2 == 1 else [2, 1], "reason": "end"}
    print(json.dumps(answer), flush=True)
`
const machines = new ManyMachines(place.path('many'))
const { program, launcher } = await findIsolation()

// Most of their time they wait for leases to end: side by side they wait once.
describe.runIf(PROGRAMS !== undefined && program !== undefined).concurrent('a contest on several machines', () => {
  let whole: Came
  beforeAll(async () => {
    whole = await machines.whole()
  }, 300_000)

  const blows: readonly (readonly Blow[])[] = [['worker', 'coordinator', 'frozen'], ['server', 'server'], ['all']]
  it.each(blows.map((one) => [one.join(', '), one] as const))(
    'comes to the same whatever is killed or stands still: %s',
    async (name, struck) => {
      const isKilled = struck.includes('server') || struck.includes('all')
      const server = isKilled ? await ownServer() : await testServer()
      const run = await killedRun(machines, server, { seed: `npm test ${name}`, blows: struck, total: whole.matches })
      expect(whole.records.length).toBe(whole.matches)
      expect(run.came).toEqual(whole)
      expect(run.stored).toEqual([whole.matches, whole.matches])
      expect(new Set(run.statuses)).toEqual(new Set([0]))
      if (isKilled) await server.stop()
    },
    300_000,
  )

  it('sends workers a game that is a program, with the files that belong to it', async () => {
    place.write('tally/count.py', 'def left(pile, move):\n    return pile - int(move)\n')
    place.write('tally/game.py', PROGRAM)
    const bots = ['Ant', 'Bee', 'Cat'].map((name) => `[[entrants]]\nname = "${name}"\nmodule = "one.mjs"\n`)
    place.write('tally/one.mjs', `export default () => '1'\n`)
    const head = 'game = "./game.py"\nseed = "a seed for a program game"\nmemory = "match"\n[format]\nrepetitions = 4\n'
    place.write('tally/contest.toml', head + bots.join(''))
    const url = await (await testServer()).database()
    const worker = place.start(['worker', '--store', url, '--json', '--workspace', place.path('tally-worker')])
    const run = ['run', 'tally/contest.toml', '--json', '--trust']
    const far = await place.agon([
      ...run,
      '--store',
      url,
      '--workers-only',
      '--workspace',
      place.path('tally-boss'),
      '--out',
      'far',
    ])
    expect(far.status, far.stderr).toBe(0)
    worker.signal('SIGTERM')
    await worker.ended
    const near = await place.agon([...run, '--workspace', place.path('tally-here'), '--out', 'near'])
    const digest = async (folder: string) =>
      (await place.agon(['verify', folder, '--game', 'tally/game.py'])).stdout.trim().split('\n').at(-1)
    expect(await digest('far')).toBe(await digest('near'))
    expect((JSON.parse(far.stdout) as Came).matches).toBe(12)
    expect((JSON.parse(far.stdout) as { standings: unknown }).standings).toEqual(
      (JSON.parse(near.stdout) as { standings: unknown }).standings,
    )
  }, 300_000)

  it('loses nothing of what a worker plays that is asked to end', async () => {
    place.write('slow.sh', 'sleep 2.5; echo B\n')
    const bots = ['Sloth', 'Snail'].map((name) => `[[entrants]]\nname = "${name}"\ncommand = ["sh", "slow.sh"]\n`)
    const head =
      'game = "samurai"\nseed = "slow"\n[options]\nturns = 1\n[limits]\nturn = 20000\n[format]\nrepetitions = 1\n'
    place.write('slow.toml', head + bots.join(''))
    const server = await testServer()
    const url = await server.database()
    const worker = (name: string) =>
      place.start(['worker', '--store', url, '--slots', '1', '--json', '--workspace', place.path(name)])
    const leaver = worker('leaver')
    const words = ['run', 'slow.toml', '--json', '--store', url, '--workers-only', '--workspace', place.path('slow')]
    const boss = place.start(words)
    let isOver = false
    void boss.ended.then(() => (isOver = true))
    const playing = async (): Promise<number> => {
      const text = "select count(*)::int as n from agon_queue.job where state = 'active'"
      // The queue is made by who comes first.
      const rows = await server.query<{ n: number }>(new URL(url).pathname.slice(1), text).catch(() => [])
      return rows[0]?.n ?? 0
    }
    await until(async () => isOver || (await playing()) > 0)
    leaver.signal('SIGTERM')
    const { status, stderr } = await leaver.ended
    expect(status, stderr).toBe(0)
    // Where it was not done by then, another does it.
    const other = worker('other')
    const { status: end, stdout } = await boss.ended
    expect(end).toBe(0)
    other.signal('SIGKILL')
    expect(await storedMatches(server, url)).toBe((JSON.parse(stdout) as Came).matches)
  }, 300_000)

  it('refuses what does not replay, names who brought it, and has it played again', async () => {
    const hall = await (await testServer()).database()
    const store = await openServerStore(hall, VERSION, () => undefined)
    const about = { host: 'here', pid: 1, agon: VERSION, cores: 1, slots: 1, labels: [], toolchains: {} }
    if (program === undefined || launcher === undefined) throw new Error('it has no cells')
    const liar = await QueueWorker.start({
      store,
      workspace: place.path('liar'),
      isolation: { maker: { launcher, bubblewrap: program }, trust: false },
      slots: 1,
      agon: VERSION,
      note: () => undefined,
      info: { id: 'liar', ...about, isolation: 'cells' },
      rooms: place.path('liar', 'rooms'),
      // Whatever was played, the first seat has won it.
      async open(published, machine, rooms) {
        const { pool, refused } = await prepareRun(published, machine, rooms)
        const forged = (record: MatchRecord): MatchRecord => ({
          ...record,
          outcome: { ...record.outcome, place: [1, 2], reason: 'forged' },
        })
        const play: WorkerPool['play'] = async (batch) =>
          (await pool.play(batch)).map((one) => ('records' in one ? { records: one.records.map(forged) } : one))
        return { pool: { ...pool, play }, refused }
      },
    })
    const boss = machines.run('boss', 'believed', '--store', hall, '--workers-only')
    await boss.printed('liar gets nothing more until it is started anew')
    const honest = machines.worker('honest', hall)
    const ended = await boss.ended
    expect(ended.status, ended.stderr).toBe(0)
    expect(ended.stderr).toContain(`liar (agon ${VERSION}) brings a match that does not replay`)
    expect(machines.came(ended, 'believed')).toEqual(whole)
    const listed = await place.agon(['workers', '--store', hall])
    expect(listed.stdout).toContain('liar gets nothing more')
    const matches = 'SELECT id, matches AS n FROM worker WHERE matches > 0'
    expect(await store.sql.all<{ n: number }>(matches)).toMatchObject([{ n: whole.matches }])
    await liar.stop()
    honest.signal('SIGTERM')
    expect((await honest.ended).status).toBe(0)
    await store.close()
    const checked = await place.agon(['store', 'check', '--store', hall])
    expect(checked.status, checked.stdout + checked.stderr).toBe(0)
  }, 300_000)
})
