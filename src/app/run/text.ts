import { type Run, type Spell, type Standings, command, message, option, spelled, visible } from '../../core/index.js'
import type { FaultCount } from '../../results/faults.js'
import type { Crosstable } from '../../tournament/index.js'
import { counted, duration } from '../../text/index.js'
import type { Strengths } from '../compare/strengths.js'
import { strengthColumns, strengthNotes } from '../compare/strengths-text.js'
import type { RunOutcome } from './events.js'
import { type RunTable, crosstableText, crosstableTitle, faultLines, standingsText } from './table.js'

/** What the text of a table is made of, whether it was just played or is read from the store. */
interface TableParts extends Strengths {
  readonly run: Run
  readonly standings: Standings
  readonly crosstable: Crosstable
  readonly faults: FaultCount
}

/** The table with its notes, crosstable and faults, in lines; `elsewhere`: where the opponents are that do not fit in the columns. */
function tableLines(parts: TableParts, columns: number, elsewhere: string): readonly string[] {
  const { run, standings, crosstable, faults } = parts
  const faulty = faultLines(faults).map((line) => `  ${visible(line)}`)
  return [
    standingsText(standings, { width: columns, beside: strengthColumns(parts), field: run.entrants }),
    ...strengthNotes(parts, standings, run.contest).flatMap((note) => [note, '']),
    `${crosstableTitle(crosstable)} (the columns are the rows’ numbers):`,
    '',
    crosstableText(crosstable, columns, elsewhere),
    faulty.length === 0 ? 'No faults.' : `Faults:\n${faulty.join('\n')}`,
  ]
}

/** What a run that was just played came to, for a terminal of so many columns. */
export function runOutcomeText(outcome: RunOutcome, columns: number): string {
  const { run, result, leftOut, took } = outcome
  const { contest, seed } = run
  const reused = result.reused > 0 ? ` (${result.reused} were there before)` : ''
  const matches = `${counted(result.played + result.reused, 'match', 'matches')}${reused} in ${duration(took)}`
  return [
    `${visible(contest.title)}: ${matches}, seed ${visible(seed)}`,
    '',
    ...tableLines(outcome, columns, 'results.md in the results folder'),
    ...leftOut.map(({ name, why }) => `Left out: ${visible(name)}: ${visible(why)}`),
  ].join('\n')
}

/** The table of a stored run, for a terminal of so many columns; commands and options as `spell` writes them. */
export function runTableText(table: RunTable, columns: number, spell?: Spell): string {
  const { run, finished } = table
  const matches = `${counted(run.matches, 'match', 'matches')}${finished ? '' : ' so far'}`
  return [
    `${visible(run.contest.title)}: ${matches}, seed ${visible(run.seed)} (run ${run.id})`,
    '',
    ...tableLines(table, columns, spelled(message`${command('report')} ${option('csv')}`, spell)),
  ].join('\n')
}
