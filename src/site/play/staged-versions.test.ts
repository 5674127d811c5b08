import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Entry } from '../../contest/index.js'
import { type SiteEntry, SiteStore } from '../store.js'
import { StagedVersions, sentFolder } from './staged-versions.js'

let workspace: string
let site: SiteStore
let staged: StagedVersions
const notices: string[] = []
beforeEach(() => {
  notices.length = 0
  workspace = mkdtempSync(join(tmpdir(), 'agon-staged-'))
  site = SiteStore.open(workspace)
  staged = new StagedVersions({ site, workspace, notice: (text) => void notices.push(text) })
})
afterEach(async () => {
  await staged.close()
  site.close()
  rmSync(workspace, { recursive: true, force: true })
  if (notices.length > 0) throw new Error(notices.join('\n'))
})

const hashOf = (letter: string): string => letter.repeat(64)
/** A version of a bot with what is staged of its source, as it is and built. */
async function version(name: string, letter: string, state: SiteEntry['state'], contestant = 1): Promise<string> {
  const id = `${name}-${letter}-${state}`
  const about = { contest: 'friday', contestant, spec: '{}', bytes: 1, created: '2026-01-01T00:00:00.000Z' }
  site.addEntry({ ...about, id, name, state: 'building' })
  site.changeEntry(id, { state, source: hashOf(letter) })
  mkdirSync(sentFolder({ workspace }, id), { recursive: true })
  for (const made of ['', '-0123456789abcdef']) {
    const place = join(workspace, 'entrants', `${hashOf(letter)}${made}-mac`)
    mkdirSync(join(place, 'files', 'deep', 'er'), { recursive: true })
    writeFileSync(join(place, 'files', 'deep', 'er', 'program'), 'built')
  }
  return id
}
const left = (): string =>
  [...new Set(readdirSync(join(workspace, 'entrants')).map((name) => name.replace(/^\.?(.).*/, '$1')))].sort().join('')
const swept = async (): Promise<string> => {
  staged.sweep()
  await staged.settled()
  return left()
}

it('what is staged of a version that is replaced or rejected is removed, and what others need is kept', async () => {
  await version('Heron', 'a', 'placed')
  await version('Heron', 'b', 'playing')
  await version('Heron', 'c', 'building')
  await version('Gull', 'd', 'rejected', 2)
  // A source of two people: one has replaced it.
  await version('Tern', 'e', 'placed', 3)
  await version('Tern', 'f', 'placed', 3)
  await version('Owl', 'e', 'playing', 4)
  // Played by the command line: it is no version of the site's.
  mkdirSync(join(workspace, 'entrants', `${hashOf('9')}-mac`))
  expect(await swept()).toBe('9bcef')
  expect(site.entry('Heron-a-placed')?.source).toBeUndefined()
  expect(site.entry('Heron-b-playing')?.source).toBe(hashOf('b'))
})

it('a version that is in a match keeps it until the match is over', async () => {
  const before = await version('Heron', 'a', 'placed')
  await version('Heron', 'b', 'playing')
  const entry = { base: sentFolder({ workspace }, before) } as Entry
  const release = staged.hold([entry, entry])
  expect(await swept()).toBe('ab')
  await staged.within([entry], async () => expect(await swept()).toBe('ab'))
  expect(await swept()).toBe('ab')
  release()
  await staged.settled()
  expect(left()).toBe('b')
})

it('at the start what never came in is removed, and the files of a rejected version', async () => {
  const kept = await version('Heron', 'a', 'placed')
  const rejected = await version('Gull', 'b', 'rejected', 2)
  mkdirSync(sentFolder({ workspace }, 'never'), { recursive: true })
  staged.open()
  await staged.settled()
  expect([kept, rejected, 'never'].map((id) => existsSync(sentFolder({ workspace }, id)))).toEqual([true, false, false])
  expect(left()).toBe('a')
})

it('a site that ends removes nothing more, and the next one does', async () => {
  await version('Gull', 'b', 'rejected', 2)
  staged.sweep()
  await staged.close()
  expect(left()).toBe('b')
  staged = new StagedVersions({ site, workspace, notice: (text) => void notices.push(text) })
  staged.open()
  await staged.settled()
  expect(left()).toBe('')
})
