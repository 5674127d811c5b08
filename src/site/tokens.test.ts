import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SiteStore } from './store.js'
import { UserError } from '../core/index.js'
import { openStoreOf } from '../app/open-store.js'
import { renewedHostToken } from './serve.js'
import { callerOf, firstHostToken, newToken, renewHostToken } from './http/callers.js'

let workspace: string
let site: SiteStore
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'agon-tokens-'))
  site = SiteStore.open(workspace)
})
afterEach(() => {
  site.close()
  rmSync(workspace, { recursive: true, force: true })
})
const context = () => ({ workspace, notice: () => undefined })

it('the host’s token is made once, and a new one takes its place', async () => {
  const first = firstHostToken(site) ?? ''
  expect(first).toMatch(/^agon_h_[\w-]{43}$/)
  expect(firstHostToken(site)).toBeUndefined()
  expect(callerOf(site, first)).toEqual({ role: 'host' })
  const second = renewHostToken(site)
  expect(callerOf(site, second)).toEqual({ role: 'host' })
  expect(callerOf(site, first)).toBeUndefined()
})

it('a contestant’s token is of one contest, until it is renewed or revoked', async () => {
  const [made, renewed] = [newToken('c'), newToken('c')]
  expect(made.token).toMatch(/^agon_c_[\w-]{43}$/)
  expect(made.token).not.toBe(renewed.token)
  site.addContestant({
    contest: 'friday',
    name: 'Ada',
    hash: made.hash,
    made: '2026-01-01T00:00:00.000Z',
  })
  const caller = { role: 'contestant', number: 1, contest: 'friday', name: 'Ada' }
  expect(callerOf(site, made.token)).toMatchObject(caller)
  // The hash is no token.
  expect(callerOf(site, made.hash)).toBeUndefined()
  site.changeContestant('friday', 'Ada', {
    hash: renewed.hash,
    made: '2026-01-02T00:00:00.000Z',
    revoked: null,
  })
  expect(callerOf(site, made.token)).toBeUndefined()
  expect(callerOf(site, renewed.token)).toMatchObject(caller)
  site.changeContestant('friday', 'Ada', { revoked: '2026-01-03T00:00:00.000Z' })
  expect(callerOf(site, renewed.token)).toBeUndefined()
})

it('no token lies in the site’s files', async () => {
  const host = renewHostToken(site)
  const { token, hash } = newToken('c')
  site.addContestant({ contest: 'friday', name: 'Ada', hash, made: '2026-01-01T00:00:00.000Z' })
  const all = Buffer.concat(readdirSync(workspace).map((name) => readFileSync(join(workspace, name)))).toString(
    'latin1',
  )
  expect(all.includes(hash)).toBe(true)
  for (const secret of [host, token]) expect(all.includes(secret.slice('agon_h_'.length))).toBe(false)
})

it('the host of a workspace gets another token also while the site is open; of none there is a mistake', async () => {
  const first = firstHostToken(site) ?? ''
  await expect(renewedHostToken({ ...context(), workspace: join(workspace, 'none') })).rejects.toThrow(UserError)
  await expect(renewedHostToken(context())).rejects.toThrow(UserError)
  await (await openStoreOf(context())).close()
  const second = await renewedHostToken(context())
  expect(callerOf(site, second)).toEqual({ role: 'host' })
  expect(callerOf(site, first)).toBeUndefined()
})
