import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UserError } from '../../core/index.js'
import { openSiteFile } from './open.js'

it.each([0, 1, 2, 3, 4, 6])('a site file with version %d of its schema is refused by name', (version) => {
  const workspace = mkdtempSync(join(tmpdir(), 'agon-site-'))
  openSiteFile(workspace).close()
  const db = openSiteFile(workspace)
  db.exec(`PRAGMA user_version = ${version}`)
  db.close()
  const open = () => openSiteFile(workspace)
  expect(open).toThrow(UserError)
  expect(open).toThrow(`${join(workspace, 'site.db')} has version ${version} of the schema`)
  rmSync(workspace, { recursive: true })
})
