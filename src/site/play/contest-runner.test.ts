import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { contestOf } from '../../../test/site/site.js'
import type { runParsed } from '../../app/run/run.js'
import { BusyError, UserError } from '../../core/index.js'
import { FullDisk } from '../../store/index.js'
import { openSite } from '../context.js'
import { sentFolder } from './staged-versions.js'
import { termsHash } from '../../app/run/same.js'
import { hostedContest, parsedContest } from '../contests.js'
import { createContest } from '../hosting.js'
import { ContestRunner } from './contest-runner.js'

it('a contest goes on by itself after a full disk or a busy machine, and fails by any other mistake', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-runner-'))
  const notices: string[] = []
  const site = await openSite({ workspace, notice: (text) => void notices.push(text) })
  const faults = [
    new FullDisk('agon.db: no space left'),
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    new BusyError('busy'),
    new UserError('its game is gone'),
  ]
  let calm = 0
  const run = vi.fn<typeof runParsed>(async () => Promise.reject(faults.shift() ?? new Error('played once more')))
  const runner = new ContestRunner(site, {}, async () => void calm++, run)
  const { id } = await createContest(site, contestOf(1))
  runner.start(id)
  await vi.waitFor(async () => expect(site.site.contest(id)?.state).toBe('failed'))
  expect([calm, run.mock.calls.length]).toEqual([3, 4])
  expect(site.site.contest(id)?.why).toBe('its game is gone')
  expect(notices.filter((text) => text.includes('it goes on in a minute'))).toHaveLength(3)
  await runner.close()
  await site.close()
  rmSync(workspace, { recursive: true, force: true })
})

it('a version whose check has asked its first question is not asked again by the run; house bots are, and one that was checked under other terms', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-runner-'))
  const site = await openSite({ workspace, notice: () => undefined })
  const run = vi.fn<typeof runParsed>(async () => Promise.reject(new UserError('enough')))
  const runner = new ContestRunner(site, {}, async () => undefined, run)
  const { id } = await createContest(site, contestOf(1))
  const { contest } = await parsedContest(site, await hostedContest(site, id))
  for (const [name, terms] of [
    ['Heron', contest],
    ['Gull', { ...contest, steps: 9 }],
  ] as const) {
    const folder = sentFolder(site, name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'bot.sh'), 'echo B')
    const spec = JSON.stringify({ name, command: 'sh bot.sh' })
    const about = { id: name, contest: id, contestant: 0, name, spec, bytes: 4096, created: new Date().toISOString() }
    site.site.addEntry({ ...about, state: 'playing' })
    site.site.changeEntry(name, { terms: termsHash(terms) })
  }
  runner.start(id)
  await vi.waitFor(() => expect(run).toHaveBeenCalled())
  const [resolved, options] = run.mock.calls[0] ?? []
  expect(resolved?.entries.map(({ spec }) => spec.name)).toEqual(['Hedgehog', 'Abacus', 'Heron', 'Gull'])
  expect([...(options?.checked ?? [])]).toEqual(['Heron'])
  await runner.close()
  await site.close()
  rmSync(workspace, { recursive: true, force: true })
})
