import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { entrantsOf, runOf } from '../../../test/kit/records.js'
import { shownOf, smallStore } from '../../../test/store/flips.js'
import { derive } from '../../core/index.js'
import type { CheckedStore } from '../checked.js'
import type { MatchFilter } from '../data.js'
import { openStore, storeFile } from '../index.js'
import { checkStore } from './checking.js'
import { Database } from './database.js'

/** Those that the small store keeps. */
const RATINGS = [{ entrant: 1, kind: 'elo', value: 12.5, low: -3, high: 40 }]

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

const checked = (mend = false): CheckedStore =>
  checkStore(workspace, { judge: () => undefined, rate: () => RATINGS, mend, progress: () => undefined })

function spoil(sql: string): void {
  const db = new Database(storeFile(workspace))
  db.exec(sql)
  db.close()
}

async function tables(): Promise<string> {
  const store = openStore(workspace, 'test')
  try {
    const shown = []
    for (const { id } of await store.runs())
      shown.push([...(await store.results(id))], await store.leaderboard(id), await store.page(id, 0))
    return JSON.stringify([shown, await shownOf(store)])
  } finally {
    await store.close()
  }
}

/** Gives the first seat of a match to another entrant. */
const OTHER_SEAT =
  "UPDATE match SET seats = (CAST(seats AS INTEGER) % 4 + 1) || substr(seats, instr(seats, ':')) WHERE id = 9"

/** Which runs hold each match of the store, or why that is not said. */
async function holding(): Promise<string> {
  const store = openStore(workspace, 'test')
  try {
    const held = await Promise.all(Array.from({ length: 74 }, (_, match) => store.runsHolding(match + 1)))
    return JSON.stringify(held)
  } catch (error) {
    return String(error)
  } finally {
    await store.close()
  }
}

it.each([
  ['a link that is lost', 'DELETE FROM run_match WHERE run = 1 AND match = 7'],
  ['a link to another match', 'UPDATE run_match SET match = 10007 WHERE run = 1 AND match = 7'],
  ['a link from another run', 'UPDATE run_match SET run = 3 WHERE run = 1 AND match = 7'],
  [
    'a link that was never made',
    'INSERT INTO run_match SELECT 2, min(match) FROM run_match WHERE match NOT IN (SELECT match FROM run_match WHERE run = 2)',
  ],
])('which runs hold a match does not depend on %s', async (_, sql) => {
  const before = await holding()
  expect(before).toContain('["two","one"]')
  spoil(sql)
  expect(await holding()).toBe(before)
})

it.each([
  ['a run that is lost', 'DELETE FROM run WHERE number = 2'],
  ['a segment that is lost', 'DELETE FROM segment WHERE run = 2'],
  ['a segment of another run', 'UPDATE segment SET run = 3 WHERE run = 2'],
])('which runs hold a match is not said where the store has %s', async (_, sql) => {
  spoil(sql)
  expect(await holding()).toMatch(/^UserError: .*agon\.db: is damaged/)
})

describe('a store is compared with its records', () => {
  it('and a whole one is found whole', () => {
    const found = checked()
    expect([found.findings, found.runs, found.matches]).toEqual([[], 2, 73])
  })

  const mendable: Record<string, string> = {
    'a place': `UPDATE match SET outcome = replace(outcome, '"place":[1,2]', '"place":[2,1]') WHERE id = 7`,
    'the outcome of every match': `UPDATE match SET outcome = replace(outcome, '"life":[9', '"life":[1')`,
    'who sat where': OTHER_SEAT,
    'a seat that is lost': "UPDATE match SET seats = substr(seats, 1, instr(seats, ' ') - 1) WHERE id = 9",
    'a rank': "UPDATE match SET seats = seats || '5' WHERE id = 3",
    'the checksum of a match': 'UPDATE match SET sum = sum + 1 WHERE id = 3',
    'the checksum of where a record lies': 'UPDATE match SET held = held + 1 WHERE id = 3',
    'the counts of an entrant': 'UPDATE run_entrant SET wins = wins + 1 WHERE run = 1 AND place = 2',
    'the counts of a pair': 'UPDATE pair SET ahead = ahead + 1 WHERE run = 2',
    'a pair that is lost': 'DELETE FROM pair WHERE run = 2 AND one = 0',
    'counts of faults': 'UPDATE fault_count SET n = n + 64 WHERE run = 2',
    'the number of matches': "UPDATE digest SET sum = sum + 1 WHERE run = 1 AND part = 'size'",
    'the seed of a run': "UPDATE run SET seed = 'another' WHERE number = 2",
    'the state of a run': "UPDATE run SET state = 'finished', ended = '2024-05-02T10:00:00.000Z' WHERE number = 2",
    'a bit of the plan of a run': `UPDATE run SET plan = replace(plan, '"win":1', '"win":3') WHERE number = 2`,
    'a bit of the title of a run': "UPDATE run SET title = 'A duem' WHERE number = 1",
    'a bit of the name of an entrant': "UPDATE entrant SET name = 'Aot' WHERE name = 'Ant'",
    'which entrant played': 'UPDATE run_entrant SET entrant = 3 WHERE run = 2 AND place = 0',
    'who is out': 'DELETE FROM exclusion',
    'why who is out': "UPDATE exclusion SET why = 'well'",
    'a ruling': `UPDATE ruling SET outcome = replace(outcome, '[2,1]', '[1,2]')`,
    'a ruling that is lost': 'DELETE FROM ruling',
    'a rating': 'UPDATE rating SET value = -value',
    'a bit of the log': "UPDATE log SET what = 'cegan' WHERE id = 1",
    ...Object.fromEntries(
      ['run', 'runs', 'entrants', 'matches', 'segments', 'exclusion', 'ruling', 'rating', 'stderr', 'log'].map(
        (part) => [
          `a bit of the checksum of ${part}`,
          `UPDATE digest SET sum = CASE WHEN sum & 32 THEN sum - 32 ELSE sum + 32 END WHERE part = '${part}'`,
        ],
      ),
    ),
    'a segment that is lost': 'DELETE FROM segment WHERE run = 1',
    'the bytes of a segment': 'UPDATE segment SET data = substr(data, 1, length(data) - 1) WHERE run = 2',
    'a checksum of counts': "UPDATE digest SET sum = sum + 1 WHERE part = 'counts'",
  }
  it.each(Object.entries(mendable))('%s: refused by the table, found, and mended from the records', async (_, sql) => {
    const before = await tables()
    spoil(sql)
    await expect(tables()).rejects.toThrow(/agon\.db: is damaged; agon store check/)
    expect(checked().findings.every(({ mended }) => !mended)).toBe(true)
    const mended = checked(true)
    expect(mended.findings.length).toBeGreaterThan(0)
    expect(mended.findings.filter((one) => !one.mended)).toEqual([])
    expect(existsSync(mended.copy ?? '')).toBe(true)
    expect(checked().findings.map(({ what }) => what)).toEqual([])
    expect((await tables()) === before).toBe(true)
  })

  it.each([
    ["UPDATE match SET outcome = replace(outcome, '[1,2]', '[2,1]') WHERE id = 7", /stored as .*, its record says/],
    [OTHER_SEAT, /its seats are not those of its record/],
    ['UPDATE pair SET ahead = ahead + 1 WHERE run = 2', /its counts are not those of its matches/],
    ['UPDATE match SET sum = sum + 1 WHERE id = 3', /its row is not as it was written/],
  ])('and what is found says in what they differ: %s', (sql, what) => {
    spoil(sql)
    expect(checked().findings.map((found) => found.what)).toContainEqual(expect.stringMatching(what))
  })

  const beyond: Record<string, string> = {
    'the title of a run': "UPDATE run SET title = 'Another' WHERE number = 2",
    'the plan of a run': `UPDATE run SET plan = replace(plan, '"win":1', '"win":2')`,
    'the name of an entrant': "UPDATE entrant SET name = 'Xyz' WHERE name = 'Ant'",
    'who is out, with the log': 'DELETE FROM exclusion; DELETE FROM log',
    'a run that is lost': 'DELETE FROM run WHERE number = 1',
    'the log of a run': 'DELETE FROM log WHERE run = 2',
    'what a bot held on disk': 'DELETE FROM kept',
  }
  it.each(Object.entries(beyond))('%s: found, and reported as what cannot be computed again', (_, sql) => {
    spoil(sql)
    expect(checked(true).findings.filter(({ mended }) => !mended).length).toBeGreaterThan(0)
  })

  it.each<[string, MatchFilter]>([
    ['of all', { last: 5 }],
    ['of an entrant', { entrant: 1, last: 5 }],
    ['of none', { last: 0 }],
  ])(
    'a list of the newest matches %s is what it was without the rows of the run, and tells of lost segments',
    async (_, filter) => {
      const list = async () => {
        const store = openStore(workspace, 'test')
        try {
          return await store.matches('two', filter)
        } finally {
          await store.close()
        }
      }
      const before = await list()
      expect(before).toHaveLength(filter.last ?? 0)
      spoil('DELETE FROM run_match WHERE run = 2 AND match IN (50, (SELECT max(match) FROM run_match WHERE run = 2))')
      expect(await list()).toEqual(before)
      expect(checked().findings).not.toEqual([])
      if (filter.last === 0) return
      for (const sql of [
        'UPDATE segment SET games = games - 1 WHERE run = 2',
        "UPDATE segment SET data = CAST(data || x'00' AS BLOB) WHERE run = 2",
        'DELETE FROM segment WHERE run = 2',
      ]) {
        spoil(sql)
        await expect(list()).rejects.toThrow(/agon\.db: is damaged/)
      }
    },
  )

  it("a run's tournament is computed from what decides it", async () => {
    const identity = { seed: 'x', game: 'duel version 1' }
    const sorted = '{"game":"duel version 1","seed":"x"}'
    const store = openStore(workspace, 'test')
    await store.addRun(runOf('three', { identity, tournament: derive('tournament', sorted) }), entrantsOf())
    await store.close()
    const before = await tables()
    spoil("UPDATE run SET tournament = zeroblob(16) WHERE id = 'three'")
    expect(checked(true).findings).toEqual([expect.objectContaining({ mended: true })])
    expect((await tables()) === before).toBe(true)
  })

  it('matches that are lost, or whose records are, are to be played again', async () => {
    for (const sql of ['DELETE FROM run_match WHERE run = 2 AND match = 50', 'UPDATE pack SET data = zeroblob(200)']) {
      spoil(sql)
      expect(checked().findings.length).toBeGreaterThan(0)
      checked(true)
      expect(checked().findings.map(({ what }) => what)).toEqual([])
      const store = openStore(workspace, 'test')
      expect((await store.run('two'))?.state).toBe('open')
      expect((await store.results('two')).size).toBe((await store.run('two'))?.matches)
      await store.close()
    }
  })
})
