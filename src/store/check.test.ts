import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entrantsOf, keyOf, played, runOf } from '../../test/kit/records.js'
import { shownOf, smallStore } from '../../test/store/flips.js'
import type { CheckOptions, CheckedStore } from './check.js'
import type { PlayedJob } from './port.js'
import { checkStore, openStore, storeFile } from './index.js'
import { Database } from './sqlite/database.js'

let workspace = ''
let whole: Buffer
beforeAll(async () => {
  const made = mkdtempSync(join(tmpdir(), 'agon-check-'))
  whole = await smallStore(made)
  rmSync(made, { recursive: true })
})
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'agon-check-'))
  writeFileSync(storeFile(workspace), whole)
})
afterEach(() => rmSync(workspace, { recursive: true, force: true }))

const checked = (mend = false, judge: CheckOptions['judge'] = () => undefined): Promise<CheckedStore> =>
  checkStore(workspace, 'test', { judge, mend, progress: () => undefined })

function spoil(sql: string): void {
  const db = new Database(storeFile(workspace))
  db.exec(sql)
  db.close()
}

async function using<T>(work: (store: ReturnType<typeof openStore>) => Promise<T>): Promise<T> {
  const store = openStore(workspace, 'test')
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** The run's jobs, to be played again. */
async function jobsOf(run: string): Promise<PlayedJob[]> {
  return using(async (store) => {
    const jobs: PlayedJob[] = []
    for await (const job of store.jobs(run)) jobs.push(job)
    return jobs
  })
}

it('a whole store is found whole, and told how far the look at it is', async () => {
  const seen: number[] = []
  const found = await checkStore(workspace, 'test', {
    judge: () => undefined,
    mend: true,
    progress: (done) => seen.push(done),
  })
  expect(found).toMatchObject({ findings: [], runs: 2, matches: 73, copy: undefined })
  expect(seen).toEqual(Array.from({ length: 73 }, (_, n) => n + 1))
  expect(existsSync(`${storeFile(workspace)}.before-mend-1`)).toBe(false)
})

describe('a damaged job is removed, and the runs that held it are open without it', () => {
  const damages: Record<string, string> = {
    'a place': `UPDATE match SET outcome = replace(outcome, '[1,2]', '[2,1]') WHERE id = (SELECT max(id) FROM match)`,
    // What was ruled of a match that is played again is gone with it.
    'the outcome of many matches': `UPDATE match SET outcome = replace(outcome, '"life":[9', '"life":[1') WHERE key <> '1/x/1'`,
    'who sat where': `UPDATE match SET seats = '["Bee","Ant"]' WHERE id = (SELECT max(id) FROM match)`,
    'a match that is lost': 'DELETE FROM match WHERE id = (SELECT max(id) FROM match)',
    'the number of steps': 'UPDATE match SET turns = turns + 1 WHERE id = (SELECT max(id) FROM match)',
    'a fault': `UPDATE match SET faults = replace(faults, 'timeout', 'crash')`,
    'records that are damaged': 'UPDATE job SET records = zeroblob(9) WHERE number = (SELECT max(number) FROM job)',
    'the checksum of records': 'UPDATE job SET bytes = bytes + 1 WHERE number = (SELECT max(number) FROM job)',
    'the checksum of a job': 'UPDATE job SET sum = sum + 1 WHERE number = (SELECT max(number) FROM job)',
    'a key': 'UPDATE job SET key = zeroblob(16) WHERE number = (SELECT max(number) FROM job)',
    'a job that is lost': 'DELETE FROM job WHERE number = (SELECT max(number) FROM job)',
    'a link that is lost': 'DELETE FROM run_job WHERE number = (SELECT max(number) FROM run_job)',
    'a link to another job': `UPDATE run_job SET job = (SELECT max(job) FROM run_job WHERE run = (SELECT min(number) FROM run))
       WHERE number = (SELECT max(number) FROM run_job)`,
    'the checksum of a link': 'UPDATE run_job SET sum = sum + 1 WHERE number = (SELECT max(number) FROM run_job)',
  }
  it.each(Object.entries(damages))('%s', async (_, sql) => {
    const before = await using(async (store) => Promise.all(['one', 'two'].map((run) => store.leaderboard(run))))
    const jobs = [await jobsOf('one'), await jobsOf('two')]
    spoil(sql)
    const found = await checked()
    expect(found.findings.length).toBeGreaterThan(0)
    expect(found.findings.every(({ mendable, mended }) => mendable && !mended)).toBe(true)
    const mended = await checked(true)
    expect(mended.findings.every((one) => one.mended)).toBe(true)
    expect(existsSync(mended.copy ?? '')).toBe(true)
    expect((await checked()).findings).toEqual([])
    await using(async (store) => {
      const run = await store.run('two')
      expect(run?.state).toBe('open')
      expect((await store.log('two')).at(-1)?.what).toBe('mended')
      expect((await store.results('two')).size).toBe(run?.matches)
      // What is missing is found in the store, or played again.
      for (const [i, id] of ['one', 'two'].entries()) {
        await store.adopt(
          id,
          (jobs[i] ?? []).map(({ key }) => key),
        )
        await store.record(id, jobs[i] ?? [])
      }
      expect(await Promise.all(['one', 'two'].map((id) => store.leaderboard(id)))).toEqual(before)
    })
  })

  it('and a record that the rules judge otherwise', async () => {
    const judge: CheckOptions['judge'] = ({ key, outcome }) => ({
      outcome: key === '1/x/500' ? { ...outcome, reason: 'bored' } : outcome,
      faults: [],
    })
    const found = (await checked(false, judge)).findings.map(({ what }) => what)
    expect(found).toContain('1/x/500: its record does not end as the rules say')
    expect(found).toContain('1/x/0: its faults are not those of its record')
    const broken = await checked(true, () => {
      throw new Error('no such move')
    })
    expect(broken.findings[0]?.what).toMatch(/the rules cannot follow its record \(no such move\)/)
    expect(await using(async (store) => store.run('two'))).toMatchObject({ matches: 0 })
  })

  it('with all jobs of bots that live through the tournament, if what these kept on disk is damaged, or one of their jobs', async () => {
    for (const sql of ['DELETE FROM kept', 'DELETE FROM match WHERE id = (SELECT max(id) FROM match)']) {
      writeFileSync(storeFile(workspace), whole)
      await using(async (store) => {
        const lasting = entrantsOf().map((one) => ({
          ...one,
          memory: one.name === 'Ant' ? ('tournament' as const) : one.memory,
        }))
        const tournament = 'cd'.repeat(16)
        await store.addRun(runOf('lasts', { tournament, entrants: lasting }))
        const jobs = [600, 601, 602].map((n) => ({
          key: keyOf(n),
          matches: [played(`1/y/${n}`, n === 601 ? [1, 2] : [0, 1], [1, 2])],
          kept: { tournament, by: { Ant: { now: { a: 'AA==' } } } },
        }))
        await store.record('lasts', jobs)
      })
      spoil(
        sql === 'DELETE FROM kept' ? `${sql} WHERE entrant = 'Ant' AND tournament = unhex('${'cd'.repeat(16)}')` : sql,
      )
      expect((await checked(true)).findings.every(({ mended }) => mended)).toBe(true)
      expect((await checked()).findings).toEqual([])
      await using(async (store) => {
        expect([...(await store.results('lasts')).keys()]).toEqual(['1/y/601'])
        expect(await store.kept('cd'.repeat(16), 'Ant')).toBeUndefined()
      })
    }
  })
})

describe('what is no job is told, and left as it is', () => {
  const beyond: Record<string, string> = {
    'the title of a run': `UPDATE run SET doc = replace(doc, '"title":"A duel"', '"title":"Another"')`,
    'the state of a run': "UPDATE run SET state = 'finished'",
    'the plan of a run': `UPDATE run SET doc = replace(doc, '"win":1', '"win":2')`,
    'the name of an entrant': `UPDATE run SET doc = replace(doc, '"Ant"', '"Xyz"')`,
    'who is out': "DELETE FROM note WHERE kind = 'exclusion'",
    'a ruling': `UPDATE note SET doc = replace(doc, '[2,1]', '[1,2]') WHERE kind = 'ruling'`,
    ratings: "UPDATE note SET doc = '[]' WHERE kind = 'ratings'",
    'a run that is lost': 'DELETE FROM run WHERE number = (SELECT min(number) FROM run)',
    'how much was written': 'UPDATE writer SET matches = matches + 1',
  }
  it.each(Object.entries(beyond))('%s', async (_, sql) => {
    spoil(sql)
    const found = await checked(true)
    expect(found.findings.length).toBeGreaterThan(0)
    expect(found.findings.some(({ mended }) => !mended)).toBe(true)
    const shown = await using(shownOf).catch((error: unknown) => String(error))
    expect(shown).toMatch(/agon\.db: is damaged/)
  })

  it('and a file that cannot be read is told in a line that sends nobody back to the check', async () => {
    const bytes = Buffer.from(whole)
    bytes.fill(7, 4096)
    writeFileSync(storeFile(workspace), bytes)
    const told = await checked(true).then(({ findings }) => findings.map(({ what }) => what).join(), String)
    expect(told).not.toContain('store check')
    expect(told).toMatch(/cannot/)
  })
})
