import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Contest as ContestFacts } from '../src/site/contests.js'
import type { MatchList } from '../src/site/matches.js'
import gunduel from '../src/games/gunduel/index.js'
import { randomMatch } from './kit/archive.js'
import { ServedSite } from './site/served.js'
import { TestSite } from './site/site.js'

/* What docs/serve.md tells a host to type and to write down, tried with the programs that it is for, where they are installed. */
const page = readFileSync(fileURLToPath(new URL('../docs/serve.md', import.meta.url)), 'utf8')

/** The block of that language below a heading. */
const block = (heading: string, language: string): string => {
  const below = page.slice(page.indexOf(`\n## ${heading}\n`))
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(below)?.[1] ?? ''
}
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'agon-serve-doc-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('docs/serve.md', () => {
  it.skipIf(!has('sqlite3'))(
    'backs up a site that is served, and the copy is the same site',
    async () => {
      const served = await ServedSite.open()
      const { site } = served
      const id = await site.contest(2)
      await served.addRun('run', gunduel, ['Ant', 'Bee'])
      const seats = ['Ant', 'Bee'].map((entrant, n) => ({ entrant, id: n }))
      for (const key of ['1/Ant-Bee/1', '1/Ant-Bee/2']) await served.addMatch('run', randomMatch(gunduel, key, seats))
      const matches = async (of: TestSite) =>
        (await of.ask<MatchList>('GET', '/contests/run/matches')).body.items.map(({ key }) => key)
      const before = await matches(site)
      const backup = join(folder, 'backup')
      for (const made of [backup, join(site.workspace, 'uploads')]) mkdirSync(made, { recursive: true })
      const commands = block('Back-up', 'sh')
        .replaceAll('/var/lib/agon/site', site.workspace)
        .replaceAll('/backup', backup)
      execFileSync('sh', ['-e', '-c', commands])
      await served.remove()
      const copy = await TestSite.open({}, backup)
      expect(before.length).toBe(2)
      expect(await matches(copy)).toEqual(before)
      expect((await copy.ask<ContestFacts>('GET', `/contests/${id}`)).body).toMatchObject({ title: 'Friday' })
      await copy.remove()
    },
    120_000,
  )

  it.skipIf(!has('systemd-analyze'))('has a unit that systemd takes', () => {
    const file = join(folder, 'agon.service')
    const unit = block('For a term', 'ini')
    // The user and the program are the host's own.
    writeFileSync(file, unit.replace('User=agon\n', '').replace('/usr/local/bin/agon', process.execPath))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
    expect([status, stderr.split('\n').filter((line) => line.includes('agon.service'))]).toEqual([0, []])
  })

  it.skipIf(!has('nginx'))('has a server that nginx takes', () => {
    const file = join(folder, 'nginx.conf')
    // What names certificates, and the paths of the system, is not there.
    const server = block('Behind a proxy', 'nginx')
      .replace(/listen 443.*|ssl_\w+.*/g, '')
      .replace('server {', 'server { listen 8080;')
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (one) => `${one}_temp_path ${folder}/${one};`,
    )
    writeFileSync(
      file,
      `pid ${folder}/pid; error_log ${folder}/error.log; events {} http { access_log off; ${places.join(' ')} ${server} }`,
    )
    expect(spawnSync('nginx', ['-t', '-c', file, '-e', join(folder, 'error.log')], { encoding: 'utf8' })).toMatchObject(
      { status: 0 },
    )
  })

  it.skipIf(!has('caddy'))('has a site that Caddy takes', () => {
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, block('Behind a proxy', 'caddy'))
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    expect(
      spawnSync('caddy', ['validate', '--adapter', 'caddyfile', '--config', file], { encoding: 'utf8', env }),
    ).toMatchObject({ status: 0 })
  })
})
