import type { Command } from 'commander'
import { checkWorkspace, checkStoreText } from '../app/manage/check-store.js'
import { duration } from '../text/index.js'
import { flagOf } from '../app/flag.js'
import { type StoreFlags, addGameOption, addWorkspaceOption, contextOf } from './options.js'
import { canRewrite, print, printJson, notify } from './terminal.js'

const HELP = `
agon compares every match with its record, and judges the record again. It compares
runs, entrants, notes and the files of bots with their checksums, and SQLite checks
a file. --mend removes the jobs that are damaged, after a file was copied: then
agon run --resume plays them again. It mends nothing else.
Exit code 2: something is damaged, even if it has just been mended.

Examples:
  agon store check
  agon store check friday.toml --json
  agon store check --mend`

interface CheckFlags extends StoreFlags {
  readonly game?: string
  readonly json?: boolean
  readonly mend?: boolean
}

export function storeCommand(command: Command): void {
  const check = command.command('check').description('compare the store with its records, and remove damaged jobs')
  addGameOption(addWorkspaceOption(check))
    .argument('[contest]', 'only the runs of this contest file (.toml) or game (default: all)')
    .option('--mend', 'remove damaged jobs, to be played again; a file is copied first')
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (contest: string | undefined, { game, mend = false, ...given }: CheckFlags) => {
      const request = { contest, gameFile: game, mend }
      const checked = await checkWorkspace(request, contextOf(given), estimate())
      if (given.json) printJson(checked)
      else print(checkStoreText(checked, flagOf))
      if (checked.findings.length > 0) process.exitCode = 2
    })
}

/** Milliseconds between two lines about the progress. */
const EVERY = 2000

/** Tells from time to time how far it is, and how long the rest may take. */
function estimate(): (done: number, of: number) => void {
  const began = performance.now()
  let shown = began
  return (done, of) => {
    const now = performance.now()
    if (now - shown < EVERY || done === of) return
    shown = now
    const left = duration(((now - began) / done) * (of - done))
    const line = `checked ${done} of ${of} matches, about ${left} left`
    if (canRewrite(process.stderr)) process.stderr.write(`\r\u001b[K${line}`)
    else notify(line)
  }
}
