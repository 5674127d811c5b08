import { damaged } from './damage.js'
import { rulingsOf } from './notes.js'
import type { RunEntry } from './run-rows.js'
import type { StoreSql } from './sql.js'
import { Tally } from './tally.js'

/** Runs whose tallies are kept. */
const KEPT = 16

/** The tallies of the runs that were looked at last. */
export class Tallies {
  private readonly kept = new Map<number, { readonly of: string; readonly tally: Tally }>()

  private turn: Promise<unknown> = Promise.resolve()

  /** What a run's matches come to now. Throws UserError where they are not those that were written. */
  of(sql: StoreSql, run: RunEntry): Promise<Tally> {
    // One after the other: two that go on with the same tally would count rows twice.
    const tally = this.turn.then(() => this.updated(sql, run))
    this.turn = tally.catch(() => undefined)
    return tally
  }

  private async updated(sql: StoreSql, run: RunEntry): Promise<Tally> {
    const rulings = await rulingsOf(sql, run)
    const of = JSON.stringify([run.names, run.scoring, [...rulings]])
    const known = this.kept.get(run.number)
    this.kept.delete(run.number)
    let tally = known?.of === of ? known.tally : undefined
    if (tally === undefined || !(await tally.update(sql))) {
      const outcomes = new Map([...rulings].map(([match, { outcome }]) => [match, outcome]))
      tally = new Tally(run, outcomes, sql.where)
      if (!(await tally.update(sql))) throw damaged(sql.where)
    }
    this.kept.set(run.number, { of, tally })
    for (const oldest of [...this.kept.keys()].slice(0, -KEPT)) this.kept.delete(oldest)
    return tally
  }
}
