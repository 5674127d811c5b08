export type {
  BotPage,
  BrowsedMatch,
  BrowseFilter,
  Exclusion,
  JudgedMatch,
  KeptFiles,
  LogEntry,
  MatchSummary,
  PlayedJob,
  PlayedMatch,
  RatingRow,
  RunDump,
  Snapshot,
  StandingRow,
  StoredRun,
  JobDump,
} from './data.js'
export type {
  CheckpointStore,
  ExclusionStore,
  JobStore,
  LeaseStore,
  LogStore,
  MatchStore,
  RatingStore,
  RulingStore,
  RunStore,
  ServerStore,
  Store,
} from './port.js'
export type { Sql, Value } from './sql.js'
export { LeaseLostError, isOnServer } from './port.js'
export { isLost } from './postgres/errors.js'
export { EXCLUSIONS, RUN_STATES } from './data.js'
export { storeFile } from './sqlite/open.js'
export { isBelow } from './kept.js'
export { checkStore, openStore } from './sqlite/store.js'
export type { CheckOptions, CheckedStore, Judge } from './check.js'
export { openSiteStore } from './site/site.js'
export type { SiteStore } from './site/port.js'
export type { EntryInfo, HostedContest, SiteEntry, SiteExclusion } from './site/data.js'
export { holdsName, isTaken } from './site/data.js'
