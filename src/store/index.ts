export type {
  EntrantInfo,
  Exclusion,
  Judged,
  Kept,
  MatchRow,
  RatingRow,
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
