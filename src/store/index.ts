export type {
  EntrantInfo,
  Exclusion,
  Judged,
  Kept,
  MatchRow,
  RunDump,
  RunInfo,
  RunPlan,
  RunSummary,
  Snapshot,
  Store,
  UnitDump,
} from './port.js'
export { storeFile } from './open.js'
export { openStore } from './sqlite.js'
