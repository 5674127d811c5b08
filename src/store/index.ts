export type {
  BrowseFilter,
  Exclusion,
  KeptFiles,
  LogEntry,
  PlayedJob,
  RatingRow,
  RunDump,
  Snapshot,
  StoredMatch,
  StoredRun,
  JobDump,
  JobStore,
  LeaseStore,
  MatchStore,
  NoteStore,
  RunStore,
  ServerStore,
  Store,
} from './port.js'
export type { Sql, Value } from './sql.js'
export { isLost } from './postgres/errors.js'
export { EXCLUSIONS, LeaseLostError, RUN_STATES, isOnServer } from './port.js'
export { storeFile } from './sqlite/open.js'
export { isBelow } from './kept.js'
export { checkStore, openStore } from './sqlite/store.js'
export type { CheckedStore, Judge } from './check.js'
/** For the application's own file beside the store. */
export { Database as SqliteFile, FullDisk } from './sqlite/database.js'
export { refuseActing, refuseSpecial } from './sqlite/refuse.js'
