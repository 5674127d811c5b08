import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TestContest } from '../../../test/kit/stored-run.js'
import { STDERR_KEPT } from '../../sandbox/index.js'
import { type StoredRun, type Store } from '../../store/index.js'
import type { RunEvent } from './options.js'
import { runContest } from './run.js'
import { withRun } from '../stored.js'

const place = new TestContest()
const inStore = <T>(work: (store: Store, run: StoredRun) => Promise<T>, contest = place.contest): Promise<T> =>
  withRun(contest, undefined, place.context, work)
const notes = (contest?: string) =>
  inStore(async (store, { id }) => (await store.log(id)).map(({ what }) => what), contest)

describe('the summary of a run', () => {
  it('that was interrupted is kept as unfinished, with its table so far and no report', async () => {
    const { result } = await place.play({}, 1)
    expect(result.finished).toBe(false)
    const [run, ratings] = await inStore(async (store, one) => [one, await store.ratings(one.id)] as const)
    expect([run.state, run.matches]).toEqual(['open', result.played])
    expect((await notes()).at(-1)).toBe('interrupted')
    expect(ratings.length).toBeLessThanOrEqual(3)
    expect(readFileSync(join(place.out, 'results.md'), 'utf8')).toContain(`${result.played} match`)
    expect(readFileSync(join(place.out, 'results.md'), 'utf8')).toContain('so far')
    expect(existsSync(join(place.out, 'report.html'))).toBe(false)
  })

  it('that is over is stored before its table is told, and its files are written after', async () => {
    const seen: unknown[] = []
    const on = (news: RunEvent): void => {
      if (news.type === 'table') seen.push(existsSync(join(place.path('whole'), 'results.json')), news.outcome)
    }
    const options = { out: place.path('whole'), trust: true, jobs: 1, timed: 1, fresh: true }
    const outcome = await runContest(place.contest, options, place.context, on)
    expect(seen).toEqual([false, outcome])
    const [run, ratings] = await inStore(async (store, one) => [one, await store.ratings(one.id)] as const)
    expect([run.state, run.matches]).toEqual(['finished', 3])
    expect(ratings.length).toBeGreaterThanOrEqual(3)
    expect((await notes()).at(-1)).toBe('finished')
    expect(readdirSync(place.path('whole'))).toEqual(expect.arrayContaining(['report.html', 'results.json']))
    expect(readFileSync(join(place.path('whole'), 'results.md'), 'utf8')).not.toContain('so far')
  })

  it('without results is stored just the same, and leaves no folder', async () => {
    const outcome = await place.play({ results: false, fresh: true, out: place.path('none') })
    expect(outcome.standings.rows).toHaveLength(3)
    expect(existsSync(join(place.path('none'), 'results.json'))).toBe(false)
    expect(await inStore(async (_, { state }) => state)).toBe('finished')
  })

  it('keeps the end of what a bot printed, and no more than its share', async () => {
    place.write(
      'loud.js',
      `let n = 0
export default () => {
  for (let i = 0; i < 40; i++) console.error(String(n++).padStart(4, '0').repeat(256))
  return 'W'
}
`,
    )
    const entrant = (name: string, module: string) => `[[entrants]]\nname = "${name}"\nmodule = "${module}.js"\n`
    const contest = place.write(
      'loud.toml',
      `game = "samurai"\n[options]\nturns = 6\n[format]\nkind = "round-robin"\nrepetitions = 1\n${entrant('Loud', 'loud')}${entrant('Wait', 'wait')}`,
    )
    const options = { out: place.path('loud'), trust: true, jobs: 1, timed: 1 }
    const { result } = await runContest(contest, options, place.context, () => undefined)
    const kept = await inStore(async (store, { id }) => store.stderr(id, 'Loud'), contest)
    expect(kept.length).toBe(STDERR_KEPT)
    const [last] = /\d{4}(?=\s*$)/.exec(result.stderr.get('Loud') ?? '') ?? []
    expect(kept.trimEnd().slice(-4)).toBe(last)
    expect(readFileSync(join(place.path('loud'), 'logs', 'Loud.stderr.txt'), 'utf8').length).toBeLessThan(
      2 * STDERR_KEPT,
    )
  })
})
