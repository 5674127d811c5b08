import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findIsolation } from '../../src/sandbox/index.js'
import { openStore } from '../../src/store/index.js'
import { type Ended, Place, lastLine, wait } from './agon.js'

/**
 * Duellists in one process for the whole tournament, who play by the number of the duel: lost or doubled duels show. One of them
 * ends now and then, and counts on by what it wrote where it runs.
 */
const REMEMBERING = `title = "Remembering"
game = "gunduel"
memory = "tournament"
[limits]
turn = 20000
[format]
kind = "last-standing"
repetitions = 8
[[entrants]]
name = "Counter"
command = "sh counter.sh"
[[entrants]]
name = "Quitter"
command = "sh quitter.sh"
[[entrants]]
name = "Module"
module = "counter.mjs"
[[entrants]]
name = "Mirror"
house = "Mirror"
`
/** Samurai that remember nothing: one process a turn, and a module with chance. */
const FORGETTING = `title = "Forgetting"
game = "samurai"
[options]
turns = 5
[limits]
turn = 20000
[format]
kind = "round-robin"
repetitions = 6
[[entrants]]
name = "Dice"
command = "sh dice.sh"
[[entrants]]
name = "Bow"
command = "sh bow.sh"
[[entrants]]
name = "Module"
module = "dice.ts"
`
const FILES = {
  'remembering.toml': REMEMBERING,
  'forgetting.toml': FORGETTING,
  'counter.sh': `n=$((AGON_SEED % 5))
while read -r line; do
  case $line in
    I*) n=$((n + 1)) ammo=0 turn=0 ;;
    F)
      turn=$((turn + 1))
      if [ $ammo -eq 0 ] && [ $(((n + turn) % 3)) -ne 0 ]; then ammo=1; echo 0
      elif [ $ammo -eq 1 ] && [ $(((n + turn) % 2)) -eq 0 ]; then ammo=0; echo 1
      else echo -; fi ;;
  esac
done
`,
  'quitter.sh': `read -r n <duels || n=0
while read -r line; do
  case $line in
    I*) n=$((n + 1)) turn=0; echo $n >duels ;;
    F)
      turn=$((turn + 1))
      [ $((n % 7)) -ne 3 ] || exit 1
      if [ $turn -eq 1 ]; then echo 0; elif [ $(((n + turn) % 3)) -eq 0 ]; then echo =; else echo -; fi ;;
  esac
done
`,
  'counter.mjs': `let duels = 0
export default (view, chance) => {
  if (view.turn === 0) duels++
  if (view.ammo === 0) return (duels + view.turn) % 4 === 0 ? '=' : '0'
  return chance.below(1 + (duels % 3)) === 0 ? '1' : '-'
}
`,
  'dice.sh': `case $((AGON_SEED % 6)) in 0) echo W ;; 1) echo B ;; 2) echo G ;; 3) echo I ;; 4) echo P ;; *) echo O ;; esac\n`,
  'bow.sh': 'echo B\n',
  'dice.ts': `export default (_view: unknown, chance: { below(n: number): number }) => 'WBGIPO'.charAt(chance.below(6))\n`,
}

/** Plays on, but for a while. */
const SLOW = 'sleep 0.5; echo B\n'

interface Document {
  finished: boolean
  matches: number
  played: number
  reused: number
  standings: unknown
}
const documentOf = ({ stdout }: Ended): Document => JSON.parse(stdout) as Document

/** How many matches lie in the workspace's store. */
async function kept(place: Place): Promise<number> {
  const workspace = place.path('workspace')
  if (!existsSync(join(workspace, 'agon.db'))) return 0
  const store = openStore(workspace, 'test')
  try {
    return (await store.runs()).reduce((sum, { matches }) => sum + matches, 0)
  } finally {
    await store.close()
  }
}

/** Waits until so many matches are kept, or the run has ended. */
async function untilKept(place: Place, matches: number, ended: Promise<unknown>): Promise<void> {
  const over = ended.then(() => true)
  while ((await kept(place)) < matches && !(await Promise.race([over, wait(10).then(() => false)])));
}

/** Waits until agon has made rooms for bots: from then on it listens for signals. */
async function untilRooms(place: Place): Promise<void> {
  const rooms = place.path('workspace', 'rooms')
  while (!existsSync(rooms) || readdirSync(rooms).length === 0) await wait(5)
  await wait(100)
}

async function whole(contest: string): Promise<{ document: Document; digest: string }> {
  const place = new Place(FILES)
  const ended = await place.agon(['run', contest, '--seed', '11', '--json', '--out', 'out'])
  expect(ended.status, ended.stderr).toBe(0)
  return { document: documentOf(ended), digest: lastLine((await place.agon(['verify', 'out'])).stdout) }
}

for (const contest of ['remembering.toml', 'forgetting.toml']) {
  describe(`${contest}, interrupted`, () => {
    const args = ['run', contest, '--seed', '11', '--json', '--out', 'out']

    it('by kill -9 at any moment, and resumed: the same table and records, nothing twice', async () => {
      const place = new Place(FILES)
      const reference = await whole(contest)
      let before = 0
      // After the first match, somewhere in the middle, and near the end; the jobs may change from one to the next.
      for (const [part, jobs] of [
        [0.02, '1'],
        [0.4, '3'],
        [0.7, '2'],
      ] as const) {
        const run = place.start([...args, '--jobs', jobs, ...(before > 0 ? ['--resume'] : [])])
        await untilKept(place, Math.max(before + 1, Math.ceil(reference.document.matches * part)), run.ended)
        run.signal('SIGKILL')
        expect((await run.ended).status, 'killed before its end').toBe(null)
        const now = await kept(place)
        expect(now).toBeGreaterThan(before)
        before = now
      }
      const last = await place.agon([...args, '--resume'])
      const document = documentOf(last)
      expect(document).toEqual({ ...reference.document, played: document.played, reused: document.reused })
      expect(document.reused).toBeGreaterThanOrEqual(before)
      expect(document.played + document.reused).toBe(document.matches)
      expect(lastLine((await place.agon(['verify', 'out'])).stdout)).toBe(reference.digest)
      const keys = readFileSync(place.path('out', 'records.jsonl'), 'utf8').match(/"key":"[^"]*"/g) ?? []
      expect([keys.length, new Set(keys).size]).toEqual([document.matches, document.matches])
    }, 120_000)
  })
}

describe('Ctrl-C', () => {
  const args = ['run', 'remembering.toml', '--seed', '11', '--out', 'out']

  it('once: keeps what is done in a whole archive, says how to go on, and that works', async () => {
    const place = new Place(FILES)
    const run = place.start([...args, '--json'])
    await untilKept(place, 5, run.ended)
    run.signal('SIGINT')
    const ended = await run.ended
    expect(ended.status, ended.stderr).toBe(130)
    expect(documentOf(ended)).toMatchObject({ finished: false, reused: 0 })
    const { matches } = documentOf(ended)
    const [, command = ''] =
      /interrupted: \d+ match(?:es)? kept. To continue: agon (run .*)\n$/.exec(ended.stderr) ?? []
    const verified = await place.agon(['verify', 'out'])
    expect(verified.stdout).toContain(`${matches} of ${matches} record`)
    expect(readdirSync(place.path('workspace', 'rooms')), 'the bots’ rooms are gone').toEqual([])
    const on = await place.agon([...command.split(' '), '--json'])
    expect(documentOf(on)).toMatchObject({ finished: true, reused: matches })
  })

  it('twice: ends at once, and what was done is kept all the same', async () => {
    const place = new Place({ ...FILES, 'bow.sh': SLOW })
    const run = place.start(['run', 'forgetting.toml', '--out', 'out'])
    await untilKept(place, 2, run.ended)
    run.signal('SIGINT')
    await run.printed('stopping')
    run.signal('SIGINT')
    expect((await run.ended).status).toBe(130)
    expect(await kept(place)).toBeGreaterThanOrEqual(2)
  })

  it('before the first match: ends at once', async () => {
    const place = new Place({ ...FILES, 'bow.sh': 'sleep 20; echo B\n' })
    const run = place.start(['run', 'forgetting.toml', '--out', 'out'])
    await untilRooms(place)
    run.signal('SIGINT')
    const { status, stderr } = await run.ended
    expect([status, stderr]).toEqual([
      130,
      'stopping; what is done is kept (Ctrl-C again ends at once)\ninterrupted before the first match\n',
    ])
  })

  it('in a match or at the keyboard: one line', async () => {
    const place = new Place({ 'sleep.sh': 'sleep 20; echo B\n', 'bow.sh': 'echo B\n' })
    const run = place.start(['match', 'samurai', 'sleep.sh', 'bow.sh', '--limit', 'turn=20000'])
    await untilRooms(place)
    run.signal('SIGINT')
    const { status, stderr } = await run.ended
    expect([status, stderr]).toEqual([130, 'interrupted\n'])
  })
})

describe.runIf((await findIsolation()).program !== undefined)('kill -9 while sandboxes are made', () => {
  /** Processes of sandboxes whose agon is gone. */
  const orphans = (): string[] =>
    readdirSync('/proc').filter((pid) => {
      try {
        const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
        return parent === '1' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/agon/launcher')
      } catch {
        return false
      }
    })

  it('leaves nothing of them, whatever the moment', async () => {
    const before = orphans()
    const place = new Place({ 'bow.sh': 'echo B\n' })
    const bots = Array.from({ length: 2 }, () => 'sh bow.sh')
    const killed = async () => {
      const match = place.start(['match', 'samurai', ...bots])
      await untilRooms(place)
      await wait(30 * Math.random())
      match.signal('SIGKILL')
      await match.ended
    }
    for (let i = 0; i < 12; i++) await Promise.all(Array.from({ length: 4 }, killed))
    const left = (): string[] => orphans().filter((pid) => !before.includes(pid))
    for (let i = 0; i < 100 && left().length > 0; i++) await wait(20)
    expect(left()).toEqual([])
  }, 60_000)
})

describe('two at a time in one workspace', () => {
  it.each(['remembering.toml', 'forgetting.toml'])(
    'come to the same records, and lose nothing: %s',
    async (contest) => {
      const place = new Place(FILES)
      const args = ['run', contest, '--seed', '11', '--json', '--out']
      const both = await Promise.all([place.agon([...args, 'one']), place.agon([...args, 'two'])])
      expect(both.map(({ status, stderr }) => (status === 0 ? '' : stderr))).toEqual(['', ''])
      const [one, two] = both.map(documentOf)
      expect(one?.standings).toEqual(two?.standings)
      expect([one?.matches, two?.matches]).toEqual([one?.matches, one?.matches])
      const verified = await Promise.all(['one', 'two'].map((folder) => place.agon(['verify', folder])))
      expect(verified[0]?.stdout).toContain(`${one?.matches} of ${one?.matches} records agree`)
      expect(verified[1]?.stdout).toBe(verified[0]?.stdout)
    },
  )
})
