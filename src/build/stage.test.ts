import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Fill, Stage } from './stage.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agon-stage-'))
  asUser('one')
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})
const at = (name: string): string => join(folder, name)
/** A user is known by what lies in the cache. */
const asUser = (name: string): void => void vi.stubEnv('XDG_CACHE_HOME', at(`cache of ${name}`))

const KEY = 'a'.repeat(64)
/** Places a bot in a workspace, and reads what its folder then holds. */
async function placed(
  workspace = at('workspace'),
): Promise<{ readonly text: string; readonly made: boolean; readonly at: string }> {
  let made = false
  const place = await new Stage(workspace).place(KEY, async (into) => {
    made = true
    writeFileSync(join(into, 'bot.sh'), 'true')
    return into
  })
  return { text: readFileSync(join(place, 'bot.sh'), 'utf8'), made, at: place }
}

describe('what is staged in a workspace', () => {
  it('is made once, and found again by the same user', async () => {
    expect(await placed()).toMatchObject({ text: 'true', made: true })
    expect(await placed()).toMatchObject({ text: 'true', made: false })
  })

  it('is made anew where it has changed', async () => {
    const first = await placed()
    writeFileSync(join(first.at, 'bot.sh'), 'forged')
    expect(await placed()).toMatchObject({ text: 'true', made: true, at: first.at })
    writeFileSync(join(first.at, 'more.sh'), 'forged')
    expect((await placed()).made).toBe(true)
    expect(readdirSync(first.at)).toEqual(['bot.sh'])
  })

  it('is made anew where another user has placed it, whose folder stays as it was', async () => {
    const first = await placed()
    asUser('two')
    const second = await placed()
    expect(second).toMatchObject({ text: 'true', made: true })
    expect(second.at).not.toBe(first.at)
    // A stranger who learns the folder's name has no seal for it.
    rmSync(dirname(second.at), { recursive: true })
    cpSync(dirname(first.at), dirname(second.at), { recursive: true })
    expect((await placed()).made).toBe(true)
    asUser('one')
    expect(await placed()).toMatchObject({ made: false, at: first.at })
  })

  it('is taken from no link, and put through none', async () => {
    const first = await placed()
    mkdirSync(at('forged/files'), { recursive: true })
    writeFileSync(at('forged/files/bot.sh'), 'forged')
    rmSync(dirname(first.at), { recursive: true })
    symlinkSync(at('forged'), dirname(first.at))
    expect(await placed()).toMatchObject({ text: 'true', made: true })
    expect(readFileSync(at('forged/files/bot.sh'), 'utf8')).toBe('forged')
    mkdirSync(at('handed over'))
    symlinkSync(at('forged'), at('handed over/entrants'))
    await expect(placed(at('handed over'))).rejects.toThrow('entrants is a link')
  })
})

const writing = (text: string) => async (into: string) => {
  writeFileSync(join(into, 'bot.sh'), text)
  return into
}
const left = (): string[] => readdirSync(at('workspace/entrants')).filter((name) => name.startsWith('.'))

describe('one source that is staged twice at once', () => {
  it('is made once in a process, whatever the stages', async () => {
    const fill = vi.fn<Fill>(writing('true'))
    const all = [1, 2, 3].map(() => new Stage(at('workspace')).place(KEY, fill))
    const [first = '', ...others] = await Promise.all(all)
    expect(others).toEqual([first, first])
    expect(fill).toHaveBeenCalledTimes(1)
    expect(readFileSync(join(first, 'bot.sh'), 'utf8')).toBe('true')
    expect(left()).toEqual([])
  })

  it('fails for each by itself', async () => {
    const stage = new Stage(at('workspace'))
    const failing = (why: string) => stage.place(KEY, () => Promise.reject(new Error(why)))
    const all = await Promise.allSettled([failing('of Ann'), failing('of Bob'), stage.place(KEY, writing('true'))])
    expect(all).toMatchObject([
      { reason: { message: 'of Ann' } },
      { reason: { message: 'of Bob' } },
      { status: 'fulfilled' },
    ])
    expect(left()).toEqual([])
  })
})

it('of what is kept within bounds, that goes which was not used for longest', async () => {
  const stage = (days = 60) => new Stage(at('cache'), 'builds', { bytes: 50_000, days })
  const keys = ['a', 'b', 'c', 'd'].map((name) => name.repeat(64))
  const [a = '', b = '', c = '', d = ''] = keys
  const place = (key: string, days?: number) => stage(days).place(key, writing('x'.repeat(4000)))
  const kept = () => readdirSync(at('cache/builds')).map((name) => name[0])
  for (const [i, key] of [a, b, c].entries()) {
    const then = new Date(Date.now() - (10 - i) * 60_000)
    utimesSync(join(dirname(await place(key)), 'seal'), then, then)
  }
  await place(a)
  await place(d)
  expect(kept().sort()).toEqual(['a', 'c', 'd'])
  await place(b, 0)
  expect(kept().filter((name) => name !== 'b')).toEqual([])
})
