import { copyFileSync, existsSync } from 'node:fs'
import { UserError, command, message } from '../../core/index.js'
import { type CheckOptions, type CheckedStore, checkDatabase } from '../check.js'
import type { Database } from './database.js'
import { openDatabase, schemaBuilt, schemaOf } from './open.js'
import { SqliteDatabase } from './store.js'

/** What is said of a file that cannot even be checked, or mended: who reads it has called the check already. */
const HOPELESS = message`cannot be read as a store: put a copy of it back; what is whole of it, ${command('export')} may still write to a file`

/**
 * Compares everything in the store of a workspace with the records and with its checksums. Throws UserError where it cannot be opened, or not be
 * mended.
 */
export async function checkStore(workspace: string, agon: string, options: CheckOptions): Promise<CheckedStore> {
  const file = openDatabase(workspace, HOPELESS)
  const db = new SqliteDatabase(file)
  try {
    return await checkDatabase(db, agon, options, { damages: () => damagesOf(file), copy: () => copyBeside(file) })
  } finally {
    await db.close()
  }
}

/** What is wrong with the file as SQLite sees it. */
function damagesOf(db: Database): readonly string[] {
  try {
    const lines = db.all<{ integrity_check: string }>('PRAGMA integrity_check(20)')
    const damages = lines.flatMap(({ integrity_check: line }) => (line === 'ok' ? [] : [`SQLite: ${line}`]))
    return schemaOf(db) === schemaBuilt() ? damages : [...damages, 'its schema is not the one that was built']
  } catch (error) {
    if (error instanceof UserError) return ['SQLite cannot check the file']
    throw error
  }
}

/** Copies the file of a store beside it, with all that was committed in it, and returns the copy's name. */
function copyBeside(db: Database): string {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  for (let n = 1; ; n++) {
    const copy = `${db.file}.before-mend-${n}`
    if (existsSync(copy)) continue
    copyFileSync(db.file, copy)
    return copy
  }
}
