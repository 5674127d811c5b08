import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { PROGRAMS, testServer } from '../kit/postgres.js'
import { Place } from './agon.js'

const place = new Place({
  'four.toml': `title = "Four"\ngame = "samurai"\nseed = "9"\n[options]\nturns = 6\n[format]\nkind = "round-robin"\nrepetitions = 2\n${[
    'O',
    'W',
    'B',
  ]
    .map((letter) => `[[entrants]]\nname = "Bot${letter}"\nmodule = "${letter}.js"\n`)
    .join('')}`,
  ...Object.fromEntries(['O', 'W', 'B'].map((letter) => [`${letter}.js`, `export default () => '${letter}'\n`])),
})

/** The line that reports a mistake; exit code 2. */
async function refusal(args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await place.agon(args)
  expect([status, stdout], stderr).toEqual([2, ''])
  expect(stderr.trim().split('\n')).toHaveLength(1)
  return stderr
}

describe('where a server is named', () => {
  it('refuses what is no URL of PostgreSQL, wherever it was named, and repeats no password', async () => {
    const mysql = await refusal(['runs', '--store', 'mysql://me:hush@127.0.0.1/x'])
    expect(mysql).toMatch(/--store begins with mysql:\/\/.*postgres:\/\//)
    const none = await refusal(['standings', 'four.toml', '--store', 'me:hu sh@127.0.0.1'])
    expect(none).toMatch(/postgres:\/\/USER:PASSWORD@HOST/)
    expect(mysql + none).not.toMatch(/hu ?sh/)
    process.env['DATABASE_URL'] = 'mysql://127.0.0.1/x'
    try {
      expect(await refusal(['runs'])).toMatch(/DATABASE_URL begins with mysql/)
      // The file is named in its place.
      expect(await refusal(['runs', '--store', 'workspace'])).toMatch(/holds no store yet/)
    } finally {
      delete process.env['DATABASE_URL']
    }
  })

  it('says where no server answers', async () => {
    const nobody = createServer().listen(0, '127.0.0.1')
    await new Promise((done) => nobody.once('listening', done))
    const { port } = nobody.address() as { port: number }
    await new Promise((done) => nobody.close(done))
    const line = await refusal(['log', 'four.toml', '--store', `postgres://me:hush@127.0.0.1:${port}/x`])
    expect(line).toContain(`no server answers at 127.0.0.1:${port} (ECONNREFUSED)`)
    expect(line).not.toContain('hush')
  })
})

describe.runIf(PROGRAMS !== undefined)('on a server', () => {
  let url = ''
  beforeAll(async () => {
    url = await (await testServer()).database()
  }, 300_000)

  it('looks at a server without leaving anything there', async () => {
    const server = await testServer()
    const fresh = await server.database()
    expect(await refusal(['runs', '--store', fresh])).toMatch(/holds no store of agon yet/)
    const schemas = await server.query(
      fresh.split('/').at(-1) ?? '',
      "select 1 from pg_namespace where nspname = 'agon'",
    )
    expect(schemas).toEqual([])
  })

  it('keeps a run, which another workspace goes on with; archives have the same bytes from either store', async () => {
    const file = await place.agon(['run', 'four.toml', '--trust', '--json', '--out', 'file'])
    const stored = await place.agon(['run', 'four.toml', '--trust', '--json', '--out', 'server', '--store', url])
    expect(stored.stderr).toMatch(/made the schema agon/)
    const [one, other] = [file, stored].map(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>)
    expect(other?.['standings']).toEqual(one?.['standings'])
    expect(other?.['matches']).toBe(6)
    const elsewhere = ['--workspace', 'elsewhere', '--store', url]
    const again = await place.agon([
      'run',
      'four.toml',
      '--trust',
      '--json',
      '--out',
      'server',
      '--resume',
      ...elsewhere,
    ])
    expect(JSON.parse(again.stdout)).toMatchObject({ played: 0, reused: 6, finished: true })

    await place.agon(['export', 'four.toml', 'a', '--store', url])
    await place.agon(['import', 'a', '--workspace', 'third'])
    const back = await place.agon(['export', 'four.toml', 'b', '--workspace', 'third'])
    expect(back.status, back.stderr).toBe(0)
    const [a, b] = ['a', 'b'].map((name) => readFileSync(place.path(name)))
    expect(b?.equals(a ?? Buffer.alloc(0))).toBe(true)
    expect((await place.agon(['store', 'check', '--store', url])).stdout).toMatch(/whole \(1 run, 6 matches\)/)
  })

  it('refuses a database that is not there, and tables of another program, which stay as they are', async () => {
    const server = await testServer()
    expect(await refusal(['runs', '--store', server.url('nowhere')])).toMatch(/database nowhere does not exist/)
    const name = (await server.database()).split('/').at(-1) ?? ''
    await server.query(name, 'create schema agon1')
    await server.query(name, 'create table agon1.match (theirs text)')
    expect(await refusal(['run', 'four.toml', '--store', server.url(name)])).toMatch(/tables of another program/)
    const tables = await server.query(name, "select tablename from pg_tables where schemaname = 'agon1'")
    expect(tables).toEqual([{ tablename: 'match' }])
  })
})
