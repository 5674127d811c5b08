import { UserError } from '../core/index.js'
import {
  type RunTable,
  publishedTableOfRun,
  runTableText,
  tableDocument,
  tableOfRun,
  watchTable,
} from '../app/run/table.js'
import { flagOf } from '../app/flag.js'
import { endBotsOnSignals } from './exit.js'
import { CONTEST, JSON_DOCUMENT, STORED, contextOf, runOf } from './options.js'
import { canRewrite, outputColumns, print, printEither } from './terminal.js'
import { flag, verb } from './verb.js'

export const standingsCommand = verb({
  takes: [CONTEST],
  options: {
    ...STORED,
    ...JSON_DOCUMENT,
    published: flag('print the table in the form in which the contest’s author published it'),
    watch: flag('show it again as matches are played, until the run has ended'),
  },
  help: `
Examples:
  agon standings friday.toml
  agon standings friday/ --watch    while agon run plays it elsewhere`,
  async run(given, contest: string) {
    const [ref, context] = [runOf(contest, given), contextOf(given)]
    const text = (table: RunTable): string => runTableText(table, outputColumns(), flagOf)
    if (given.watch) {
      if (given.json) throw new UserError('--watch and --json contradict each other: give one of them')
      endBotsOnSignals()
      const clear = canRewrite(process.stdout) ? '\u001b[H\u001b[J' : ''
      return watchTable(ref, context, (table) => print(`${clear}${text(table)}`))
    }
    if (given.published) return print((await publishedTableOfRun(ref, context)).trimEnd())
    const table = await tableOfRun(ref, context)
    printEither(given, tableDocument(table), () => text(table))
  },
})
