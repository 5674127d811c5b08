import { type PairCounts, countsSum } from '../counted.js'
import type { Counts } from '../counts.js'
import { removed } from '../damage.js'
import type { RunEntry } from '../run-rows.js'
import { PRIME } from '../sums.js'
import { addDigests } from './digests.js'
import { damagedAt } from './errors.js'
import type { Sql } from './server.js'
import { together } from './together.js'

/** Adds all that was gathered to a run's counts, and to the checksums over them. Within a write that holds the run's lock. */
export async function addCounts(sql: Sql, { number: run }: RunEntry, counts: Counts): Promise<void> {
  const { matches, entrants, faults, pairs } = counts.touched(run)
  const column = (name: 'place' | 'matches' | 'wins' | 'draws' | 'losses' | 'pairs'): number[] =>
    entrants.map((row) => row[name])
  const changing = sql.run('UPDATE agon.run SET matches = matches + $2 WHERE number = $1', run, matches)
  const counting = sql.run(
    `UPDATE agon.run_entrant x SET matches = x.matches + n.matches, wins = x.wins + n.wins, draws = x.draws + n.draws,
       losses = x.losses + n.losses, pairs = (x.pairs + n.pairs) % ${PRIME}
     FROM unnest($2::integer[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[])
       AS n (place, matches, wins, draws, losses, pairs)
     WHERE x.run = $1 AND x.place = n.place`,
    run,
    column('place'),
    column('matches'),
    column('wins'),
    column('draws'),
    column('losses'),
    column('pairs'),
  )
  const [changes, changed] = await together([
    changing,
    counting,
    addPairs(sql, run, pairs),
    addFaults(sql, run, faults),
    addDigests(sql, run, { counts: countsSum(run, matches, entrants, faults), matches: counts.linkedSum }),
  ])
  if (changes === 0) throw removed(sql.where)
  if (changed !== entrants.length) throw damagedAt(sql.where)
}

async function addFaults(sql: Sql, run: number, faults: ReturnType<Counts['touched']>['faults']): Promise<void> {
  if (faults.length === 0) return
  await sql.run(
    `INSERT INTO agon.fault_count AS f (run, place, kind, n) SELECT $1::integer, * FROM unnest($2::integer[], $3::text[], $4::bigint[])
     ON CONFLICT (run, place, kind) DO UPDATE SET n = f.n + excluded.n`,
    run,
    faults.map(({ place }) => place),
    faults.map(({ kind }) => kind),
    faults.map(({ n }) => n),
  )
}

async function addPairs(sql: Sql, run: number, pairs: readonly PairCounts[]): Promise<void> {
  if (pairs.length === 0) return
  const column = (name: keyof PairCounts): number[] => pairs.map((row) => row[name])
  await sql.run(
    `INSERT INTO agon.pair AS p (run, one, other, ahead, level, behind)
     SELECT $1::integer, * FROM unnest($2::integer[], $3::integer[], $4::bigint[], $5::bigint[], $6::bigint[])
     ON CONFLICT (run, one, other) DO UPDATE
     SET ahead = p.ahead + excluded.ahead, level = p.level + excluded.level, behind = p.behind + excluded.behind`,
    run,
    column('one'),
    column('other'),
    column('ahead'),
    column('level'),
    column('behind'),
  )
}
