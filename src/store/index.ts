export type { EntrantInfo, Exclusion, Judged, Kept, RunInfo, RunPlan, RunSummary, Snapshot, Store } from './port.js'
export { openStore } from './sqlite.js'
