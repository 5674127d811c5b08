import type * as Build from '../../src/build/index.js'
import type * as Contest from '../../src/contest/index.js'
import type * as Sandbox from '../../src/sandbox/index.js'

/*
 * Stages and builds the entrants of a contest in a process of its own, as agon is installed, in sandboxes, and prints the seconds that took.
 * Usage: prepare FILE WORKSPACE
 */

const [file = '', workspace = ''] = process.argv.slice(2)
const layer = (name: string): string => new URL(`../../dist/${name}/index.js`, import.meta.url).href
const { prepareEntrants } = (await import(layer('build'))) as typeof Build
const { resolveContest } = (await import(layer('contest'))) as typeof Contest
const { findIsolation } = (await import(layer('sandbox'))) as typeof Sandbox

const { launcher, program: bubblewrap } = await findIsolation()
if (launcher === undefined || bubblewrap === undefined) throw new Error('there are no sandboxes on this machine')
const contest = await resolveContest(file)
const began = performance.now()
const isolation = { maker: { launcher, bubblewrap }, trust: false }
const prepared = await prepareEntrants(contest, { workspace, isolation })
const seconds = (performance.now() - began) / 1000
for (const one of prepared) if ('why' in one) throw new Error(`${one.name}: ${one.why}`)
console.log(seconds)
process.exit()
