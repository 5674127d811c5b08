/** Writes the file of the newest schema version that the tests of upgrades open: run it once, when a version is released. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../../src/store/sqlite/store.js'
import { MIGRATIONS } from '../../src/store/sqlite/schema.js'
import { entrantsOf, keyOf, played, runOf } from '../kit/records.js'

const workspace = mkdtempSync(join(import.meta.dirname, '.new-'))
const store = openStore(workspace, '1.2.3')
await store.addRun(runOf('one'), entrantsOf())
for (let n = 0; n < 66; n++) {
  const fault = { seat: 1, turn: 0, fault: 'timeout', why: 'late' } as const
  const match = played(`1/Ant-Bee/${n}`, [1, 0], [2, 1])
  await store.record('one', [{ key: keyOf(n), matches: [{ ...match, faults: [fault] }] }])
}
await store.close()
renameSync(join(workspace, 'agon.db'), join(import.meta.dirname, `agon-v${MIGRATIONS.length}.db`))
rmSync(workspace, { recursive: true })
