import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { message, option, UserError } from '../../core/index.js'
import { SqliteFile, refuseActing, refuseSpecial } from '../../store/index.js'

const DAMAGED =
  'is damaged; put a copy of it back, or move it away: the site then begins anew, without its contests, contestants and entries; the matches stay in agon.db'

/** 'agos' as four letters: distinguishes the file from other programs'. */
const APPLICATION_ID = 0x61676f73

/** The version of the schema. A file of another version is refused. */
const VERSION = 5

const SCHEMA = `
CREATE TABLE host (one INTEGER PRIMARY KEY CHECK (one = 1), hash TEXT NOT NULL) STRICT;
CREATE TABLE contest (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  toml TEXT NOT NULL,
  title TEXT NOT NULL,
  game TEXT NOT NULL,
  seed TEXT NOT NULL,
  created TEXT NOT NULL,
  state TEXT NOT NULL,
  why TEXT,
  run TEXT,
  revision INTEGER NOT NULL,
  final INTEGER
) STRICT;
CREATE TABLE contestant (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  contest TEXT NOT NULL,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  made TEXT NOT NULL,
  revoked TEXT,
  UNIQUE (contest, name)
) STRICT;
CREATE TABLE entry (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  contest TEXT NOT NULL,
  contestant INTEGER NOT NULL,
  name TEXT NOT NULL,
  version INTEGER NOT NULL,
  state TEXT NOT NULL,
  log TEXT NOT NULL,
  spec TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  created TEXT NOT NULL,
  hash TEXT,
  source TEXT,
  terms TEXT,
  UNIQUE (contest, name, version)
) STRICT;
CREATE TABLE exclusion (
  contest TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  treatment TEXT NOT NULL,
  why TEXT NOT NULL,
  back INTEGER,
  PRIMARY KEY (contest, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE sitting (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  game TEXT NOT NULL,
  ended TEXT NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE TABLE event (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  contest TEXT NOT NULL,
  kind TEXT NOT NULL,
  data TEXT NOT NULL
) STRICT;
CREATE INDEX event_contest ON event (contest, id);
`

/** Opens the site's file, made where there is none. Throws UserError for what is no such file, or has another version of the schema. */
export function openSiteFile(workspace: string): SqliteFile {
  const file = join(workspace, 'site.db')
  try {
    mkdirSync(workspace, { recursive: true, mode: 0o700 })
    refuseSpecial(file)
    // SQLite makes a file that everybody may read.
    closeSync(openSync(file, 'a', 0o600))
  } catch (error) {
    if (error instanceof UserError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new UserError(message`${file} cannot be made (${code}): choose another workspace with ${option('workspace')}`)
  }
  const db = new SqliteFile(file, file, DAMAGED)
  try {
    refuseActing(db)
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    db.write(() => makeSchema(db))
    refusePaths(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/**
 * Refuses ids that are no plain names. Their files lie under them, and those of a rejected entry are removed: in a stranger's file an id could lead
 * to any folder of this user.
 */
function refusePaths(db: SqliteFile): void {
  const odd = db.get<{ id: string }>(
    "SELECT id FROM entry WHERE id = '' OR id GLOB '*[^A-Za-z0-9_-]*' UNION SELECT id FROM contest WHERE id = '' OR id GLOB '*/*'",
  )
  if (odd !== undefined)
    throw new UserError(
      message`${db.file} holds the id ${JSON.stringify(odd.id)}, which no agon has written: use another workspace with ${option('workspace')}`,
    )
}

/** Makes the schema where the file is empty. Throws UserError where it is another program's, or has another version. */
function makeSchema(db: SqliteFile): void {
  const pragma = (name: string): unknown => db.get<Record<string, unknown>>(`PRAGMA ${name}`)?.[name]
  const version = pragma('user_version')
  const isEmpty = db.get('SELECT 1 FROM sqlite_master') === undefined
  if (!isEmpty && pragma('application_id') !== APPLICATION_ID)
    throw new UserError(
      message`${db.file} belongs to another program: use another workspace with ${option('workspace')}`,
    )
  if (!isEmpty && version !== VERSION)
    throw new UserError(
      message`${db.file} has version ${String(version)} of the schema, and this agon reads only version ${VERSION}: use the agon that wrote it, or another workspace with ${option('workspace')}`,
    )
  if (isEmpty) db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}; ${SCHEMA}`)
}
