import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { BLOWS, ManyMachines, killedRun, seeded } from '../test/kit/killed-run.js'
import { ownServer } from '../test/kit/postgres.js'
import { type Row, fast, figure } from './kit.js'

export const measures =
  'runs on several machines with kill -9 of workers, the coordinator and PostgreSQL, and with workers that stand still: those that end as they should'

const RUNS = 50
const QUICK = 5
/** Most of the time a run waits for leases to end. */
const AT_ONCE = 3

export default async function engineKills(_full: boolean, isQuick: boolean): Promise<readonly Row[]> {
  const runs = isQuick ? QUICK : RUNS
  const folder = mkdtempSync(join(tmpdir(), 'agon-kills-'))
  try {
    const machines = new ManyMachines(folder)
    const whole = await machines.whole()
    const rest = Array.from({ length: runs }, (_, n) => n).values()
    let [same, blows] = [0, 0]
    const work = async (): Promise<void> => {
      for (const n of rest) {
        const server = await ownServer()
        const random = seeded(`engine-kills ${n}`)
        const struck = Array.from(
          { length: 1 + Math.floor(3 * random()) },
          () => BLOWS[Math.floor(BLOWS.length * random())] ?? 'all',
        )
        const what = `${n}: ${struck.join(', ')}`
        try {
          const run = await killedRun(machines, server, { seed: `run ${n}`, blows: struck, total: whole.matches })
          const isSame =
            isDeepStrictEqual(run.came, whole) &&
            run.stored.every((stored) => stored === whole.matches) &&
            run.statuses.every((status) => status === 0)
          if (isSame) same++
          else console.error(`${what}: ended otherwise (stored ${run.stored.join(', ')}, exits ${run.statuses.join()})`)
          blows += struck.length
          console.error(`${what}: at ${run.at.join(', ')} of ${whole.matches}`)
        } catch (error) {
          console.error(`${what}: ${error instanceof Error ? error.message : String(error)}`)
        } finally {
          await server.stop()
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return [fast('runs that end as an undisturbed one', same, runs), figure('blows', blows)]
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
