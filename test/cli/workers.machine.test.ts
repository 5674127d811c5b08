import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findIsolation } from '../../src/sandbox/index.js'
import { type Ended, Place, lastLine, wait } from './agon.js'

/** Long enough that threads are asked to help. */
const FILES = {
  'long.toml': `game = "samurai"
[options]
turns = 14
[limits]
turn = 20000
[format]
kind = "round-robin"
repetitions = 16
[[entrants]]
name = "Dice"
command = "sh dice.sh"
[[entrants]]
name = "Loud"
command = "sh loud.sh"
[[entrants]]
name = "Module"
module = "dice.ts"
[[entrants]]
name = "House"
house = "Hedgehog"
`,
  'dice.sh': `case $((AGON_SEED % 6)) in 0) echo W ;; 1) echo B ;; 2) echo G ;; 3) echo I ;; 4) echo P ;; *) echo O ;; esac\n`,
  'loud.sh': 'echo here >&2; sleep 0.01; echo B\n',
  'dice.ts': `export default (_view: unknown, chance: { below(n: number): number }) => 'WBGIPO'.charAt(chance.below(6))\n`,
}
const args = ['run', 'long.toml', '--seed', '3', '--json', '--out', 'out']
const documentOf = ({ stdout }: Ended) => JSON.parse(stdout) as Readonly<Record<string, unknown>>

/** Waits until the run has threads that play; false: it ended without. */
async function hasThreads(place: Place, ended: Promise<unknown>): Promise<boolean> {
  let over = false
  void ended.then(() => (over = true))
  const rooms = place.path('workspace', 'rooms')
  while (!over) {
    const folders = existsSync(rooms) ? readdirSync(rooms) : []
    if (folders.some((name) => existsSync(`${rooms}/${name}/worker-1/pipes`))) return true
    await wait(5)
  }
  return false
}

/** Processes of this place's bots: launchers hold its rooms' pipes, and programs its files. */
const left = (place: Place): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(place.folder)
    } catch {
      return false
    }
  })

describe.runIf((await findIsolation()).program !== undefined)('a run in several threads', () => {
  it('has the table and the records of a run in one, and what its bots wrote', async () => {
    const [one, many] = [new Place(FILES), new Place(FILES)]
    const alone = await one.agon([...args, '--jobs', '1'])
    const run = many.start([...args, '--jobs', '5'])
    expect(await hasThreads(many, run.ended)).toBe(true)
    const together = await run.ended
    expect([together.status, together.stderr.includes('void')]).toEqual([0, false])
    expect(documentOf(together)).toEqual(documentOf(alone))
    const [a, b] = await Promise.all([one.agon(['verify', 'out']), many.agon(['verify', 'out'])])
    expect(lastLine(b.stdout)).toMatch(/^digest [0-9a-f]{64}$/)
    expect(lastLine(b.stdout)).toBe(lastLine(a.stdout))
    expect(readFileSync(many.path('out', 'logs', 'Loud.stderr.txt'), 'utf8')).toMatch(/^(?:here\n)+$/)
    expect(readdirSync(many.path('workspace', 'rooms'))).toEqual([])
  }, 240_000)

  it.each(['SIGINT', 'SIGKILL'] as const)(
    '%s: what is done is kept, nothing is left, and it goes on',
    async (signal) => {
      const place = new Place(FILES)
      const run = place.start([...args, '--jobs', '2'])
      expect(await hasThreads(place, run.ended)).toBe(true)
      await wait(300)
      run.signal(signal)
      expect((await run.ended).status).toBe(signal === 'SIGINT' ? 130 : null)
      for (let i = 0; i < 100 && left(place).length > 0; i++) await wait(20)
      expect(left(place)).toEqual([])
      const whole = await place.agon([...args, '--jobs', '2', '--resume'])
      expect(whole.status, whole.stderr).toBe(0)
      const document = documentOf(whole)
      expect(document['reused']).toBeGreaterThan(0)
      expect([document['matches'], Number(document['played']) + Number(document['reused'])]).toEqual([96, 96])
      expect(readdirSync(place.path('workspace', 'rooms'))).toEqual([])
    },
    240_000,
  )
})
