import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { thisProcess } from './owner.js'
import { takeOwnFolder, takeRuntimeFolder } from './own-folder.js'
import { sweep } from './sweep.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agon-lease-test-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** This process as it would be called if it had begun earlier: its number has come again. */
const [pid = '', start = '', ...place] = thisProcess().split('-')
const ended = [pid, Number(start) - 1, ...place].join('-')
const elsewhere = [pid, start, '00000000', '1'].join('-')
const made = (name: string): string => {
  mkdirSync(join(folder, name, 'inner'), { recursive: true })
  writeFileSync(join(folder, name, 'inner', 'file'), 'x')
  return name
}
const names = () => readdirSync(folder).sort()
/** What is removed is out of the way at once, and gone soon. */
const gone = () => vi.waitFor(() => expect(names().filter((name) => name.startsWith('gone-'))).toEqual([]), 20_000)

describe('what ended processes left', () => {
  it('is removed from no folder that a link leads to, and no folder is made there', () => {
    const photos = made('photos')
    mkdirSync(join(folder, photos, `${ended}-11`))
    const shared = join(folder, 'rooms')
    symlinkSync(join(folder, photos), shared)
    expect(() => takeOwnFolder(shared)).toThrow(`${shared} is a link`)
    sweep(shared)
    expect(readdirSync(join(folder, photos)).sort()).toEqual([`${ended}-11`, 'inner'])
  })
  it('is removed, and nothing else', async () => {
    const stays = [made(`${thisProcess()}-0`), made('mine'), made('gone-fishing'), made(`${elsewhere}-0`)]
    made(`${ended}-0`)
    made(`gone-${ended}-1`)
    made(`4194304999-${start}-${place.join('-')}-0`)
    sweep(folder)
    expect(names().filter((name) => !name.startsWith('gone-') || name === 'gone-fishing')).toEqual(stays.sort())
    await vi.waitFor(() => expect(names()).toEqual(stays), 20_000)
  })

  it('of a process that cannot be seen is removed once it gives no more signs of life', async () => {
    const name = made(`${elsewhere}-0`)
    utimesSync(join(folder, name), new Date(0), new Date(0))
    sweep(folder)
    expect(existsSync(join(folder, name))).toBe(false)
    await gone()
  })

  it('is not followed where it is a link, and not touched where it is another user’s', async () => {
    made('outside')
    symlinkSync(join(folder, 'outside'), join(folder, `${ended}-0`))
    symlinkSync(join(folder, 'outside'), join(folder, `gone-${ended}-1`))
    made(`${ended}-2`)
    symlinkSync(join(folder, 'outside'), join(folder, `${ended}-2`, 'inner', 'link'))
    made(`${ended}-3`)
    if (process.getuid?.() === 0) chownSync(join(folder, `${ended}-3`), 65534, 65534)
    sweep(folder)
    await vi.waitFor(() => expect(existsSync(join(folder, `gone-${ended}-2`))).toBe(false), 20_000)
    expect(existsSync(join(folder, 'outside', 'inner', 'file'))).toBe(true)
    expect(lstatSync(join(folder, `${ended}-0`)).isSymbolicLink()).toBe(true)
    expect(existsSync(join(folder, `${ended}-3`))).toBe(process.getuid?.() === 0)
  })

  it('is removed however deep it is, and whatever is closed', async () => {
    const name = made(`${ended}-0`)
    const dig = 'i=0; while [ $i -lt 60 ]; do d=$(printf %0200d $i); mkdir $d && cd -P $d || exit 1; i=$((i+1)); done'
    execFileSync('sh', ['-c', dig], { cwd: join(folder, name) })
    chmodSync(join(folder, name, 'inner'), 0)
    sweep(folder)
    await gone()
    expect(names()).toEqual([])
  })
})

describe('a place of this process', () => {
  it('is its own, and goes when it is released', () => {
    const [one, two] = [takeOwnFolder(folder), takeOwnFolder(folder)]
    expect(one.folder).not.toBe(two.folder)
    writeFileSync(join(one.folder, 'file'), 'x')
    one.release()
    expect(names()).toHaveLength(1)
    two.release()
    expect(names()).toEqual([])
  })

  it('lies in the folder that the system gives its user, where no other user may look in', () => {
    chmodSync(folder, 0o700)
    vi.stubEnv('XDG_RUNTIME_DIR', folder)
    const { folder: own, release } = takeRuntimeFolder()
    expect(own.startsWith(join(folder, 'agon', 'run'))).toBe(true)
    expect(lstatSync(join(folder, 'agon')).mode & 0o077).toBe(0)
    release()
  })

  it.runIf(process.getuid?.() === 0)('is in no folder, and behind no link, that another user has made', () => {
    vi.stubEnv('XDG_RUNTIME_DIR', '')
    vi.stubEnv('TMPDIR', folder)
    vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'))
    mkdirSync(join(folder, 'cache'))
    made('outside')
    symlinkSync(join(folder, 'outside'), join(folder, 'agon-0'))
    const linked = takeRuntimeFolder()
    expect(linked.folder.startsWith(join(folder, 'cache', 'agon'))).toBe(true)
    linked.release()
    rmSync(join(folder, 'agon-0'))
    mkdirSync(join(folder, 'agon-0'))
    chownSync(join(folder, 'agon-0'), 65534, 65534)
    const planted = takeRuntimeFolder()
    expect(planted.folder.startsWith(join(folder, 'cache', 'agon'))).toBe(true)
    planted.release()
    expect(readdirSync(join(folder, 'outside'))).toEqual(['inner'])
  })

  it('is reported where there is none', () => {
    vi.stubEnv('XDG_RUNTIME_DIR', '')
    vi.stubEnv('TMPDIR', join(folder, 'not there'))
    vi.stubEnv('XDG_CACHE_HOME', join(folder, 'nor there'))
    expect(() => takeRuntimeFolder()).toThrow(/tried .*agon-.* \(ENOENT\).*: set TMPDIR|tried .*set TMPDIR/)
    expect(names()).toEqual([])
  })
})
