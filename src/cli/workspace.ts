import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isAlive } from '../cells/index.js'

/** Where agon keeps what it must remember: what --workspace says, else AGON_WORKSPACE, else `.agon` here. */
export function workspaceFolder(given?: string): string {
  return resolve(given ?? (process.env['AGON_WORKSPACE'] || '.agon'))
}

/** A folder that is removed again. */
export interface Rooms {
  readonly folder: string
  readonly remove: () => void
}

/**
 * A folder for the rooms of this process's bots, which goes with this process at the latest. Those that a killed agon left
 * behind are removed first.
 */
export function roomsFolder(workspace: string): Rooms {
  const rooms = join(workspace, 'rooms')
  mkdirSync(rooms, { recursive: true })
  for (const name of readdirSync(rooms)) {
    if (!isAlive(Number(name.split('-')[0]))) rmSync(join(rooms, name), { recursive: true, force: true })
  }
  const folder = join(rooms, `${process.pid}-${made++}`)
  // One that had this number before may have left it behind.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const remove = () => {
    process.off('exit', remove)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
  process.on('exit', remove)
  return { folder, remove }
}

let made = 0
