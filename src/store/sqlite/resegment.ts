import type { MatchRecord } from '../../core/index.js'
import { factsOf } from '../course.js'
import type { AddedMatch } from '../stored-match.js'
import { type RunEntry, indexIn } from '../run-rows.js'
import { eachEntry, keyOf } from '../segment.js'
import type { Database } from './database.js'
import { addDigest, setDigest } from './digests.js'
import { runMatches } from './match-rows.js'
import { Unpacker } from './packs.js'
import { headsOf, readSegment, readSpreads, Segments } from './segments.js'

/** Writes the segments of a run anew from its matches, in the order in which they stand there, as far as it is known. Within a write. */
export function resegment(db: Database, run: RunEntry): void {
  const order = orderThere(db, run.number)
  db.run('DELETE FROM segment WHERE run = ?', run.number)
  setDigest(db, run.number, 'segments', 0)
  const unpacker = new Unpacker(db)
  const segments = new Segments(db, unpacker)
  let batch: AddedMatch[] = []
  for (const game of gamesOf(db, run, unpacker, order)) {
    batch.push(game)
    if (batch.length < BATCH) continue
    addDigest(db, run.number, 'segments', segments.append(run.number, batch))
    batch = []
  }
  addDigest(db, run.number, 'segments', segments.append(run.number, batch))
}
const BATCH = 1024

/** By match: how many stood before it, in segments that need not be whole. */
function orderThere(db: Database, run: number): ReadonlyMap<number, number> {
  const order = new Map<number, number>()
  try {
    for (const { data } of db.all<{ data: Uint8Array }>('SELECT data FROM segment WHERE run = ? ORDER BY number', run))
      eachEntry(data, ({ match }) => order.set(match, order.size))
  } catch {
    // What cannot be read any more comes as it came to the store.
  }
  return order
}

/** A run's matches as its rows and records have them, in this order, and those that are not in it at the end. */
function* gamesOf(
  db: Database,
  run: RunEntry,
  unpacker: Unpacker,
  order: ReadonlyMap<number, number> = new Map(),
): Generator<AddedMatch> {
  const place = (match: number): number => order.get(match) ?? order.size
  const matches = runMatches(db, run.number)
  for (const { row, seats } of matches.sort((a, b) => place(a.row.id) - place(b.row.id))) {
    const record = recordOf(unpacker, row.id)
    yield {
      match: row.id,
      key: row.place,
      seats: seats.map(({ entrant }) => indexIn(run, entrant)),
      outcome: row.outcome,
      playoff: row.playoff === 1,
      facts: record ? factsOf(record) : { turns: 0, course: 0, luck: 0 },
      record: record ?? NOTHING,
    }
  }
}

/** Undefined where it cannot be read: the match's row still says how it ended. */
function recordOf(unpacker: Unpacker, match: number): MatchRecord | undefined {
  try {
    return unpacker.record(match)
  } catch {
    return undefined
  }
}
const NOTHING = { steps: [], times: [] } as unknown as MatchRecord

/** Whether a run's segments say what its rows and records say, whatever their order. Throws UserError where they are damaged. */
export function isSegmented(db: Database, run: RunEntry): boolean {
  const unpacker = new Unpacker(db)
  const there = new Map<number, string>()
  let entries = 0
  for (const head of headsOf(db, run.number)) {
    readSegment(db, run.number, head, (parts) => {
      entries++
      there.set(parts.match, textOf({ ...parts, key: keyOf(parts), facts: parts }))
    })
  }
  const times = readSpreads(db, run.number, unpacker)
  for (const game of gamesOf(db, run, unpacker)) {
    if (there.get(game.match) !== textOf(game)) return false
    entries--
    const { record, seats } = game
    for (const [number, step] of (record.times ?? []).entries()) {
      for (const [i, [wallUs]] of step.entries()) {
        const spread = times.get(seats[record.steps[number]?.[i]?.[0] ?? -1] ?? -1)
        if (spread === undefined || wallUs > spread.max) return false
        spread.n--
      }
    }
  }
  return entries === 0 && [...times.values()].every(({ n }) => n === 0)
}

const textOf = ({ key, seats, outcome, playoff, facts }: Omit<AddedMatch, 'record' | 'match'>): string =>
  JSON.stringify([key, seats, outcome, playoff, facts.turns, facts.course, facts.luck])
