import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { findIsolation } from '../src/sandbox/index.js'
import { MAIN, Place } from './cli/agon.js'
import { PROGRAMS, testServer } from './kit/postgres.js'

/** The blocks of README and docs/scale.md for many machines, typed as they stand, with a server of the test's own in the place of theirs. */
const root = fileURLToPath(new URL('..', import.meta.url))
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const scale = readFileSync(join(root, 'docs/scale.md'), 'utf8')
const blockWith = (page: string, words: string): string =>
  [...page.matchAll(/^```text\n([^]*?)^```$/gm)].map(([, text = '']) => text).find((text) => text.includes(words)) ?? ''
const URL_OF_DOCS = /postgres:\/\/agon:SECRET@[\w.]+:5432\/agon/

const { program: isolation } = await findIsolation()

// PostgreSQL comes from npm or from the machine; strangers' bots play in sandboxes.
describe.skipIf(isolation === undefined || PROGRAMS === undefined)('the blocks for many machines', () => {
  const place = new Place()
  beforeAll(() => {
    mkdirSync(place.path('bin'))
    const shim = (name: string, body: string): void =>
      writeFileSync(place.path('bin', name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
    shim('agon', `exec "${process.execPath}" "${MAIN}" "$@"`)
    shim('npx', 'shift\nexec agon "$@"')
    symlinkSync(join(root, 'contests'), place.path('contests'))
    place.write('friday.toml', /^```toml friday\.toml\n([^]*?)^```$/m.exec(readme)?.[1] ?? '')
    place.write('mybot.sh', 'echo B\n')
  })

  function type(lines: string, store?: string) {
    const env = {
      ...process.env,
      PATH: `${place.path('bin')}:${process.env['PATH']}`,
      AGON_WORKSPACE: place.path('workspace'),
      AGON_STORE: store,
    }
    const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', lines], {
      cwd: place.folder,
      env,
      encoding: 'utf8',
      timeout: 170_000,
    })
    expect([status, status === 0 ? '' : stdout.slice(-600) + stderr.slice(-1500)]).toEqual([0, ''])
    return stdout
  }

  it.each([
    ['README.md', blockWith(readme, 'worker &')],
    ['docs/scale.md', blockWith(scale, 'standings friday.toml')],
  ])('%s: a run whose store is on a server', { timeout: 180_000 }, async (_, text) => {
    const url = await (await testServer()).database()
    expect(text).toMatch(URL_OF_DOCS)
    // A worker that was put into the background stays until it is told to go.
    const after = text.includes('&\n') ? 'kill $! && { wait $! || :; }' : ''
    expect(type(`${text.replace(URL_OF_DOCS, url)}${after}`)).toMatch(/^ *1 /m)
  })
})
