import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contestOf } from '../../test/site/site.js'
import { UserError } from '../core/index.js'
import { SiteStore } from './store.js'
import { Database } from '../store/sqlite/database.js'
import { workspaceAt } from '../app/workspace.js'
import { createContest } from './hosting.js'
import { openServices } from './app.js'

/* A site is opened in a workspace that a stranger has written. */

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agon-handed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const context = () => ({ workspace: workspaceAt(join(folder, 'workspace')), notice: () => undefined })
/** Bytes of a page in SQLite's file. */
const PAGE = 4096
const siteFile = () => join(folder, 'workspace', 'site.db')
/** A contest in a site that is closed again; returns the contest's id. */
async function hosted(): Promise<string> {
  const services = await openServices(context())
  try {
    return (await createContest(services.site, contestOf(1))).id
  } finally {
    await services.close()
  }
}
async function refusal(): Promise<string> {
  try {
    await (await openServices(context())).close()
    return 'opened'
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
}

describe('the file of a site', () => {
  it('is refused where a page of it is gone, with what to do about this file', async () => {
    await hosted()
    const whole = readFileSync(siteFile())
    const said = new Set<string>()
    for (let page = 1; page < whole.length / PAGE; page++) {
      const spoilt = Buffer.from(whole)
      spoilt.fill(0, page * PAGE, (page + 1) * PAGE)
      writeFileSync(siteFile(), spoilt)
      said.add(await refusal())
    }
    said.delete('opened')
    expect([...said]).toEqual([
      expect.stringMatching(/site\.db: is damaged; put a copy of it back, or move it away: the site/),
    ])
  })

  it.each(['../../victim', 'a/b', '..', ''])(
    'is refused with the id %j of an entry, whose files would be removed',
    async (id) => {
      const contest = await hosted()
      mkdirSync(join(folder, 'victim'))
      writeFileSync(join(folder, 'victim', 'mine'), '')
      const site = SiteStore.open(context().workspace)
      const entry = {
        id,
        contest,
        contestant: 0,
        name: 'Ant',
        state: 'building',
        log: '',
        spec: '{}',
        bytes: 0,
      } as const
      site.addEntry(entry)
      site.close()
      expect(await refusal()).toContain(`site.db holds the id ${JSON.stringify(id)}, which no agon has written`)
      expect(existsSync(join(folder, 'victim', 'mine'))).toBe(true)
    },
  )

  it('is refused with the id of a contest that leads elsewhere, with a trigger, and as a link', async () => {
    await hosted()
    const change = (sql: string): void => {
      const db = new Database(siteFile())
      db.exec(sql)
      db.close()
    }
    change("UPDATE contest SET id = '../x'")
    expect(await refusal()).toContain('"../x"')
    change("UPDATE contest SET id = 'x'; CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM host; END")
    expect(await refusal()).toContain('site.db holds a trigger')
    const there = join(folder, 'there.db')
    writeFileSync(there, '')
    rmSync(siteFile())
    symlinkSync(there, siteFile())
    expect(await refusal()).toContain('site.db is a link')
  })
})

it.each(['contests', 'uploads'])('a link in the place of %s is refused', async (name) => {
  await hosted()
  mkdirSync(join(folder, 'elsewhere'))
  rmSync(join(folder, 'workspace', name), { recursive: true, force: true })
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'workspace', name))
  expect(await refusal()).toContain(`${name} is a link`)
  expect(readdirSync(join(folder, 'elsewhere'))).toEqual([])
})
