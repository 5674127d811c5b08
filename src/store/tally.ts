import { type FaultKind, type Result, firstPlaces, isAlone, sidesOf } from '../core/index.js'
import type { PairCounts, Ruling, StandingRow } from './port.js'
import { type MatchRow, type WalkedJob, RowReader, apart, faultsOf, linkSum, walkJobs } from './match-rows.js'
import { rulingsOf } from './notes.js'
import { type RunEntry, readWriters } from './run-rows.js'
import type { StoreSql } from './sql.js'
import { damaged, plus } from './sums.js'

/*
 * Theory of operation.
 *
 * A table is counted from the rows of a run's matches, each read once: a tally goes on behind the last row that it saw of each writer. A writer's numbers
 * go up as its transactions end, so no row comes to lie before those seen. What was read must agree with each writer's number of jobs and sum of checksums;
 * if not, the run was given other jobs, and the tally is begun anew. A new one that does not agree is damage.
 */

interface Read {
  jobs: number
  sum: number
  last: number
}

interface Sums {
  matches: number
  wins: number
  draws: number
  losses: number
  readonly faults: Partial<Record<FaultKind, number>>
}

const ENTRANTS = 2 ** 20

export class Tally {
  /** Rulings of matches that the run holds, by the pairing's key. */
  readonly ruled = new Map<string, Ruling>()
  private readonly writers = new Map<number, Read>()
  private readonly entrants: Sums[]
  private readonly pairs = new Map<number, { -readonly [count in keyof PairCounts]: number }>()
  private readonly reader: RowReader

  constructor(
    private readonly run: RunEntry,
    private readonly rulings: ReadonlyMap<number, Ruling>,
    private readonly where: string,
    /** By the pairing's key; undefined: only sums are wanted, which takes no memory. */
    readonly results?: Map<string, Result>,
  ) {
    this.entrants = run.names.map(() => ({ matches: 0, wins: 0, draws: 0, losses: 0, faults: {} }))
    this.reader = new RowReader(where, run.index, rulings)
  }

  /** Reads what it has not seen. False: what it saw is no longer what the run holds, or was never whole. */
  async update(sql: StoreSql): Promise<boolean> {
    const writers = await readWriters(sql, this.run.number)
    const reads = writers.map(({ number }) => {
      const read = this.writers.get(number) ?? { jobs: 0, sum: 0, last: number }
      this.writers.set(number, read)
      return read
    })
    const behind = reads.filter(({ jobs }, i) => jobs < (writers[i]?.jobs ?? 0))
    if (behind.length > 0)
      for await (const jobs of walkJobs(sql, this.run.number, { from: Math.min(...behind.map(({ last }) => last)) }))
        for (const job of jobs) this.take(job)
    if (writers.length === 0 || writers.length !== this.writers.size) return false
    return writers.every(({ jobs, job_sum }, i) => reads[i]?.jobs === jobs && reads[i]?.sum === job_sum)
  }

  private take(job: WalkedJob): void {
    const read = this.writers.get(job.writer)
    if (read === undefined) throw damaged(this.where)
    if (job.number <= read.last) return
    read.jobs++
    read.sum = plus(read.sum, linkSum(job))
    read.last = job.number
    for (const row of job.rows) this.add(row)
  }

  private add(row: MatchRow): void {
    const seats = this.reader.seats(row)
    const ruling = this.rulings.get(row.id)
    if (ruling !== undefined) this.ruled.set(row.key, ruling)
    if (row.faults !== null)
      for (const { seat, fault } of faultsOf(this.where, row)) {
        const { faults } = this.sumsOf(seats[seat] ?? -1)
        faults[fault] = (faults[fault] ?? 0) + 1
      }
    const { seats: sides, outcome } = sidesOf({ seats, outcome: this.reader.outcome(row) })
    if (this.results !== undefined) {
      const key = apart(row.key)
      this.results.set(key, { key, seats: sides, outcome, course: String(row.answers), turns: row.turns })
    }
    if (row.playoff === 1) return
    const { place } = outcome
    if (isAlone(sides)) return this.addAlone(sides[0] as number)
    const team = this.run.scoring.teams?.[sides.length]
    const firsts = firstPlaces(place, team)
    for (let seat = 0; seat < sides.length; seat++) {
      const entrant = sides[seat] as number
      const mine = place[seat] ?? 0
      const sums = this.sumsOf(entrant)
      sums.matches++
      sums[mine > 1 ? 'losses' : firsts > 1 ? 'draws' : 'wins']++
      for (let next = seat + 1; next < sides.length; next++)
        // Team mates do not meet.
        if (team === undefined || team[seat] !== team[next])
          this.addPair(entrant, sides[next] as number, mine - (place[next] ?? 0))
    }
  }

  /** An entrant that met itself is level with itself, once. */
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
    if (pair === undefined) this.pairs.set(key, (pair = { one, other, ahead: 0, level: 0, behind: 0 }))
    pair[ahead < 0 ? 'ahead' : ahead === 0 ? 'level' : 'behind']++
  }

  leaderboard(): StandingRow[] {
    const { scoring, names } = this.run
    return this.entrants
      .map(({ faults, ...sums }, entrant) => {
        const points = sums.wins * scoring.win + sums.draws * scoring.draw + sums.losses * scoring.loss
        return { entrant, name: names[entrant] ?? '', ...sums, points: round(points), faults: { ...faults } }
      })
      .sort((a, b) => b.points - a.points || a.entrant - b.entrant)
  }

  allPairs(): PairCounts[] {
    return [...this.pairs].sort(([a], [b]) => a - b).map(([, counts]) => ({ ...counts }))
  }
}

/** Without the dust of binary fractions. */
const round = (points: number): number => Math.round(points * 1e6) / 1e6

/** Runs whose tallies are kept, and of how many of them the results, which take memory. */
const KEPT = 16
const KEPT_RESULTS = 2

export class Tallies {
  private readonly kept = new Map<number, { readonly of: string; readonly tally: Tally }>()

  private turn: Promise<unknown> = Promise.resolve()

  /** What a run's matches come to now. Throws UserError where they are damaged. */
  of(sql: StoreSql, run: RunEntry, withResults = false): Promise<Tally> {
    // One after the other: two with the same tally would count rows twice.
    const tally = this.turn.then(() => this.updated(sql, run, withResults))
    this.turn = tally.catch(() => undefined)
    return tally
  }

  private async updated(sql: StoreSql, run: RunEntry, withResults: boolean): Promise<Tally> {
    const rulings = await rulingsOf(sql, run)
    const of = JSON.stringify([run.names, run.scoring, [...rulings]])
    const known = this.kept.get(run.number)
    this.kept.delete(run.number)
    let tally = known?.of === of && (known.tally.results || !withResults) ? known.tally : undefined
    if (tally === undefined || !(await tally.update(sql))) {
      tally = new Tally(run, rulings, sql.where, withResults ? new Map() : undefined)
      if (!(await tally.update(sql))) throw damaged(sql.where)
    }
    this.kept.set(run.number, { of, tally })
    const withThem = [...this.kept].flatMap(([number, kept]) => (kept.tally.results ? [number] : []))
    for (const oldest of [...this.kept.keys()].slice(0, -KEPT)) this.kept.delete(oldest)
    for (const oldest of withThem.slice(0, -KEPT_RESULTS)) this.kept.delete(oldest)
    return tally
  }
}
