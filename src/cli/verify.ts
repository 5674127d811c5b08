import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { verifyRecords } from '../app/look/verify.js'
import { flagOf } from '../app/flag.js'
import { counted } from '../text/index.js'
import { addGameOption } from './options.js'
import { print, notify } from './terminal.js'

const HELP = `
agon replays each record by the rules, from the bots' answers. A match does not
agree if it is in a file twice or, in a results folder, if its luck or entrants are
not those of contest.json. The last line is a digest of everything except times; it
does not depend on the order of the records. A game that does not come with agon is
code: it runs only if --game names it.
Exit code 1: a record does not agree; 2: a file or a line cannot be read.

Examples:
  agon verify agon-results/gunduel-7
  agon verify a/records.jsonl b/records.jsonl.gz`

export function verifyCommand(command: Command): void {
  addGameOption(command)
    .argument('<records...>', 'files of match records, one JSON object per line (.gz too), or results folders')
    .addHelpText('after', HELP)
    .action(async (paths: string[], { game }: { game?: string }) => {
      const options = { spell: flagOf, gameFile: game }
      const found = await verifyRecords(paths, options, ({ type, where, why }) => {
        if (type === 'unreadable') notify(visible(`agon: ${where}: ${why}`))
        else print(visible(`${where}: ${why}`))
      })
      const { agree, differ, unreadable, contradicted, digest } = found
      const unread = unreadable > 0 ? `; ${counted(unreadable, 'line')} could not be read` : ''
      print(`${agree} of ${counted(agree + differ, 'record')} agree${unread}`)
      print(`digest ${digest}`)
      process.exitCode = unreadable > 0 ? 2 : differ + contradicted > 0 ? 1 : 0
    })
}
