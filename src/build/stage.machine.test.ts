import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Fill, Stage } from './stage.js'

// It loads the stage twice, and changes what it imports: no other file may share its process.
/** What the next look through a folder waits for, once it is done. */
const looks = vi.hoisted(() => ({ next: undefined as Promise<void> | undefined }))
vi.mock(import('../files/index.js'), async (original) => {
  const files = await original()
  const paced: typeof files.paced = async (work) => {
    const done = await files.paced(work)
    const wait = looks.next
    looks.next = undefined
    await wait
    return done
  }
  return { ...files, paced }
})

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agon-stage-'))
  vi.stubEnv('XDG_CACHE_HOME', at('cache'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})
const at = (name: string): string => join(folder, name)
const KEY = 'a'.repeat(64)

/** The stage of another process: it shares nothing with this one but the workspace. */
async function elsewhere(): Promise<Stage> {
  vi.resetModules()
  const { Stage: Another } = await import('./stage.js')
  return new Another(at('workspace'))
}
const writing = (text: string) => async (into: string) => {
  writeFileSync(join(into, 'bot.sh'), text)
  return into
}
function gated(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve: () => resolve() }
}
const left = (): string[] => readdirSync(at('workspace/entrants')).filter((name) => name.startsWith('.'))

describe('one source that two processes stage at once', () => {
  it('is made aside by each process, and is that of the first', async () => {
    const [one, two] = [new Stage(at('workspace')), await elsewhere()]
    const gate = gated()
    const slow = one.place(KEY, async (into) => {
      await gate.promise
      return writing('slow')(into)
    })
    const place = await two.place(KEY, writing('quick'))
    gate.resolve()
    expect(await slow).toBe(place)
    expect(readFileSync(join(place, 'bot.sh'), 'utf8')).toBe('quick')
    expect(left()).toEqual([])
  })

  it('is not removed as broken once another process has made it anew', async () => {
    const [one, two] = [new Stage(at('workspace')), await elsewhere()]
    const place = await one.place(KEY, writing('true'))
    writeFileSync(join(place, 'bot.sh'), 'forged')
    const gate = gated()
    looks.next = gate.promise
    const fill = vi.fn<Fill>(writing('again'))
    const late = one.place(KEY, fill)
    await vi.waitFor(() => expect(looks.next).toBeUndefined())
    expect(await two.place(KEY, writing('anew'))).toBe(place)
    gate.resolve()
    expect(await late).toBe(place)
    expect(readFileSync(join(place, 'bot.sh'), 'utf8')).toBe('anew')
    expect(fill).not.toHaveBeenCalled()
    expect(left()).toEqual([])
  })
})
