import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UserError } from '../core/index.js'
import { SqliteFile } from '../store/index.js'
import { SiteStore } from './store.js'

it.each([0, 1, 2, 3, 4, 6])('a site file with version %d of its schema is refused by name', (version) => {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-site-'))
  const file = join(workspace, 'site.db')
  SiteStore.open(workspace).close()
  const db = new SqliteFile(file)
  db.exec(`PRAGMA user_version = ${version}`)
  db.close()
  const open = () => SiteStore.open(workspace)
  expect(open).toThrow(UserError)
  expect(open).toThrow(`${file} has version ${version} of the schema`)
  rmSync(workspace, { recursive: true })
})
