import { NAME, sweep } from '../../lease/index.js'

/** A store that a killed process had half made, and what SQLite kept beside it. */
const HALF_MADE = new RegExp(`^agon\\.db\\.new-(${NAME})(?:-journal|-wal|-shm)?$`)

/** Removes from a workspace what killed processes had half made of a store. */
export function sweepHalfMade(workspace: string): void {
  sweep(workspace, (name) => HALF_MADE.exec(name)?.[1])
}
