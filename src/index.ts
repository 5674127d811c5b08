/**
 * agon as a library: games and their types, the referee, tournaments, records. The command line is made of the same parts.
 */
export * from './core/index.js'
export { games } from './games/index.js'
export {
  type Fixture,
  type Judged,
  RecordError,
  type Setting,
  digestOf,
  digestOfAll,
  formatRecord,
  judge,
  parseRecord,
  playMatch,
  walk,
} from './match/index.js'
export { createTournament, crosstable, standingsText } from './tournament/index.js'
export { modulePlayer } from './wires/index.js'
