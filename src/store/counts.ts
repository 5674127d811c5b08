import { type FaultKind, type Outcome, UserError } from '../core/index.js'
import type { Database } from './database.js'

/** How a match ended, in a run: `seats` are entrants' indexes there. */
export interface Counted {
  readonly seats: readonly number[]
  readonly outcome: Outcome
  readonly faults: readonly { readonly seat: number; readonly fault: FaultKind }[]
  readonly playoff: boolean
}

/** Counts of a run that are kept up as matches land, so that no page has to go through them all. */
export class Counts {
  private matches = 0
  private readonly byEntrant = new Map<number, { matches: number; wins: number; draws: number; losses: number }>()
  private readonly byPair = new Map<string, { one: number; other: number; sums: [number, number, number] }>()
  private readonly byFault = new Map<string, { entrant: number; kind: FaultKind; n: number }>()

  /** Adds a match, or, with -1, takes it away again. */
  add({ seats, outcome, faults, playoff }: Counted, sign: 1 | -1 = 1): void {
    this.matches += sign
    for (const { seat, fault } of faults) this.addFault(seats[seat] ?? 0, fault, sign)
    if (playoff) return
    const { place } = outcome
    const firsts = place.filter((rank) => rank === 1).length
    for (const [seat, entrant] of seats.entries()) {
      const mine = place[seat] ?? 0
      const sums = this.byEntrant.get(entrant) ?? { matches: 0, wins: 0, draws: 0, losses: 0 }
      this.byEntrant.set(entrant, sums)
      sums.matches += sign
      sums[mine > 1 ? 'losses' : firsts > 1 ? 'draws' : 'wins'] += sign
      for (let next = seat + 1; next < seats.length; next++)
        this.addPair(entrant, seats[next] as number, mine - (place[next] ?? 0), sign)
    }
  }

  private addPair(a: number, b: number, lead: number, sign: number): void {
    const one = Math.min(a, b)
    const other = Math.max(a, b)
    const ahead = a === one ? lead : -lead
    const key = `${one} ${other}`
    const pair = this.byPair.get(key) ?? { one, other, sums: [0, 0, 0] as [number, number, number] }
    this.byPair.set(key, pair)
    pair.sums[ahead < 0 ? 0 : ahead === 0 ? 1 : 2] += sign
  }

  private addFault(entrant: number, kind: FaultKind, sign: number): void {
    const key = `${entrant} ${kind}`
    const count = this.byFault.get(key) ?? { entrant, kind, n: 0 }
    this.byFault.set(key, count)
    count.n += sign
  }

  /** Adds all that was gathered to a run's counts. Within a write. */
  store(db: Database, run: number): void {
    const { changes } = db.run('UPDATE run SET matches = matches + ? WHERE number = ?', this.matches, run)
    if (changes === 0) throw new UserError(`${db.file}: the run is not there any more: another agon has removed it`)
    for (const [entrant, { matches, wins, draws, losses }] of this.byEntrant) {
      db.run(
        'UPDATE run_entrant SET matches = matches + ?, wins = wins + ?, draws = draws + ?, losses = losses + ? WHERE run = ? AND place = ?',
        matches,
        wins,
        draws,
        losses,
        run,
        entrant,
      )
    }
    for (const { one, other, sums } of this.byPair.values()) {
      db.run(
        'INSERT INTO pair (run, one, other, ahead, level, behind) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET ahead = ahead + excluded.ahead, level = level + excluded.level, behind = behind + excluded.behind',
        run,
        one,
        other,
        ...sums,
      )
    }
    for (const { entrant, kind, n } of this.byFault.values()) {
      db.run(
        'INSERT INTO fault_count (run, place, kind, n) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
        run,
        entrant,
        kind,
        n,
      )
    }
  }
}
