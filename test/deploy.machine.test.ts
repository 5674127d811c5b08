import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from '../src/cli/run.js'
import { workerCommand } from '../src/cli/worker.js'
import { openServerStore } from '../src/store/postgres/store.js'
import { Batches } from '../src/workers/queue/boss.js'
import { Tokens } from '../src/workers/queue/tokens.js'
import { PROGRAMS, testServer } from './kit/postgres.js'
import { TestQueue, freshDatabase, requestOf } from './kit/queue.js'
import { TOURNAMENT, entrantsOf, played, runOf } from './kit/records.js'
import { alone } from './kit/store-opening.js'

/* What deploy/ gives a host: as far as it can be tried without the host's machines. */

const folder = fileURLToPath(new URL('../deploy', import.meta.url))
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
const units = readdirSync(folder).filter((name) => name.endsWith('.service'))
const scratch = mkdtempSync(join(tmpdir(), 'agon-deploy-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** The options of a verb, as it makes them itself. */
function optionsOf(verb: string): ReadonlySet<string> {
  const command = new Command(verb)
  if (verb === 'run') runCommand(command)
  else if (verb === 'worker') workerCommand(command)
  return new Set(command.options.flatMap(({ long }) => long ?? []))
}
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe('what is deployed', () => {
  it('starts verbs with options that there are', () => {
    const words = [
      ...units.map((name) => /^ExecStart=\S*\/agon (.*)$/m.exec(textOf(name))?.[1] ?? ''),
      ...[...textOf('compose.yaml').matchAll(/\['agon', (.*)\]/g)].map(([, list = '']) => list.replaceAll(/[',]/g, '')),
      ...[...textOf('compose.yaml').matchAll(/^ {4}command: \['(worker)'\]/gm)].map(([, verb = '']) => verb),
    ]
    expect(words).toHaveLength(4)
    for (const line of words) {
      const [verb = '', ...rest] = line.split(' ')
      for (const flag of rest.filter((word) => word.startsWith('--'))) expect(optionsOf(verb)).toContain(flag)
    }
  })

  it.runIf(hasSystemd).each(units)('%s is what systemd reads', (name) => {
    const file = join(scratch, name)
    writeFileSync(file, textOf(name).replace('/usr/local/bin/agon', process.execPath))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  })

  it.runIf(PROGRAMS !== undefined)('gives workers a user that can play, and do nothing else', async () => {
    const server = await testServer()
    const url = await freshDatabase()
    const database = new URL(url).pathname.slice(1)
    const [before = '', after = ''] = textOf('worker-role.sql')
      .replace(":'password'", "'secret'")
      .split('GRANT USAGE ON SCHEMA', 2)
    await server.query(database, before)
    await server.query(database, `GRANT USAGE ON SCHEMA${after}`)
    const queue = await TestQueue.open(url)
    const token = await new Tokens(queue.store).issue('room')
    const limited = url.replace('postgres@', 'agon_worker:secret@')
    const play = () => Promise.resolve({ failure: 'mistake' as const, why: 'played' })
    await queue.worker('one', play, { token, url: limited })
    const run = await queue.run('run')
    expect(await run.play([requestOf('a')])).toEqual([{ failure: 'mistake', why: 'played' }])
    await queue.store.addRun(runOf('kept'), entrantsOf())
    await queue.close()

    const store = await openServerStore(limited, 'test', () => undefined)
    for (const [n, text] of ['AAAA', 'BBBB'].entries()) {
      const kept = { tournament: TOURNAMENT, by: { Ant: { now: { 'state/a': text } } } }
      const job = { ...alone(n, played(String(n), [0, 1], [1, 2])), kept }
      await store.transaction((tx) => store.recordIn(tx, 'kept', [job]))
      expect(await store.kept(TOURNAMENT, 'Ant')).toEqual({ now: { 'state/a': text } })
    }
    await expect(new Tokens(store).issue('more')).rejects.toThrow('permission denied')
    for (const text of [
      'DELETE FROM agon.match',
      "UPDATE agon.worker SET aside = 'no'",
      'UPDATE agon.worker_token SET revoked = NULL',
      "UPDATE agon.run SET state = 'finished'",
      "INSERT INTO agon.source (hash, data, sum) VALUES ('h', '', 0)",
      "INSERT INTO agon.posting (run, posted) VALUES ('r', '{}')",
      'DELETE FROM agon.kept',
    ])
      await expect(store.query(text), text).rejects.toThrow('permission denied')
    await store.close()
    await (await Batches.open(limited, 1, () => undefined)).close()
  })
})
