import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { message, option, UserError } from '../../core/index.js'
import { thisProcess } from '../../lease/index.js'
import { damaged } from '../damage.js'
import { Database } from './database.js'
import { Mark } from './mark.js'
import { narrow, sweepHalfMade } from './older.js'
import { refuseActing, refuseSpecial } from './refuse.js'
import { type SchemaStep, APPLICATION_ID, MIGRATIONS } from './schema.js'

type Migrations = readonly (readonly SchemaStep[])[]

/** The store's file in a workspace. */
export const storeFile = (workspace: string): string => join(workspace, 'agon.db')

/**
 * Opens the store of a workspace, made where there is none, upgraded where an older agon wrote it. What is no store of agon, or
 * of a newer one, is refused with a UserError that names it, and left as it is.
 */
export function openDatabase(workspace: string, migrations: Migrations = MIGRATIONS): Database {
  const file = storeFile(workspace)
  makeFolder(workspace)
  sweepHalfMade(workspace)
  // Agons that made what everybody could read kept no mark.
  const mark = `${file}-mark`
  if (!isThere(mark)) narrow(workspace)
  if (!isThere(file)) create(file, migrations)
  refuseSpecial(file)
  refuseForeign(file)
  const db = new Database(file)
  try {
    refuseActing(db)
    // Keys are hashes, so a match touches pages all over the file: with room for those of a million matches, and copied from the log
    // to the file ten times less often, they are written a third faster.
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -128000; PRAGMA wal_autocheckpoint = 10000')
    db.exec('PRAGMA journal_size_limit = 67108864')
    // No remains of loose records: what stands in the file is what counts, and a look at its bytes finds nothing else.
    db.exec('PRAGMA secure_delete = ON')
    upgrade(db, migrations)
    db.watch(new Mark(mark), () => schemaOf(db) === schemaBuilt(migrations))
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function makeFolder(workspace: string): void {
  try {
    // It holds rivals' sources, and the seed of a run that is not over: only its owner may read it.
    mkdirSync(workspace, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new UserError(
      message`the workspace ${workspace} cannot be made (${codeOf(error)}): choose another with ${option('workspace')}`,
    )
  }
  if (!statSync(workspace).isDirectory()) throw new UserError(`the workspace ${workspace} is a file: name a folder`)
}

/** Makes a whole store beside the place and puts it there at once: a kill, a full disk or a second process leaves no half of one. */
function create(file: string, migrations: Migrations): void {
  const own = `${file}.new-${thisProcess()}`
  rmSync(own, { force: true })
  try {
    // SQLite gives the log the modes of the file, and takes an empty file that is there already.
    writeFileSync(own, '', { flag: 'wx', mode: 0o600 })
    build(own, migrations)
    putAt(own, file)
  } catch (error) {
    const code = codeOf(error)
    // Another process was first: its store is as good.
    if (code === 'EEXIST') return
    if (error instanceof UserError) throw new UserError(error.text.replaceAll(own, file))
    if (code === '') throw error
    throw new UserError(message`${file} cannot be made (${code}): choose another workspace with ${option('workspace')}`)
  } finally {
    rmSync(own, { force: true })
  }
}

/** Writes an empty store. It is built in memory: no connection stays on the file under the name that it is about to lose. */
function build(own: string, migrations: Migrations): void {
  const db = new Database(':memory:', own)
  try {
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    upgrade(db, migrations)
    db.run('VACUUM INTO ?', own)
  } finally {
    db.close()
  }
  const fd = openSync(own, 'r+')
  try {
    // The two bytes of the header that say: this file is read and written with a write-ahead log.
    writeSync(fd, Buffer.from([2, 2]), 0, 2, 18)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Puts a file where none is. Where the system has no links, one that another process puts there now would be lost, still empty. */
function putAt(own: string, file: string): void {
  try {
    linkSync(own, file)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) throw error
    renameSync(own, file)
  }
}

/** Brings a file to the newest version, step by step, in one transaction that no second process can cut in on. */
function upgrade(db: Database, migrations: Migrations): void {
  if (versionOf(db) === migrations.length) return
  db.write(() => {
    const version = versionOf(db)
    if (version > migrations.length) {
      throw new UserError(
        message`${db.file} was written by a newer agon (its schema is version ${version}, this one knows up to ${migrations.length}): use that agon, or another workspace with ${option('workspace')}`,
      )
    }
    const steps = migrations.slice(version).flat()
    // What computes reads the tables as they are now.
    for (const step of steps) if (typeof step === 'string') apply(db, step)
    for (const step of steps) if (typeof step !== 'string') apply(db, step)
    db.exec(`PRAGMA user_version = ${migrations.length}`)
  })
}

/** A step on a file that says it is older than its tables are meets what it would make: the file is damaged. */
function apply(db: Database, step: SchemaStep): void {
  try {
    if (typeof step === 'string') db.exec(step)
    else step(db)
  } catch (error) {
    if (error instanceof Error && /already exists|duplicate column|no such table/.test(error.message))
      throw damaged(db.file)
    throw error
  }
}

/** All that the schema says, as one text. */
export function schemaOf(db: Database): string {
  const parts = db.all<{ sql: string | null }>('SELECT sql FROM sqlite_master ORDER BY type, name')
  return parts.map(({ sql }) => sql ?? '').join('\n')
}

/** What it says in a store that has just been made. */
export function schemaBuilt(migrations: Migrations = MIGRATIONS): string {
  const db = new Database(':memory:')
  try {
    upgrade(db, migrations)
    return schemaOf(db)
  } finally {
    db.close()
  }
}

const versionOf = (db: Database): number => db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0

/** Looks at the first bytes before SQLite does: it would take an empty file for a new one, and write to anyone's. */
function refuseForeign(file: string): void {
  const head = Buffer.alloc(100)
  const length = readHead(file, head)
  if (length === 0)
    throw new UserError(`${file} is empty, which no store of agon is: put a copy of it back, or remove it`)
  if (length < head.length || !head.toString('latin1').startsWith('SQLite format 3\0'))
    throw new UserError(`${file} is no store of agon, or is damaged: put a copy of it back, or move it away`)
  if (head.readUInt32BE(68) !== APPLICATION_ID)
    throw new UserError(message`${file} belongs to another program: use another workspace with ${option('workspace')}`)
}

function readHead(file: string, head: Buffer): number {
  let fd: number
  try {
    fd = openSync(file, 'r')
  } catch (error) {
    throw new UserError(
      message`${file} cannot be read (${codeOf(error)}): choose another workspace with ${option('workspace')}`,
    )
  }
  try {
    return readSync(fd, head, 0, head.length, 0)
  } finally {
    closeSync(fd)
  }
}

function isThere(file: string): boolean {
  try {
    lstatSync(file)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw new UserError(
      message`${file} cannot be inspected (${codeOf(error)}): choose another workspace with ${option('workspace')}`,
    )
  }
}

/** The system's short name for what went wrong, '' where it is none of the system's. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^E[A-Z]+$/.test(code) ? code : ''
}
