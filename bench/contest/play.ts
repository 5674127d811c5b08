import type * as Jobs from '../../src/app/jobs.js'
import type * as Run from '../../src/app/run.js'

/*
 * Runs a contest in a process of its own, as it is installed, and prints as JSON how long that took. Usage: play FILE OUT WORKSPACE
 */

const [file = '', out = '', workspace = ''] = process.argv.slice(2)
const app = (name: string): string => new URL(`../../dist/app/${name}.js`, import.meta.url).href

const began = performance.now()
const { runContest } = (await import(app('run'))) as typeof Run
const { jobsOf } = (await import(app('jobs'))) as typeof Jobs
const loaded = performance.now()
const context = { workspace, notice: () => undefined }
let [admitted, table] = [NaN, NaN]
const outcome = await runContest(file, { out, ...jobsOf(undefined, false, context) }, context, ({ type }) => {
  if (type === 'admitted') admitted = performance.now()
  if (type === 'table') table = performance.now()
})
const written = performance.now()
const { result, leftOut } = outcome
console.log(
  JSON.stringify({
    matches: result.played,
    leftOut: leftOut.length,
    // From the beginning to the table, without staging, building and admitting.
    seconds: (table - admitted + loaded - began) / 1000,
    // What comes after the table: the results folder with its report.
    writing: (written - table) / 1000,
    admission: (admitted - loaded) / 1000,
  }),
)
process.exit()
