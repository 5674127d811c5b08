import type { Command } from 'commander'
import { visible } from '../core/index.js'
import {
  type RunTable,
  crosstableText,
  crosstableTitle,
  faultLines,
  standingsText,
  tableDocument,
  tableOfRun,
} from '../app/run-table.js'
import { strengthColumns, strengthNotes } from '../app/ranking/strengths.js'
import { counted } from '../text/index.js'
import { type StoredFlags, addStoredOptions, contextOf, runOf } from './options.js'
import { outputColumns, print, printJson } from './terminal.js'

export function standingsCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .option('--json', 'one JSON document on standard output')
    .action(async (ref: string, given: StoredFlags & { json?: boolean }) => {
      const table = await tableOfRun(runOf(ref, given), contextOf(given))
      if (given.json) printJson(tableDocument(table))
      else print(textOf(table, outputColumns()))
    })
}

function textOf(table: RunTable, columns: number): string {
  const { run, standings, crosstable, faults, finished, repeated } = table
  const lines = faultLines(faults)
  return [
    `${visible(run.title)}: ${counted(run.matches + repeated, 'match', 'matches')}${finished ? '' : ' so far'}, seed ${visible(run.seed)} (run ${run.id})`,
    '',
    standingsText(standings, { width: columns, beside: strengthColumns(table) }),
    ...strengthNotes(table, standings, run.plan).flatMap((note) => [note, '']),
    `${crosstableTitle(crosstable)} (the columns are the rows’ numbers):`,
    '',
    crosstableText(crosstable, columns, 'agon report --csv'),
    lines.length === 0 ? 'No faults.' : `Faults:\n${lines.map((line) => `  ${visible(line)}`).join('\n')}`,
  ].join('\n')
}
