import type { Command } from 'commander'
import { UserError } from '../core/index.js'
import { publishedTableOfRun, runTableText, tableDocument, tableOfRun, watchTable } from '../app/run/table.js'
import { flagOf } from '../app/flag.js'
import { type StoredFlags, addStoredOptions, contextOf, runOf } from './options.js'
import { endBotsOnSignals } from './exit.js'
import { canRewrite, outputColumns, print, printJson } from './terminal.js'

const HELP = `
Examples:
  agon standings friday.toml
  agon standings friday/ --watch    while agon run plays it elsewhere`

export function standingsCommand(command: Command): void {
  addStoredOptions(command)
    .option('--json', 'one JSON document on standard output')
    .option('--published', 'print the table in the form in which the contest’s author published it')
    .option('--watch', 'show it again as matches are played, until the run has ended')
    .addHelpText('after', HELP)
    .action(async (ref: string, given: StoredFlags & { json?: boolean; published?: boolean; watch?: boolean }) => {
      if (given.watch) {
        if (given.json) throw new UserError('--watch and --json contradict each other: give one of them')
        endBotsOnSignals()
        return watchTable(runOf(ref, given), contextOf(given), (table) =>
          print(
            `${canRewrite(process.stdout) ? '\u001b[H\u001b[J' : ''}${runTableText(table, outputColumns(), flagOf)}`,
          ),
        )
      }
      if (given.published) return print((await publishedTableOfRun(runOf(ref, given), contextOf(given))).trimEnd())
      const table = await tableOfRun(runOf(ref, given), contextOf(given))
      if (given.json) printJson(tableDocument(table))
      else print(runTableText(table, outputColumns(), flagOf))
    })
}
