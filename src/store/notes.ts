import type { Exclusion, LogEntry, RatingRow, Ruling } from './port.js'
import { type RunEntry, type Session, addWritten, lockWriter, readWriters } from './run-rows.js'
import type { StoreSql } from './sql.js'
import { damaged, minus, parsed, sumOf, total } from './sums.js'

export const NOTES = ['log', 'exclusion', 'ruling', 'ratings', 'stderr'] as const
/** What happened to a run beside its matches, by kind of note. Of an entrant or a match the last one counts. */
export interface Notes {
  readonly log: LogEntry
  readonly exclusion: Exclusion
  readonly ruling: Ruling
  /** All of them: they replace those before. */
  readonly ratings: readonly RatingRow[]
  readonly stderr: { readonly name: string; readonly text: string }
}

interface NoteRow {
  readonly number: number
  readonly writer: number
  readonly kind: string
  readonly doc: string
  readonly sum: number
}

const noteSum = (run: number, { number, kind, doc }: Pick<NoteRow, 'number' | 'kind' | 'doc'>): number =>
  sumOf(run, number, kind, doc)

/** What a note adds to its writer's sum: known without its text, which may be long. */
const addedSum = ({ number, kind, sum }: Pick<NoteRow, 'number' | 'kind' | 'sum'>): number => sumOf(number, kind, sum)

export async function addNote<Kind extends keyof Notes>(
  session: Session,
  sql: StoreSql,
  { number: run }: Pick<RunEntry, 'number'>,
  note: { readonly kind: Kind; readonly doc: Notes[Kind] },
): Promise<void> {
  const { kind } = note
  const writer = await session.writerOf(sql)
  const [number = 0] = await sql.numbers(1)
  const doc = JSON.stringify(note.doc)
  const sum = noteSum(run, { number, kind, doc })
  const text = 'INSERT INTO note (run, number, writer, kind, doc, sum) VALUES ($1, $2, $3, $4, $5, $6)'
  await sql.run(text, [run, number, writer, kind, doc, sum])
  await addWritten(sql, await lockWriter(sql, run, writer), { notes: 1, note_sum: addedSum({ number, kind, sum }) })
}

export const addLog = (
  session: Session,
  sql: StoreSql,
  run: Pick<RunEntry, 'number'>,
  what: string,
  detail: LogEntry['detail'],
): Promise<void> =>
  addNote(session, sql, run, { kind: 'log', doc: { at: new Date().toISOString(), agon: session.agon, what, detail } })

export async function dropNotes<Kind extends keyof Notes>(
  sql: StoreSql,
  run: Pick<RunEntry, 'number'>,
  kind: Kind,
  isGone: (doc: Notes[Kind]) => boolean = () => true,
): Promise<void> {
  for (const row of await rowsOf(sql, run.number, kind)) {
    if (!isGone(parsed<Notes[Kind]>(sql.where, row.doc))) continue
    await sql.run('DELETE FROM note WHERE run = $1 AND number = $2', [run.number, row.number])
    await addWritten(sql, await lockWriter(sql, run.number, row.writer), {
      notes: -1,
      note_sum: minus(0, addedSum(row)),
    })
  }
}

async function rowsOf(sql: StoreSql, run: number, kind: keyof Notes): Promise<NoteRow[]> {
  const rows = await sql.all<NoteRow>(
    'SELECT number, writer, kind, doc, sum FROM note WHERE run = $1 AND kind = $2 ORDER BY number',
    [run, kind],
  )
  for (const row of rows) if (row.sum !== noteSum(run, row)) throw damaged(sql.where)
  return rows
}

/** The notes of a kind, in order. Throws UserError where any note of the run is damaged. */
export async function notesOf<Kind extends keyof Notes>(
  sql: StoreSql,
  run: Pick<RunEntry, 'number'>,
  kind: Kind,
): Promise<readonly Notes[Kind][]> {
  await refuseLostNotes(sql, run.number)
  return (await rowsOf(sql, run.number, kind)).map(({ doc }) => parsed<Notes[Kind]>(sql.where, doc))
}

async function refuseLostNotes(sql: StoreSql, run: number): Promise<void> {
  const writers = await readWriters(sql, run)
  const rows = await sql.all<Omit<NoteRow, 'doc'>>('SELECT number, writer, kind, sum FROM note WHERE run = $1', [run])
  const own = new Map(writers.map((row) => [row.number, row]))
  if (writers.length === 0 || rows.some(({ writer }) => !own.has(writer))) throw damaged(sql.where)
  for (const { number, notes, note_sum } of writers) {
    const sums = rows.filter(({ writer }) => writer === number).map(addedSum)
    if (sums.length !== notes || total(sums) !== note_sum) throw damaged(sql.where)
  }
}

/** Who is out of a run, in the order of exclusion. */
export async function exclusionsOf(sql: StoreSql, run: RunEntry): Promise<readonly Exclusion[]> {
  const notes = await notesOf(sql, run, 'exclusion')
  return notes.filter(({ name }, i) => notes.findLastIndex((one) => one.name === name) === i)
}

/** A run's rulings by match, also of matches that it does not hold (any more). */
export async function rulingsOf(sql: StoreSql, run: RunEntry): Promise<ReadonlyMap<number, Ruling>> {
  return new Map((await notesOf(sql, run, 'ruling')).map((one) => [one.match, one]))
}

/** The last ratings of a run's entrants, by kind and entrant. */
export async function ratingsOf(sql: StoreSql, run: RunEntry): Promise<readonly RatingRow[]> {
  const last = (await notesOf(sql, run, 'ratings')).at(-1) ?? []
  return [...last].sort((a, b) => (a.kind === b.kind ? a.entrant - b.entrant : a.kind < b.kind ? -1 : 1))
}

export const stderrOf = async (sql: StoreSql, run: RunEntry): Promise<ReadonlyMap<string, string>> =>
  new Map((await notesOf(sql, run, 'stderr')).map(({ name, text }) => [name, text]))
