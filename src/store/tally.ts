import { type FaultKind, type Outcome, type Result, isAlone } from '../core/index.js'
import { damaged } from './damage.js'
import type { BotPage, PairCounts, PairRow, StandingRow } from './data.js'
import { type LinkRow, type MatchRow, RowReader, eachJob, faultsOf, linkSum } from './match-rows.js'
import { type RunEntry, type WriterRow, readWriters } from './run-rows.js'
import type { StoreSql } from './sql.js'
import { plus } from './sums.js'

/*
 * Theory of operation.
 *
 * A table is counted from the rows of a run's matches, each of which is read once: a tally goes on behind the last row that it saw of each
 * writer. A writer's numbers go up as its transactions end, so nothing of it can come to lie before them. What it has read must be as many
 * jobs, with as large a sum of checksums, as each writer says that it wrote; if not, the run was given other jobs, and the tally is begun anew.
 * One that is new and does not agree is damage.
 */

/** What was read of one writer. */
interface Read {
  jobs: number
  sum: number
  /** The number of its last link. */
  last: number
}

interface Sums {
  matches: number
  wins: number
  draws: number
  losses: number
}

/** Of two entrants the lower, the other and how often the lower one was placed before, level with and behind the other. */
type Pair = [one: number, other: number, ahead: number, level: number, behind: number]

const ENTRANTS = 2 ** 20

/** What a run's matches come to, rulings applied. */
export class Tally {
  private readonly writers = new Map<number, Read>()
  private readonly entrants: Sums[]
  private readonly pairs = new Map<number, Pair>()
  private readonly faults = new Map<number, Partial<Record<FaultKind, number>>>()
  private readonly reader: RowReader

  constructor(
    private readonly run: RunEntry,
    ruled: ReadonlyMap<number, Outcome>,
    private readonly where: string,
    /** By the pairing's key; undefined: only what they come to is wanted, which takes no memory. */
    readonly results?: Map<string, Result>,
  ) {
    this.entrants = run.names.map(() => ({ matches: 0, wins: 0, draws: 0, losses: 0 }))
    this.reader = new RowReader(where, run.index, ruled)
  }

  /** Reads what it has not seen. False: what it has seen is no longer what the run holds, or was never whole. */
  async update(sql: StoreSql): Promise<boolean> {
    const { number } = this.run
    const writers = await readWriters(sql, number)
    if (writers.length === 0) return false
    const take = (link: LinkRow, rows: readonly MatchRow[]): void => this.take(link, rows)
    if (this.writers.size === 0) {
      for (const { number: writer } of writers) this.writers.set(writer, { jobs: 0, sum: 0, last: 0 })
      await eachJob(sql, number, {}, take)
    } else {
      for (const row of writers) {
        const read = this.writers.get(row.number) ?? { jobs: 0, sum: 0, last: 0 }
        this.writers.set(row.number, read)
        if (row.jobs > read.jobs) await eachJob(sql, number, { after: read.last, writer: row.number }, take)
      }
    }
    return this.agrees(writers)
  }

  private agrees(writers: readonly WriterRow[]): boolean {
    if (writers.length !== this.writers.size) return false
    return writers.every(({ number, jobs, job_sum }) => {
      const read = this.writers.get(number)
      return read?.jobs === jobs && read.sum === job_sum
    })
  }

  private take(link: LinkRow, rows: readonly MatchRow[]): void {
    const read = this.writers.get(link.writer)
    if (read === undefined) throw damaged(this.where)
    read.jobs++
    read.sum = plus(read.sum, linkSum(link))
    read.last = link.number
    for (const row of rows) this.add(row)
  }

  private add(row: MatchRow): void {
    const seats = this.reader.seats(row)
    if (row.faults !== null)
      for (const { seat, fault } of faultsOf(this.where, row)) this.addFault(seats[seat] ?? -1, fault)
    const outcome = this.reader.outcome(row)
    const { key, answers, turns } = row
    this.results?.set(key, { key, seats, outcome, course: String(answers), turns })
    if (row.playoff === 1) return
    const { place } = outcome
    if (isAlone(seats)) return this.addAlone(seats[0] as number)
    let firsts = 0
    for (const rank of place) if (rank === 1) firsts++
    for (let seat = 0; seat < seats.length; seat++) {
      const entrant = seats[seat] as number
      const mine = place[seat] ?? 0
      const sums = this.sumsOf(entrant)
      sums.matches++
      sums[mine > 1 ? 'losses' : firsts > 1 ? 'draws' : 'wins']++
      for (let next = seat + 1; next < seats.length; next++)
        this.addPair(entrant, seats[next] as number, mine - (place[next] ?? 0))
    }
  }

  /** An entrant that met itself was level with itself, once. */
  private addAlone(entrant: number): void {
    const sums = this.sumsOf(entrant)
    sums.matches++
    sums.draws++
    this.addPair(entrant, entrant, 0)
  }

  private sumsOf(entrant: number): Sums {
    const sums = this.entrants[entrant]
    if (sums === undefined) throw damaged(this.where)
    return sums
  }

  private addPair(a: number, b: number, lead: number): void {
    const one = Math.min(a, b)
    const other = Math.max(a, b)
    const ahead = a === one ? lead : -lead
    const key = one * ENTRANTS + other
    let pair = this.pairs.get(key)
    if (pair === undefined) this.pairs.set(key, (pair = [one, other, 0, 0, 0]))
    pair[ahead < 0 ? 2 : ahead === 0 ? 3 : 4]++
  }

  private addFault(entrant: number, kind: FaultKind): void {
    const kinds = this.faults.get(entrant) ?? {}
    this.faults.set(entrant, kinds)
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }

  /** Every entrant by points, the most first. */
  leaderboard(): StandingRow[] {
    const { scoring, names } = this.run
    return this.entrants
      .map(({ matches, wins, draws, losses }, entrant) => ({
        entrant,
        name: names[entrant] ?? '',
        matches,
        wins,
        draws,
        losses,
        points: round(wins * scoring.win + draws * scoring.draw + losses * scoring.loss),
        faults: { ...this.faults.get(entrant) },
      }))
      .sort((a, b) => b.points - a.points || a.entrant - b.entrant)
  }

  /** Every two that met, in the order of their indexes. */
  allPairs(): PairCounts[] {
    return [...this.pairs]
      .sort(([a], [b]) => a - b)
      .map(([, [one, other, ahead, level, behind]]) => ({ one, other, ahead, level, behind }))
  }

  /** How an entrant stands, and fared against each other one. Throws where there is none of that index. */
  page(entrant: number): Omit<BotPage, 'last'> {
    const standing = this.leaderboard().find((row) => row.entrant === entrant)
    if (standing === undefined) throw new Error(`${this.where}: the run has no entrant ${entrant}`)
    const pairs = this.allPairs().filter(({ one, other }) => one === entrant || other === entrant)
    return { standing, pairs: pairs.map((pair) => this.pairRow(entrant, pair)).sort((a, b) => a.opponent - b.opponent) }
  }

  private pairRow(entrant: number, { one, other, ahead, level, behind }: PairCounts): PairRow {
    const opponent = one === entrant ? other : one
    const name = this.run.names[opponent] ?? ''
    return one === entrant
      ? { opponent, name, ahead, level, behind }
      : { opponent, name, ahead: behind, level, behind: ahead }
  }
}

/** Without the dust of binary fractions. */
const round = (points: number): number => Math.round(points * 1e6) / 1e6
