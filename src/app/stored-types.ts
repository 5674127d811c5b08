export type { Checked, Exclusion, LogEntry } from '../store/index.js'
