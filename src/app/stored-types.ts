export type { Exclusion, LogEntry } from '../store/index.js'
