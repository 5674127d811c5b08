import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { StoredRun } from '../../test/kit/stored-run.js'
import { openStore } from '../store/index.js'
import type { RunEvent, RunOutcome } from './run-events.js'
import { runContest } from './run.js'
import { VERSION } from './version.js'

const place = new StoredRun()
place.write('dumb.js', 'export default () => { throw new Error("not today") }\n')
/** Waits in its admission, when fifty others were asked before it, until a match was stored. */
place.write(
  'patient.js',
  `export default async () => {
  const seen = (globalThis.patient ??= { asked: 0, landed: false })
  for (seen.asked++; seen.asked > 50 && !seen.landed; ) await new Promise((done) => setTimeout(done, 1))
  return 'W'
}
`,
)
const seen = (): { landed: boolean } => (globalThis as unknown as { patient: { landed: boolean } }).patient

const usual = (i: number): string => (i % 2 === 0 ? 'strike.js' : 'wait.js')
const dumb = (i: number): string => ([7, 93].includes(i) ? 'dumb.js' : usual(i))

/** A field of a hundred, less some. */
function contestOf(name: string, moduleOf: (i: number) => string, without: readonly number[] = []): string {
  const entrants = Array.from({ length: 100 }, (_, i) =>
    without.includes(i) ? '' : `[[entrants]]\nname = "B${i}"\nmodule = "${moduleOf(i)}"\n`,
  )
  const head = 'game = "samurai"\nseed = "a"\n[options]\nturns = 3\n[limits]\nturn = 60000\n'
  return place.write(`${name}.toml`, `${head}[format]\nkind = "swiss"\nrounds = 1\n${entrants.join('')}`)
}

async function run(name: string, file: string): Promise<{ readonly outcome: RunOutcome; readonly news: string[] }> {
  const news: string[] = []
  const on = ({ type }: RunEvent): void => {
    if (type === 'match' && name === 'patient') seen().landed = true
    if (type !== 'match' && type !== 'round') news.push(type)
  }
  const context = { ...place.context, workspace: place.path(`${name}.workspace`) }
  const outcome = await runContest(
    file,
    { out: place.path(`${name}.out`), trust: true, jobs: 2, timed: 2 },
    context,
    on,
  )
  return { outcome, news }
}

it('a large field begins to play while others are still tried', async () => {
  const { outcome, news } = await run(
    'patient',
    contestOf('patient', () => 'patient.js'),
  )
  expect(outcome.standings.rows).toHaveLength(100)
  expect(news).toEqual(['admitted', 'began', 'ended', 'table'])
})

it('where an entrant gives no answer meanwhile, the run is as it would have been without it', async () => {
  const { outcome, news } = await run('dumb', contestOf('dumb', dumb))
  expect(outcome.leftOut.map(({ name, why }) => [name, why.replace(/:.*/, '')])).toEqual([
    ['B7', 'gave no answer to its first question'],
    ['B93', 'gave no answer to its first question'],
  ])
  expect(news).toEqual(['admitted', 'began', 'ended', 'began', 'ended', 'table'])
  const { outcome: without } = await run('without', contestOf('without', dumb, [7, 93]))
  const texts = ['dumb', 'without'].map((name) =>
    readFileSync(join(place.path(`${name}.out`), 'standings.csv'), 'utf8'),
  )
  expect(texts[0]).toBe(texts[1])
  expect(outcome.result.jobKeys).toEqual(without.result.jobKeys)
  const store = openStore(place.path('dumb.workspace'), VERSION)
  try {
    expect((await store.runs()).map(({ matches, plan }) => [matches, plan.names.length])).toEqual([
      [outcome.result.played, 98],
    ])
  } finally {
    await store.close()
  }
})
