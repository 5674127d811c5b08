import type { Part } from '../parts.js'
import { PRIME } from '../sums.js'
import { damagedAt } from './errors.js'
import type { Sql } from './server.js'

/** The checksums that the parts of a run had when they were written; a part that nothing was ever written to has 0. */
export class Digests {
  private readonly sums = new Map<string, number>()

  constructor(
    rows: readonly { readonly run: number; readonly part: string; readonly sum: number }[],
    private readonly where: string,
  ) {
    for (const { run, part, sum } of rows) this.sums.set(`${run} ${part}`, sum)
  }

  of(run: number, part: Part): number {
    return this.sums.get(`${run} ${part}`) ?? 0
  }

  isWhole(run: number, part: Part, sum: number): boolean {
    return this.of(run, part) === sum
  }

  /** Throws UserError where a part's rows are not those that were written. */
  refuseDamage(run: number, part: Part, sum: number): void {
    if (!this.isWhole(run, part, sum)) throw damagedAt(this.where)
  }
}

export async function readDigests(sql: Sql, ...runs: readonly number[]): Promise<Digests> {
  return new Digests(
    await sql.all('SELECT run, part, sum FROM agon.digest WHERE run = ANY($1::integer[])', [...new Set(runs)]),
    sql.where,
  )
}

/** Adds to the checksums of parts. Within a write. */
export async function addDigests(sql: Sql, run: number, sums: Readonly<Partial<Record<Part, number>>>): Promise<void> {
  const parts = Object.entries(sums).filter(([, sum]) => sum !== 0)
  if (parts.length === 0) return
  await sql.run(
    `INSERT INTO agon.digest AS d (run, part, sum) SELECT $1::integer, part, sum FROM unnest($2::text[], $3::bigint[]) AS n (part, sum)
     ON CONFLICT (run, part) DO UPDATE SET sum = (d.sum + excluded.sum) % ${PRIME}`,
    run,
    parts.map(([part]) => part),
    parts.map(([, sum]) => sum),
  )
}

/** Replaces the checksum of a part. Within a write. */
export async function setDigest(sql: Sql, run: number, part: Part, sum: number): Promise<void> {
  await sql.run(
    'INSERT INTO agon.digest (run, part, sum) VALUES ($1, $2, $3) ON CONFLICT (run, part) DO UPDATE SET sum = excluded.sum',
    run,
    part,
    sum,
  )
}
