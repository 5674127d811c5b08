import type { Lodging } from '../sandbox/index.js'

/** A cell that nobody lives in. */
interface Vacancy {
  readonly lodging: Lodging
  /** A warm interpreter waits in it. */
  readonly warmed: boolean
}

/** Cells that are kept at most: each is a handful of processes, and most contests' first matches seat fewer. */
const KEPT = 16

/**
 * Cells of bots that have left, for the next life of the same entrant: what admission has opened serves the first matches.
 * Nothing of the life before is in them but the running interpreter, as between two matches of one bot.
 */
export class Vacancies {
  private readonly free = new Map<string, Vacancy>()
  private closed = false

  /** Takes a cell over from an entrant's bot; one that is not kept is closed. */
  async leave(entrant: string, vacancy: Vacancy): Promise<void> {
    const { cell } = vacancy.lodging
    const usable = !cell.gone && vacancy.lodging.outOfMemory() === 0
    if (this.closed || !usable || this.free.has(entrant) || this.free.size >= KEPT) return vacancy.lodging.close()
    cell.fresh()
    this.free.set(entrant, vacancy)
  }

  /** The cell that an entrant's bot left, if it is still there. */
  take(entrant: string): Vacancy | undefined {
    const vacancy = this.free.get(entrant)
    this.free.delete(entrant)
    return vacancy?.lodging.cell.gone ? undefined : vacancy
  }

  /** Closes those that nobody took. */
  async close(): Promise<void> {
    this.closed = true
    const left = [...this.free.values()]
    this.free.clear()
    await Promise.all(left.map(({ lodging }) => lodging.close()))
  }
}
