import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contestOf } from '../../test/site/site.js'
import { workspaceAt } from '../app/workspace.js'
import { addContestant } from './contestants.js'
import { findContest, hostedContest, listContests } from './contests.js'
import { changeContestText, controlContest, createContest } from './hosting.js'
import { gamesWith } from './context.js'
import { type SiteServices, openServices } from './app.js'
import { matchesOfContest } from './matches.js'
import { putOut } from './entrants.js'
import { standingsOfContest } from './standings.js'
import { callerOf } from './http/callers.js'

const GAMES = join(import.meta.dirname, '../../test/games')
/* The use cases of a site, called as a server calls them, without a server. */

const HOST = { role: 'host' } as const
const folder = mkdtempSync(join(tmpdir(), 'agon-hosting-'))
const context = { workspace: workspaceAt(folder), notice: () => undefined }
let services: SiteServices & { close(): Promise<void> }
beforeAll(async () => {
  services = await openServices(context)
})
afterAll(async () => {
  await services.close()
  rmSync(folder, { recursive: true, force: true })
})

const state = async (id: string): Promise<string> => (await findContest(services.site, id)).facts.state
async function ended(id: string): Promise<void> {
  while ((await state(id)) === 'playing') await new Promise((done) => setTimeout(done, 20))
}

const lucks = async (id: string): Promise<readonly string[]> => {
  const { store } = services.site
  const { matches } = await store.browse((await findContest(services.site, id)).run?.id ?? '', { limit: 10 })
  return Promise.all(matches.map(async (match) => (await store.recordOf(match.id)).luck.seed))
}

it('a contest deals other luck than another one of the same text', async () => {
  const { site, runner } = services
  const dealt: string[] = []
  for (let n = 0; n < 2; n++) {
    const { id } = await createContest(site, contestOf(1))
    await controlContest(site, runner, id, 'start')
    await ended(id)
    dealt.push(...(await lucks(id)))
    await controlContest(site, runner, id, 'finish')
  }
  expect(new Set(dealt).size).toBe(2)
})

it('a contest that its host finishes has ended for good', async () => {
  const { site, runner } = services
  const { id } = await createContest(site, contestOf(100_000))
  await controlContest(site, runner, id, 'start')
  await controlContest(site, runner, id, 'finish')
  expect((await findContest(site, id)).facts).toMatchObject({ state: 'finished', final: true })
  for (const verb of ['start', 'pause', 'resume', 'finish'] as const)
    await expect(controlContest(site, runner, id, verb)).rejects.toThrow('ended for good')
  await expect(changeContestText(site, runner, id, contestOf(1))).rejects.toThrow('ended for good')
  runner.revise(id)
  // A start that was asked for before the end, and comes after it.
  runner.start(id)
  expect(await state(id)).toBe('finished')
  const ada = { role: 'contestant', contest: id, number: 1, name: 'Ada' } as const
  site.site.addEntry({
    id: 'e',
    contest: id,
    contestant: 1,
    name: 'X',
    state: 'placed',
    spec: '{}',
    bytes: 0,
  })
  const request = { status: 'withdrawn', treatment: 'void', why: '' } as const
  await expect(putOut(site, runner, { contest: id, name: 'X', ...request }, ada)).rejects.toThrow('ended for good')
})

it('a contest is created, changed, played, and its table and matches are read', async () => {
  const { site, runner } = services
  const { id } = await createContest(site, contestOf(1))
  expect(await state(id)).toBe('created')
  await expect(controlContest(site, runner, id, 'pause')).rejects.toThrow('its state is created')
  await changeContestText(site, runner, id, contestOf(2).replace('"Friday"', '"Saturday"'))
  expect((await hostedContest(site, id)).toml).toContain('repetitions = 2')
  expect((await listContests(site)).map(({ title }) => title)).toContain('Saturday')

  await controlContest(site, runner, id, 'start')
  await ended(id)
  expect(await state(id)).toBe('finished')
  const found = await findContest(site, id)
  // One pair, twice; the seats of Samurai are alike, so a pair plays in one order only.
  const { matches, rows } = await standingsOfContest(site, found)
  expect([matches, rows.map(({ name }) => name).sort()]).toEqual([2, ['Abacus', 'Hedgehog']])
  const { items, next } = await matchesOfContest(site, found, { limit: 1 })
  expect([items.length, next === null]).toEqual([1, false])
  expect((await matchesOfContest(site, found, { limit: 1, cursor: next! })).items).toHaveLength(1)
  await expect(controlContest(site, runner, id, 'start')).rejects.toThrow('it has ended')
  await expect(changeContestText(site, runner, id, contestOf(3))).rejects.toThrow('its format can no longer change')
})

it('a mistake in a contest’s text is refused with its line', async () => {
  const wrong = createContest(services.site, contestOf(1).replace('"samurai"', '"samura"'))
  await expect(wrong).rejects.toMatchObject({ status: 400, detail: { line: 2 } })
})

it('a contest says whether bots may play from their authors’ machines', async () => {
  const { site } = services
  const remoteOf = async (more: string) => {
    const { id } = await createContest(site, contestOf(1, more))
    return (await findContest(site, id)).facts.remote
  }
  expect([await remoteOf('remote = true'), await remoteOf('')]).toEqual([true, undefined])
})

it('an entrant is put out once, by the host, and the table says so', async () => {
  const { site, runner } = services
  const { id } = await createContest(site, contestOf(1))
  const request = { status: 'disqualified', treatment: 'void', why: 'it copied' } as const
  const anyone = { role: 'anonymous' } as const
  await expect(putOut(site, runner, { contest: id, name: 'Abacus', ...request }, anyone)).rejects.toMatchObject({
    status: 403,
  })
  await expect(putOut(site, runner, { contest: id, name: 'Abacos', ...request }, HOST)).rejects.toThrow(
    'did you mean "Abacus"',
  )
  const note = 'Abacus is disqualified (it copied): none of its matches counts'
  expect(await putOut(site, runner, { contest: id, name: 'Abacus', ...request }, HOST)).toEqual({ note })
  await expect(putOut(site, runner, { contest: id, name: 'Abacus', ...request }, HOST)).rejects.toMatchObject({
    status: 409,
  })
  await controlContest(site, runner, id, 'start')
  await ended(id)
  expect((await standingsOfContest(site, await findContest(site, id))).notes).toContain(note)
})

it('a contestant’s token is good until it is renewed or revoked', async () => {
  const { site } = services
  const { id } = await createContest(site, contestOf(1))
  const nameOf = (token: string) => {
    const caller = callerOf(site.site, token)
    return caller?.role === 'contestant' ? caller.name : undefined
  }
  const first = await addContestant(site, id, ' Ann ', HOST)
  expect([first.name, nameOf(first.token)]).toEqual(['Ann', 'Ann'])
  await expect(addContestant(site, id, 'Ann', HOST)).rejects.toMatchObject({ status: 409 })
  await expect(addContestant(site, id, 'Bob', { role: 'anonymous' })).rejects.toMatchObject({ status: 401 })
})

it('a contest of a game that the site no longer has is shown, and nobody sits down in it', async () => {
  const own = mkdtempSync(join(tmpdir(), 'agon-hosting-'))
  const at = { workspace: workspaceAt(own), notice: () => undefined }
  const before = await openServices(at, { games: await gamesWith([join(GAMES, 'dilemma.ts')]) })
  const toml = 'title = "D"\ngame = "dilemma"\nsignup = true\n[format]\nkind = "round-robin"\n'
  const { id } = await createContest(before.site, toml)
  expect((await listContests(before.site))[0]).toMatchObject({ id, signup: true, entrants: [] })
  await before.close()
  const after = await openServices(at)
  const shown = { id, title: 'D', state: 'created', sittings: false }
  expect((await listContests(after.site))[0]).toMatchObject(shown)
  expect((await findContest(after.site, id)).facts).toMatchObject(shown)
  await after.close()
  rmSync(own, { recursive: true, force: true })
})
