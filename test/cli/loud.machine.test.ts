import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { Place } from './agon.js'

/** It writes 200,000 bytes to its standard error and a state file that is too large, whenever it is asked. */
const LOUD = `[ $# -eq 0 ] && echo ok && exit
head -c 200000 /dev/zero | tr '\\0' x >&2
head -c 1200000 /dev/zero > state/loud.txt
echo D
`
const entrant = (name: string, script: string) => `[[entrants]]\nname = "${name}"\ncommand = "sh ${script}"\n`
const contestOf = (repetitions: number) => `game = "stronger"
seed = "a seed that is long enough"
memory = "tournament"
[options]
turns = 6
[limits]
turn = 20000
[format]
repetitions = ${repetitions}
${entrant('Loud', 'loud.sh')}${entrant('Calm', 'calm.sh')}`
const place = new Place({
  'loud.sh': LOUD,
  'calm.sh': '[ $# -eq 0 ] && echo ok || echo D\n',
  'short.toml': contestOf(4),
  'long.toml': contestOf(12),
})
const KEPT = 64 * 1024

/** Bytes of all files in a folder. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)

/** What a bot's noise leaves of a whole run: in its archive, in the store, and on agon's own standard error. */
async function noise(contest: string, options: readonly string[]) {
  // What was played is not played again: each mode has a workspace of its own.
  const name = [contest, ...options].join('')
  const args = ['run', `${contest}.toml`, '--out', name, '--workspace', `${name}-ws`, ...options]
  const { status, stderr } = await place.agon(args)
  expect(status, stderr).toBe(0)
  const db = new DatabaseSync(place.path(`${name}-ws`, 'agon.db'), { readOnly: true })
  const texts = db
    .prepare("SELECT length(json_extract(doc, '$.text')) AS bytes FROM note WHERE kind = 'stderr'")
    .all() as { bytes: number }[]
  const log = db
    .prepare("SELECT sum(length(json_extract(doc, '$.detail'))) AS bytes FROM note WHERE kind = 'log'")
    .get() as { bytes: number }
  db.close()
  return {
    notes: stderr.split('\n').filter((line) => line.includes('Loud')).length,
    logs: sizeOf(place.path(name, 'logs')),
    stored: texts.reduce((sum, { bytes }) => sum + bytes, 0),
    log: log.bytes,
    written: readFileSync(place.path(name, 'logs', 'Loud.stderr.txt')).length,
  }
}

describe.each([[[]], [['--unsafe-no-isolation']]])('a bot that is loud in every match %j', (options) => {
  it('makes agon keep and tell no more in a long run than in a short one', async () => {
    const [short, long] = [await noise('short', options), await noise('long', options)]
    for (const { written, logs, stored } of [short, long]) {
      expect(written).toBeGreaterThan(KEPT / 2)
      expect(logs).toBeLessThanOrEqual(KEPT)
      expect(stored).toBeLessThanOrEqual(KEPT)
    }
    // Twenty notes, the line that says that there are no more, and a line or two of the table.
    expect([short.notes > 10, long.notes > 20, long.notes < 30]).toEqual([true, true, true])
    expect(long.log).toBeLessThanOrEqual(short.log + 100)
  }, 120_000)
})
