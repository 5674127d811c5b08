import type { Result } from '../core/index.js'
import { damaged } from './damage.js'
import { rulingsOf } from './notes.js'
import type { RunEntry } from './run-rows.js'
import type { StoreSql } from './sql.js'
import { Tally } from './tally.js'

/** Runs whose tallies are kept, and of how many of them the results, which take memory. */
const KEPT = 16
const KEPT_RESULTS = 2

/** The tallies of the runs that were looked at last. */
export class Tallies {
  private readonly kept = new Map<number, { readonly of: string; readonly tally: Tally }>()

  private turn: Promise<unknown> = Promise.resolve()

  /** What a run's matches come to now. Throws UserError where they are not those that were written. */
  of(sql: StoreSql, run: RunEntry): Promise<Tally> {
    return this.inTurn(() => this.updated(sql, run, false))
  }

  /** How they ended, by the pairing's key: a map that grows with the run. Throws as `of`. */
  async results(sql: StoreSql, run: RunEntry): Promise<ReadonlyMap<string, Result>> {
    return (await this.inTurn(() => this.updated(sql, run, true))).results ?? new Map()
  }

  /** One after the other: two that go on with the same tally would count rows twice. */
  private inTurn(work: () => Promise<Tally>): Promise<Tally> {
    const tally = this.turn.then(work)
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
      const outcomes = new Map([...rulings].map(([match, { outcome }]) => [match, outcome]))
      tally = new Tally(run, outcomes, sql.where, withResults ? new Map() : undefined)
      if (!(await tally.update(sql))) throw damaged(sql.where)
    }
    this.kept.set(run.number, { of, tally })
    const withThem = [...this.kept].flatMap(([number, kept]) => (kept.tally.results ? [number] : []))
    for (const oldest of [...this.kept.keys()].slice(0, -KEPT)) this.kept.delete(oldest)
    for (const oldest of withThem.slice(0, -KEPT_RESULTS)) this.kept.delete(oldest)
    return tally
  }
}
