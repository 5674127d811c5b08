import { readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findIsolation } from '../../src/sandbox/index.js'
import { Place, wait } from './agon.js'

const MARK = `void${process.pid}`
const { program } = await findIsolation()

/** Bots of both transports that take their time, so that they can be met at it. */
const FILES = {
  'turn.sh': 'sleep 0.03; [ "$#" -lt 6 ] && echo B || echo O\n',
  'lines.sh': 'while read -r l; do case $l in F) sleep 0.02; echo 0 ;; esac; done\n',
  'turn.toml': `game = "samurai"
seed = "v"
[options]
turns = 8
[format]
kind = "round-robin"
repetitions = 4
[[entrants]]
name = "Ant"
command = "sh turn.sh ${MARK}"
[[entrants]]
name = "Bee"
command = "sh turn.sh other"
`,
  'lines.toml': `game = "gunduel"
seed = "v"
memory = "series"
[options]
turns = 8
[format]
kind = "round-robin"
repetitions = 4
[[entrants]]
name = "Ant"
command = "sh lines.sh ${MARK}"
wire = "lines"
[[entrants]]
name = "Bee"
command = "sh lines.sh other"
wire = "lines"
`,
}

/** The bot's own process on the host, where it runs. */
function bot(): number | undefined {
  return readdirSync('/proc')
    .map(Number)
    .find((pid) => {
      try {
        const [first, , word] = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
        return first?.endsWith('sh') && word === MARK
      } catch {
        return false
      }
    })
}
const parent = (pid: number): number =>
  Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1])

describe.runIf(program !== undefined)('a bot that is killed from outside', () => {
  const place = new Place(FILES)

  it.each(['turn', 'lines'])(
    'on the transport %s: its match is void and played again, and that is noted',
    async (transport) => {
      const run = place.start(['run', `${transport}.toml`, '--out', transport, '--jobs', '1', '--json'])
      let over = false
      void run.ended.then(() => (over = true))
      // Once the bot, once the launcher above it; what is killed between two matches cost nothing.
      let killed = 0
      for (let i = 0; !over && killed < 2; i++) {
        await wait(i === 0 ? 0 : 5)
        const pid = bot()
        if (pid === undefined) continue
        try {
          process.kill(killed === 0 ? pid : parent(pid), 'SIGKILL')
          killed++
          await wait(300)
        } catch {
          // It ended just then.
        }
      }
      const { status, stdout, stderr } = await run.ended
      expect(status).toBe(0)
      const { faults, standings, played } = JSON.parse(stdout) as {
        faults: Record<string, unknown>
        standings: { points: number }[]
        played: number
      }
      expect(Object.values(faults).flatMap((kinds) => Object.keys(kinds as object))).toEqual([])
      expect(played).toBe(4)
      expect(standings[0]?.points).toBe(standings[1]?.points)
      expect(stderr).not.toMatch(/^ +at /m)
      const { stdout: log } = await place.agon(['log', `${transport}.toml`, '--json'])
      const voids = log.split('\n').filter((line) => line.includes('"what":"void"'))
      expect(voids.length).toBeGreaterThanOrEqual(1)
      expect(voids[0]).toMatch(/Ant: (ended by signal SIGKILL, which|its sandbox was ended from outside)/)
    },
    60_000,
  )
})
