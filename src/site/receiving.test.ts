import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contestOf } from '../../test/site/site.js'
import { type LoadedContest, parseHosted } from '../contest/parse.js'
import { games } from '../games/index.js'
import type { Exclusion } from '../store/index.js'
import type { SiteEntry } from './store.js'
import { contestantIn, refuseEntry } from './entries.js'
import { Refusal } from './http/answers.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-receiving-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('whose bot it is', () => {
  it('is the contestant’s of this contest, or the host’s', () => {
    expect(contestantIn('friday', { role: 'host' })).toBe(0)
    const ada = { role: 'contestant', number: 3, contest: 'friday', name: 'Ada' } as const
    expect(contestantIn('friday', ada)).toBe(3)
    expect(() => contestantIn('monday', ada)).toThrow('this token is for another contest')
    expect(() => contestantIn('friday', { role: 'anonymous' })).toThrow(Refusal)
  })
})

describe('a bot’s name', () => {
  let loaded: LoadedContest
  beforeAll(async () => {
    loaded = await parseHosted(contestOf(1, 'entries_per_author = 2'), join(folder, 'contest.toml'), games)
  })
  const entry = (name: string, contestant: number, more: Partial<SiteEntry> = {}): SiteEntry =>
    ({ name, contestant, state: 'placed', bytes: 10, spec: '{}', ...more }) as SiteEntry
  const refused = (name: string, all: readonly SiteEntry[] = [], out: readonly Exclusion[] = [], by = 1): string => {
    try {
      refuseEntry({ entries: () => all, exclusions: () => out }, { contest: 'c', name, contestant: by }, loaded)
    } catch (error) {
      if (error instanceof Refusal) return String(error.text)
      throw error
    }
    return ''
  }

  it('is of files, or of a bot on its author’s machine, and not of both', () => {
    const remote = (state: SiteEntry['state']) => [entry('Heron', 1, { spec: '{"remote":true}', state })]
    expect(refused('Heron', remote('placed'))).toMatch('plays from your own machine')
    expect(refused('Heron', remote('rejected'))).toBe('')
    const sent = { contest: 'c', name: 'Heron', contestant: 1, remote: true }
    const siteOf = (all: readonly SiteEntry[]) => ({ entries: () => all, exclusions: () => [] })
    expect(() => refuseEntry(siteOf([entry('Heron', 1)]), sent, loaded)).toThrow('was sent as files')
    expect(() => refuseEntry(siteOf(remote('placed')), sent, loaded)).not.toThrow()
  })

  it('is free, or the contestant’s own: then it is another version', () => {
    expect(refused('Heron')).toBe('')
    expect(refused('Heron', [entry('Heron', 1)])).toBe('')
  })

  it('is another’s where it is, or looks like, that of a house bot or of another contestant', () => {
    for (const name of ['Hedgehog', 'hedgehog', 'Неdgehog']) expect(refused(name)).toContain('is another’s bot')
    expect(refused('HERON', [entry('Heron', 2)])).toContain('is another’s bot')
    // A version that never played leaves its name to others; one that is being built does not.
    expect(refused('Heron', [entry('Heron', 2, { state: 'rejected' })])).toBe('')
    expect(refused('Heron', [entry('Heron', 2, { state: 'rejected', hash: 'h' })])).toContain('is another’s bot')
    expect(refused('Heron', [entry('Heron', 2, { state: 'building' })])).toContain('is another’s bot')
  })

  it('is written as it was at first', () => {
    expect(refused('HERON', [entry('Heron', 1)])).toBe(
      'your bot is called "Heron": write it so, or choose another name',
    )
  })

  it('can be read', () => {
    expect(refused('Her\u202eon')).toContain('choose another')
    expect(refused('x'.repeat(1000))).not.toBe('')
  })

  it('is refused where it is disqualified, and not where it was withdrawn', () => {
    const out = (status: Exclusion['status']): Exclusion => ({ name: 'Heron', status, treatment: 'void', why: '' })
    expect(refused('Heron', [], [out('disqualified')])).toBe('"Heron" is disqualified')
    expect(refused('Heron', [], [out('withdrawn')])).toBe('')
  })

  it('is one of as many as the contest allows an author; the host may enter any number', () => {
    const own = [entry('One', 1), entry('Two', 1), entry('Three', 1, { state: 'rejected' })]
    expect(refused('Four', own)).toBe('a contestant enters 2 at most in this contest, and has One, Two')
    expect(refused('Two', own)).toBe('')
    expect(refused('Four', [entry('One', 0), entry('Two', 0)], [], 0)).toBe('')
  })

  it('is refused where all versions together are too large', () => {
    const large = (contestant: number, bytes: number) => entry(`Bot ${contestant}`, contestant, { bytes })
    expect(refused('Heron', [large(1, 513 * 1024 ** 2)])).toContain('all versions of yours together')
    expect(refused('Heron', [large(2, 513 * 1024 ** 2)])).toBe('')
    expect(refused('Heron', [large(2, 17 * 1024 ** 3)])).toContain('what was entered here')
    expect(refused('Heron', [large(2, 17 * 1024 ** 3)], [], 0)).toBe('')
  })
})
