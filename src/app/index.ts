/*
 * The use cases: what agon does, with typed input, results and events, for the command line, a server or a test. None knows of a
 * terminal, of flags or of exit codes.
 */
export type { Context } from './context.js'
export { type EloTable, eloColumns, eloNote } from './elo.js'
export type { IsolationOptions } from './holding.js'
export { holdingFor } from './holding.js'
export { joinCommand } from '../contest/index.js'
export { type Jobs, jobsOf } from './jobs.js'
export { openTold } from './open-store.js'
export { ASKED, secretSeed } from './plan.js'
export { RunBoard, type RunState } from './run-board.js'
export { runContest } from './run.js'
export type { RunNews, RunOutcome } from './contest-run.js'
export type { RunOptions } from './run-options.js'
export { VERSION } from './version.js'
export { type Rooms, roomsFolder, workspaceAt } from './workspace.js'
