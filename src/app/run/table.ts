import { type Spell, type Stopped, UserError, command, message, option, spelled, visible } from '../../core/index.js'
import type { RunResult } from '../../engine/index.js'
import { faultLines } from '../../results/faults.js'
import { folderSource, publishedTable } from '../../results/index.js'
import type { ArchivedLeftOut } from '../../results/write.js'
import type { Store, StoredRun } from '../../store/index.js'
import { counted, duration, publishedText, standingsText } from '../../text/index.js'
import { crosstableText, crosstableTitle } from '../../tournament/index.js'
import {
  type CountedMatches,
  eloDocument,
  strengthColumns,
  strengthNotes,
  type Strengths,
  strengthsOfRun,
} from '../compare/strengths.js'
import type { Context } from '../context.js'
import { type PlayedRunRef, type RunRef, type RunStandings, gameOf, standingsOfRun, withRun } from '../stored.js'

/** Rulings and exclusions are applied. */
export interface RunTable extends RunStandings, Strengths {
  readonly run: StoredRun
}

export interface RunOutcome extends RunTable {
  readonly result: RunResult
  readonly sums: CountedMatches
  readonly leftOut: readonly ArchivedLeftOut[]
  readonly document: unknown
  /** Milliseconds to the table, set-up included. */
  readonly took: number
}

/** Of very many matches strengths are those kept at the last end. */
async function countTable(store: Store, run: StoredRun): Promise<RunTable> {
  const current = await standingsOfRun(store, run)
  return { run, ...current, ...(await strengthsOfRun(store, run, current)) }
}

/** The table of a stored run; nothing is played. Throws UserError if there is no such run. */
export const tableOfRun = (ref: RunRef, context: Context): Promise<RunTable> =>
  withRun(ref.contest, ref.run, context, countTable)

/** As the contest's author published it, lines with their ends. Throws UserError where the game has no such form. */
export function publishedTableOfRun(ref: PlayedRunRef, context: Context): Promise<string> {
  return withRun(ref.contest, ref.run, context, async (store, run) => {
    const definition = await gameOf(run, ref.gameFile)
    const { standings } = await countTable(store, run)
    const { contest } = folderSource(run.out)
    const table = publishedTable(definition, contest, standings.columns, standings.rows)
    if (table === undefined) throw new UserError(`${run.game.id} has no published table: leave the option out`)
    return publishedText(table)
  })
}

const WATCH_MS = 1000

/** Shows the table now and after each change, until the run has ended. Throws as `tableOfRun`. */
export async function watchTable(ref: RunRef, context: Context, show: (table: RunTable) => void): Promise<void> {
  let shown = ''
  for (;;) {
    const table = await tableOfRun(ref, context)
    const { id, matches, state } = table.run
    const now = `${id} ${matches} ${state} ${table.exclusions.length}`
    if (now !== shown) show(table)
    shown = now
    if (state === 'finished') return
    await new Promise((done) => setTimeout(done, WATCH_MS))
  }
}

/** For programs: of a stored run or, as results.json, of one just played. */
export function tableDocument(
  { run, standings, faults, exclusions, finished, elo, scores }: RunTable,
  just?: Pick<RunOutcome, 'result' | 'leftOut'> & { readonly stopped: Stopped | undefined },
): unknown {
  const { result } = just ?? {}
  const { columns, rows, notes } = standings
  return {
    contest: run.contest.title,
    game: run.game.id,
    seed: run.seed,
    run: just ? undefined : run.id,
    state: just ? undefined : run.state,
    finished,
    matches: result ? result.played + result.reused : run.matches,
    played: result?.played,
    reused: result?.reused,
    stopped: just?.stopped,
    standings: rows.map(({ rank, entrant, name, points, cells: own, bound }) => {
      const { facts, remote } = run.entrants[entrant] ?? {}
      const named = columns.map((column, i) => [column, own[i] ?? null] as const)
      const cells = named.length > 0 ? Object.fromEntries(named) : undefined
      return { rank, name, ...facts, remote, points, cells, bound }
    }),
    notes,
    faults: Object.fromEntries([...faults].sort(([a], [b]) => (a < b ? -1 : 1))),
    elo: elo ? eloDocument(elo) : undefined,
    scores,
    leftOut: just?.leftOut.map(({ name, why }) => ({ name, why })),
    excluded: exclusions.length > 0 ? exclusions : undefined,
  }
}

/** `elsewhere`: where opponents are that do not fit in the columns. */
function tableText(title: string, table: RunTable, columns: number, elsewhere: string): string {
  const { run, standings, faults } = table
  const crosstable = table.crosstable()
  const faulty = faultLines(faults).map((line) => `\n  ${visible(line)}`)
  return [
    `${visible(run.contest.title)}: ${title}`,
    '',
    standingsText(standings, { width: columns, beside: strengthColumns(table), field: run.entrants }),
    ...strengthNotes(table, standings, run.contest).flatMap((note) => [note, '']),
    `${crosstableTitle(crosstable)} (the columns are the rows’ numbers):`,
    '',
    crosstableText(crosstable, columns, elsewhere),
    faulty.length === 0 ? 'No faults.' : `Faults:${faulty.join('')}`,
  ].join('\n')
}

export function runOutcomeText(outcome: RunOutcome, columns: number): string {
  const { run, result, leftOut, took } = outcome
  const reused = result.reused > 0 ? ` (${result.reused} were there before)` : ''
  const matches = `${counted(result.played + result.reused, 'match', 'matches')}${reused} in ${duration(took)}`
  const title = `${matches}, seed ${visible(run.seed)}`
  const out = leftOut.map(({ name, why }) => `\nLeft out: ${visible(name)}: ${visible(why)}`)
  return `${tableText(title, outcome, columns, 'results.md in the results folder')}${out.join('')}`
}

export function runTableText(table: RunTable, columns: number, spell?: Spell): string {
  const { run, finished } = table
  const matches = `${counted(run.matches, 'match', 'matches')}${finished ? '' : ' so far'}`
  const title = `${matches}, seed ${visible(run.seed)} (run ${run.id})`
  return tableText(title, table, columns, spelled(message`${command('report')} ${option('csv')}`, spell))
}
