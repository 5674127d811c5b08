import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../kit/postgres.js'
import { VERSION } from '../../src/app/version.js'
import { findIsolation } from '../../src/sandbox/index.js'
import { openServerStore } from '../../src/store/postgres/store.js'
import type { Landing } from '../../src/workers/queue/landing.js'
import { openPlace } from '../../src/workers/queue/place.js'
import { QueueWorker } from '../../src/workers/queue/queue-worker.js'
import { Place, wait } from './agon.js'

/*
 * A contest on several machines, which is to come to what it comes to on one, whoever dies or stands still meanwhile. Its bots draw by
 * their seeds, so that a table and its records show with what luck each match was played.
 */
const BOTS = ['GPB', 'GGW', 'GGGB', 'OIGB']
const place = new Place({
  'bot.sh': `sleep 0.03; letters=$1; n=$((AGON_SEED % \${#letters})); while [ $n -gt 0 ]; do letters=\${letters#?}; n=$((n - 1)); done
echo "\${letters%"\${letters#?}"}"\n`,
  'c.toml': `title = "Many"\ngame = "samurai"\nseed = "machines"\n[options]\nturns = 4\n[format]\nkind = "last-standing"\nrepetitions = 6\n${BOTS.map(
    (letters) => `[[entrants]]\nname = "Bot ${letters}"\ncommand = ["sh", "bot.sh", "${letters}"]\n`,
  ).join('')}`,
})

interface Document {
  readonly standings: unknown
  readonly matches: number
}
interface Stored {
  readonly key: string
}
/** The table and the records of a run, without the times that it took. */
function came(stdout: string, out: string) {
  const { standings, matches } = JSON.parse(stdout) as Document
  const records = readFileSync(place.path(out, 'records.jsonl'), 'utf8').trim().split('\n')
  const plain = records.map((line) => ({ ...(JSON.parse(line) as Stored), times: undefined, at: undefined }))
  return { standings, matches, records: plain.sort((a, b) => (a.key < b.key ? -1 : 1)) }
}

const { program, launcher } = await findIsolation()

describe.runIf(PROGRAMS !== undefined && program !== undefined)('a contest on several machines', () => {
  let url = ''
  let stored: () => Promise<number>
  let whole: ReturnType<typeof came>
  beforeAll(async () => {
    const alone = await place.agon(run('alone'))
    if (alone.status !== 0) throw new Error(alone.stderr)
    whole = came(alone.stdout, 'alone')
    const server = await testServer()
    url = await server.database()
    const database = new URL(url).pathname.slice(1)
    stored = async () => {
      const there = await server.query<{ t: string | null }>(database, "select to_regclass('agon.match')::text as t")
      if (there[0]?.t === null) return 0
      return Number((await server.query<{ n: string }>(database, 'select count(*) as n from agon.match'))[0]?.n)
    }
  }, 300_000)

  const run = (out: string, ...words: readonly string[]) => ['run', 'c.toml', '--out', out, '--json', ...words]
  const worker = (name: string) =>
    place.start(['worker', '--store', url, '--slots', '1', '--json', '--workspace', place.path(name)])
  const coordinator = (...words: readonly string[]) =>
    place.start(run('many', '--store', url, '--workers-only', '--workspace', place.path('boss'), ...words))
  const reach = async (matches: number): Promise<void> => {
    await expect.poll(stored, { timeout: 120_000, interval: 30 }).toBeGreaterThanOrEqual(matches)
  }

  it('comes to the same where a worker and the coordinator are killed, and a worker stands still', async () => {
    expect(whole.records.length).toBe(whole.matches)

    const [first, second] = [worker('first'), worker('second')]
    const killed = coordinator()
    await reach(0.1 * whole.matches)
    first.signal('SIGKILL')
    await reach(0.3 * whole.matches)
    killed.signal('SIGKILL')
    expect((await killed.ended).status).toBe(null)

    const boss = coordinator('--resume')
    await reach(0.45 * whole.matches)
    second.signal('SIGSTOP')
    const third = worker('third')
    const end = await boss.ended
    expect(end.status, end.stderr).toBe(0)
    expect(came(end.stdout, 'many')).toEqual(whole)
    expect(await stored()).toBe(whole.matches)

    // Who wakes up later adds nothing, ends in order when it is asked to, and so does the other.
    second.signal('SIGCONT')
    await wait(500)
    second.signal('SIGTERM')
    third.signal('SIGTERM')
    expect([(await second.ended).status, (await third.ended).status]).toEqual([0, 0])
    expect(await stored()).toBe(whole.matches)
    const table = await place.agon(['standings', 'c.toml', '--store', url, '--json'])
    expect((JSON.parse(table.stdout) as Document).standings).toEqual(whole.standings)
  }, 300_000)

  it('loses nothing of what a worker plays that is asked to end', async () => {
    place.write('slow.sh', 'sleep 2.5; echo B\n')
    const bots = ['Sloth', 'Snail'].map((name) => `[[entrants]]\nname = "${name}"\ncommand = ["sh", "slow.sh"]\n`)
    const head =
      'game = "samurai"\nseed = "slow"\n[options]\nturns = 1\n[limits]\nturn = 20000\n[format]\nrepetitions = 1\n'
    place.write('slow.toml', head + bots.join(''))
    const leaver = worker('leaver')
    const words = ['run', 'slow.toml', '--json', '--store', url, '--workers-only', '--workspace', place.path('boss')]
    const boss = place.start(words)
    const before = await stored()
    await expect
      .poll(async () => {
        const { stdout } = await place.agon(['workers', '--store', url, '--json'])
        return (JSON.parse(stdout) as { playing: unknown[] }[]).some(({ playing }) => playing.length > 0)
      })
      .toBe(true)
    leaver.signal('SIGTERM')
    const { status, stderr } = await leaver.ended
    expect(status, stderr).toBe(0)
    // Where it was not done by then, another does it.
    const other = worker('other')
    const { status: end, stdout } = await boss.ended
    expect(end).toBe(0)
    other.signal('SIGKILL')
    expect((await stored()) - before).toBe((JSON.parse(stdout) as Document).matches)
  }, 300_000)

  it('finds out who reports what was not played, and plays it again elsewhere', async () => {
    const hall = await (await testServer()).database()
    const store = await openServerStore(hall, VERSION, () => undefined)
    const about = { host: 'here', pid: 1, agon: VERSION, cores: 1, slots: 1, labels: [], toolchains: {} }
    if (program === undefined || launcher === undefined) throw new Error('it has no cells')
    const liar = await QueueWorker.start({
      store,
      workspace: place.path('liar'),
      holding: { maker: { launcher, bubblewrap: program }, trust: false },
      slots: 1,
      agon: VERSION,
      note: () => undefined,
      games: { files: new Map(), all: false },
      card: { id: 'liar', ...about, isolation: 'cells' },
      rooms: place.path('liar', 'rooms'),
      // Whatever was played, the first seat has won it.
      async open(posted, machine, rooms) {
        const honest = await openPlace(posted, machine, rooms)
        const land: Landing['land'] = (request, response) => {
          const { outcome, played } = honest.landing.land(request, response)
          const matches = played?.matches.map((one) => ({
            ...one,
            record: { ...one.record, outcome: { ...one.record.outcome, place: [1, 2], reason: 'forged' } },
          }))
          return { outcome, ...(played && matches && { played: { ...played, matches } }) }
        }
        return { ...honest, landing: Object.assign(Object.create(honest.landing) as Landing, { land }) }
      },
    })
    const words = ['--store', hall, '--workers-only', '--workspace', place.path('boss')]
    const boss = place.start(run('believed', ...words))
    await boss.printed('the worker liar is set aside')
    const honest = place.start(['worker', '--store', hall, '--slots', '1', '--workspace', place.path('honest')])
    const { status, stdout, stderr } = await boss.ended
    expect(status, stderr).toBe(0)
    expect(came(stdout, 'believed')).toEqual(whole)
    const listed = await place.agon(['workers', '--store', hall])
    expect(listed.stdout).toContain('liar is set aside: ')
    await liar.stop()
    honest.signal('SIGTERM')
    expect((await honest.ended).status).toBe(0)
    const by =
      'SELECT w.id, count(*)::int AS n FROM agon.match m LEFT JOIN agon.worker w ON w.number = m.worker GROUP BY w.id'
    expect((await store.query<{ n: number }>(by)).rows).toMatchObject([{ n: whole.matches }])
    await store.close()
    const checked = await place.agon(['store', 'check', '--store', hall])
    expect(checked.status, checked.stdout + checked.stderr).toBe(0)
  }, 300_000)
})
