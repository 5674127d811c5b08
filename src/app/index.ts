/*
 * The use cases: what agon does, with typed input, results and events, for the command line, a server or a test. None knows of a
 * terminal, of flags or of exit codes.
 */
export { checkBot } from './check.js'
export type { Context } from './context.js'
export { type Duel, type DuelState, duelDocument, hostDuel } from './duel.js'
export { gameNamed } from './game-named.js'
export { type EloTable, eloColumns, eloNote } from './elo.js'
export type { IsolationOptions } from './holding.js'
export { joinCommand, optionChanges, refuseLimit } from '../contest/index.js'
export { type Jobs, jobsOf } from './jobs.js'
export { type Guest, type MatchNews, type PlayedMatch, hostMatch } from './match.js'
export { openTold } from './open-store.js'
export { ASKED } from './plan.js'
export { RunBoard, type RunState } from './run-board.js'
export { runContest } from './run.js'
export type { RunNews, RunOutcome } from './contest-run.js'
export type { RunOptions } from './run-options.js'
export type { MatchTerms } from './terms.js'
export type { StepReport } from './trial.js'
export { VERSION } from './version.js'
export { workspaceAt } from './workspace.js'
