import type * as Jobs from '../../src/app/machine.js'
import type * as Run from '../../src/app/run/run.js'

/*
 * Runs a contest in a process of its own, as it is installed, and prints as JSON when its entrants were admitted, what it took of the
 * processors, and how far its memory grew beyond what it was when a first part was played. Usage: field FILE OUT WORKSPACE [admission] [trust]
 *
 * `admission`: no match is waited for. `trust`: modules run in this process.
 */

const [file = '', out = '', workspace = '', ...how] = process.argv.slice(2)
const app = (name: string): string => new URL(`../../dist/app/${name}.js`, import.meta.url).href
const { runContest } = (await import(app('run'))) as typeof Run
const { jobsOf } = (await import(app('jobs'))) as typeof Jobs

/** Matches after which memory counts: all is compiled, and every part of a run has its caches. */
const WARM = 5000
const LOOK_MS = 200

const stop = new AbortController()
const context = { workspace, notice: () => undefined, signal: stop.signal }
const began = performance.now()
let admitted = NaN
let matches = 0
let least = NaN
let most = 0
const look = (): void => {
  const { rss } = process.memoryUsage()
  if (matches > WARM) {
    if (Number.isNaN(least)) least = rss
    most = Math.max(most, rss)
  }
}
const timer = setInterval(look, LOOK_MS)
const ended = runContest(
  file,
  { out, trust: how.includes('trust'), ...jobsOf(undefined, false, context) },
  context,
  ({ type }) => {
    if (type === 'match') matches++
    if (type !== 'admitted') return
    admitted = (performance.now() - began) / 1000
    if (how.includes('admission')) stop.abort(new Error('enough'))
  },
)
await ended.catch((error: unknown) => {
  if (!stop.signal.aborted) throw error
})
clearInterval(timer)
look()
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    admitted,
    matches,
    seconds: (performance.now() - began) / 1000,
    cpu: (user + system) / 1e6,
    grown: (most - least) / 1024 ** 2,
  }),
)
process.exit()
