import { SIGN_MS, isRunning, thisProcess } from '../lease/index.js'
import type { Database } from './database.js'

/** Leases of this process: another store in it may hold one. */
const held = new Set<string>()
let opened = 0

/**
 * What one store holds alone, of all that have its file open: its rows in `lease`. An owner is written as the process's name, the
 * store's number in it, and the time of its last sign of life (ms since 1970).
 */
export class Leases {
  private readonly owner = `${thisProcess()} ${opened++}`
  private signs: NodeJS.Timeout | undefined

  constructor(private readonly db: Database) {}

  /** Takes that key. Returns who has it (a process's number), if another one does. */
  claim(key: Uint8Array): string | undefined {
    return this.db.write(() => {
      const owner = this.db.get<{ owner: string }>('SELECT owner FROM lease WHERE tournament = ?', key)?.owner
      if (owner !== undefined && storeOf(owner) !== this.owner && isHeld(owner)) return /^\d+/.exec(owner)?.[0] ?? owner
      this.db.run('INSERT OR REPLACE INTO lease (tournament, owner) VALUES (?, ?)', key, this.signed())
      held.add(this.owner)
      this.signs ??= setInterval(() => this.sign(), SIGN_MS).unref()
      return undefined
    })
  }

  /** Gives back all that it holds. */
  release(): void {
    clearInterval(this.signs)
    if (held.delete(this.owner)) this.db.write(() => this.db.run(`DELETE FROM lease WHERE ${MINE}`, `${this.owner} *`))
  }

  private sign(): void {
    try {
      this.db.write(() => this.db.run(`UPDATE lease SET owner = ? WHERE ${MINE}`, this.signed(), `${this.owner} *`))
    } catch {
      // The next sign may find the disk in order again; what is stored tells who has it.
    }
  }

  private signed(): string {
    return `${this.owner} ${Date.now()}`
  }
}

const MINE = 'owner GLOB ?'

/** The process and the store of an owner. */
const storeOf = (owner: string): string => owner.split(' ').slice(0, 2).join(' ')

/** Older agons wrote a process's number and start in place of its name, and no sign of life. */
function isHeld(owner: string): boolean {
  const [name = '', number = '', sign] = owner.split(' ')
  if (!name.includes('-')) return isRunning(`${name} ${number}`)
  return name === thisProcess() ? held.has(storeOf(owner)) : isRunning(name, Number(sign))
}
