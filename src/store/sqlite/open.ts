import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Wording, message, option, UserError } from '../../core/index.js'
import { NAME, sweep, thisProcess } from '../../files/index.js'
import { Database } from './database.js'
import { MIGRATIONS, SCHEMA, VERSION, stepsFrom } from '../schema.js'
import { refuseActing, refuseSpecial } from './refuse.js'

export const storeFile = (workspace: string): string => join(workspace, 'agon.db')

/** 'agn1' in letters: tells our files from other programs', and from those of agon before 1.0. */
const APPLICATION_ID = 0x61676e31
/** 'agon': a file of agon before 1.0. */
const BEFORE_1 = 0x61676f6e

/** In the file alone: the next number that the store gives out. */
const OWN = 'CREATE TABLE serial (next INTEGER NOT NULL) STRICT; INSERT INTO serial (next) VALUES (1);'

/** A store being made, and SQLite's files beside it. */
const HALF_MADE = new RegExp(`^agon\\.db\\.new-(${NAME})(?:-journal|-wal|-shm)?$`)

/**
 * Opens a workspace's store, made where there is none. What is no store of agon, or of another version, is refused with a UserError
 * that names it, and left as it is. `damage`: what is said of a damaged file, if not the usual.
 */
export function openDatabase(workspace: string, damage?: Wording): Database {
  const file = storeFile(workspace)
  makeFolder(workspace)
  // What killed processes left half made.
  sweep(workspace, (name) => HALF_MADE.exec(name)?.[1])
  if (!refuseSpecial(file)) create(file)
  refuseForeign(file)
  const db = new Database(file, file, damage)
  try {
    refuseActing(db)
    migrate(db, MIGRATIONS)
    // Keys are hashes, so a match touches pages all over the file: with a cache for a million matches', and a tenth of
    // the checkpoints, writes are a third faster.
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -128000; PRAGMA wal_autocheckpoint = 10000')
    db.exec('PRAGMA journal_size_limit = 67108864')
    if (schemaOf(db) !== schemaBuilt()) throw db.damaged()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function makeFolder(workspace: string): void {
  try {
    // It holds rivals' sources and running seeds: for its owner only.
    mkdirSync(workspace, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new UserError(
      message`the workspace ${workspace} cannot be made (${codeOf(error)}): choose another with ${option('workspace')}`,
    )
  }
  if (!statSync(workspace).isDirectory()) throw new UserError(`the workspace ${workspace} is a file: name a folder`)
}

/** Makes a whole store and moves it into place: a kill, a full disk or a second process leaves no half of one. */
function create(file: string): void {
  const own = `${file}.new-${thisProcess()}`
  rmSync(own, { force: true })
  try {
    // SQLite gives the log the file's mode, and takes an empty file.
    writeFileSync(own, '', { flag: 'wx', mode: 0o600 })
    build(own)
    putAt(own, file)
  } catch (error) {
    const code = codeOf(error)
    // Another process was first.
    if (code === 'EEXIST') return
    if (error instanceof UserError) throw new UserError(error.text.replaceAll(own, file))
    if (code === '') throw error
    throw new UserError(message`${file} cannot be made (${code}): choose another workspace with ${option('workspace')}`)
  } finally {
    rmSync(own, { force: true })
  }
}

function build(own: string): void {
  const db = new Database(own)
  try {
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}; PRAGMA journal_mode = WAL`)
    db.exec(`BEGIN; ${SCHEMA} ${OWN} COMMIT`)
  } finally {
    // Closing writes the log into the file.
    db.close()
  }
}

/** Puts a file where none is. Where the system has no links, one that another process puts there now, still empty, is lost. */
function putAt(own: string, file: string): void {
  try {
    linkSync(own, file)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) throw error
    renameSync(own, file)
  }
}

/** Migrates a file of an earlier version, in one transaction. Throws UserError for a later one. */
export function migrate(db: Database, migrations: readonly string[]): void {
  const latest = migrations.length + 1
  if (versionOf(db) === latest) return
  db.write(() => {
    // Another process may have done it.
    const steps = stepsFrom(versionOf(db), db.file, message`workspace with ${option('workspace')}`, migrations)
    db.exec([...steps, `PRAGMA user_version = ${latest}`].join(';'))
  })
}

const versionOf = (db: Database): number => db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0

const schemaOf = (db: Database): string =>
  db
    .all<{ sql: string }>("SELECT coalesce(sql, '') AS sql FROM sqlite_master ORDER BY type, name")
    .map(({ sql }) => sql)
    .join(';')

function schemaBuilt(): string {
  const db = new Database(':memory:')
  try {
    db.exec(`${SCHEMA} ${OWN}`)
    return schemaOf(db)
  } finally {
    db.close()
  }
}

/** Reads the first bytes before SQLite does: it would take an empty file for a new one, and write to anyone's. */
function refuseForeign(file: string): void {
  const head = Buffer.alloc(100)
  const length = readHead(file, head)
  if (length === 0)
    throw new UserError(`${file} is empty, which no store of agon is: put a copy of it back, or remove it`)
  if (length < head.length || !head.toString('latin1').startsWith('SQLite format 3\0'))
    throw new UserError(`${file} is no store of agon, or is damaged: put a copy of it back, or move it away`)
  if (head.readUInt32BE(68) === BEFORE_1)
    throw new UserError(
      message`${file} was written by an agon before 1.0, which this one does not read: use another workspace with ${option('workspace')}, or move the file away`,
    )
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

/** The system's short name of an error, '' if it is not the system's. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^E[A-Z]+$/.test(code) ? code : ''
}
