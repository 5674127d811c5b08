export type { EntrantInfo, Judged, Kept, RunInfo, RunSummary, Snapshot, Store } from './port.js'
export { openStore } from './sqlite.js'
