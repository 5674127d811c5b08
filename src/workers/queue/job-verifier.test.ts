import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postedDuels } from '../../../test/kit/posted.js'
import type { Bot, MatchRecord } from '../../core/index.js'
import { Arena, type Job } from '../../engine/index.js'
import gunduel from '../../games/gunduel/index.js'
import { JobVerifier } from './job-verifier.js'

const NAMES = ['Ant', 'Bee']
const random: Bot<unknown, string> = (_view, chance) => '0-='.charAt(chance.below(3))
const posted = postedDuels(NAMES, {}, { parcels: [{ house: 'Ant', with: { p: 0.3 } }, { house: 'Bee' }] })

describe('what a worker stored', () => {
  const verifier = new JobVerifier(posted, { definition: gunduel })
  const job: Job = { key: '1/Ant-Bee/0', pairings: [{ key: '1/Ant-Bee/0', seats: [1, 0], deal: 0 }] }
  let rooms = ''
  let record: MatchRecord

  beforeAll(async () => {
    rooms = mkdtempSync(join(tmpdir(), 'agon-verifier-'))
    const entrants = NAMES.map((name, i) => ({
      name,
      wire: 'module',
      memory: 'match' as const,
      given: i === 0 ? { p: 0.3 } : undefined,
      run: { kind: 'module' as const, load: () => Promise.resolve(random) },
    }))
    const arena = new Arena({ ...posted.setup, definition: gunduel, entrants, rooms }, () => undefined)
    const [played] = await arena.job(job, 0)
    await arena.close()
    if (played === undefined) throw new Error('nothing was played')
    record = played
  })
  afterAll(() => rmSync(rooms, { recursive: true, force: true }))

  /** Why a record is refused; its outcome and its faults are those that its judge found. */
  const refusal = (stored: MatchRecord): string | undefined => {
    const { played } = verifier.verify({ job, disturbed: 0 }, { records: [record] })
    return verifier.refuses(job, played?.matches.map((match) => ({ ...match, record: stored })) ?? [])
  }

  it('is accepted with the parameters that its modules were given, and with what lies outside of the digest', () => {
    expect(record.with).toEqual([null, { p: 0.3 }])
    expect(refusal(record)).toBeUndefined()
    expect(refusal({ ...record, figures: [[0, 1, 'hope', 1]], times: [], undrawn: [0] })).toBeUndefined()
  })

  it('is refused with other parameters, and as another match', () => {
    const { with: _, ...without } = record
    expect(refusal(without)).toBe('1/Ant-Bee/0: it stored other parameters of its modules')
    expect(refusal({ ...record, with: [null, { p: 1 }] })).toContain('other parameters')
    expect(refusal({ ...record, with: [{ p: 0.3 }, null] })).toContain('other parameters')
    expect(refusal({ ...record, field: 3 })).toBe('1/Ant-Bee/0: it stored another match')
  })
})
