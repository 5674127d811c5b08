import type { Command } from 'commander'
import { checkWorkspace, checkStoreText } from '../app/manage/check-store.js'
import { counted } from '../text/index.js'
import { flagOf } from '../app/flag.js'
import { exportRun, importRun } from '../app/manage/archive.js'
import { visible } from '../core/index.js'
import { verifyRecords } from '../app/look/judged-records.js'
import { CONTEST, JSON_DOCUMENT, OWN_GAME, STORE, STORED, contextOf, runOf } from './options.js'
import { Progress } from './progress.js'
import { print, printEither, notify } from './terminal.js'
import { flag, verb } from './verb.js'

export function storeCommand(command: Command): void {
  const check = 'compare the store with its records, and remove damaged jobs'
  checkCommand(command.command('check').description(check))
}

const checkCommand = verb({
  takes: [['[contest]', 'only the runs of this contest file (.toml) or game (default: all)']],
  options: {
    ...STORE,
    ...OWN_GAME,
    mend: flag('remove damaged jobs, to be played again; a file is copied first'),
    ...JSON_DOCUMENT,
  },
  help: `
agon compares every match with its record, and judges the record again. It compares
runs, entrants, notes and the files of bots with their checksums, and SQLite checks
a file. --mend removes the jobs that are damaged, after a file was copied: then
agon run --resume plays them again. It mends nothing else.
Exit code 2: something is damaged, even if it has just been mended.

Examples:
  agon store check
  agon store check friday.toml --json
  agon store check --mend`,
  async run(given, contest?: string) {
    const request = { contest, gameFile: given.game, mend: given.mend }
    const progress = new Progress()
    const see = (done: number, total: number): void => progress.follow('checked', () => ({ done, total }))
    const checked = await checkWorkspace(request, contextOf(given), see).finally(() => progress.end())
    printEither(given, checked, () => checkStoreText(checked, flagOf))
    if (checked.findings.length > 0) process.exitCode = 2
  },
})

export const exportCommand = verb({
  takes: [CONTEST, ['<file>', 'the archive to write']],
  options: STORED,
  help: `
The file is a gzip-compressed tar file (tar xzf FILE) with a README, the run as JSON,
matches and faults as CSV, and every record. It holds everything that the store knows
about the run. agon import restores the run elsewhere; no match is played again there.`,
  async run(given, ref: string, file: string) {
    const { run, matches } = await exportRun(runOf(ref, given), file, contextOf(given))
    print(visible(`${run}: ${counted(matches, 'match', 'matches')} in ${file}`))
  },
})

export const importCommand = verb({
  takes: [['<file>', 'an archive that agon export wrote']],
  options: { ...STORE, ...OWN_GAME },
  help: `
The file is not trusted: agon computes its keys, names, hashes, number of matches and
digest again, and judges each match again from its outputs. It reports a difference
in one line (exit code 2), and then imports nothing.
A game that does not come with agon is code: it runs only where --game names it.`,
  async run(given, file: string) {
    const { run, matches, store } = await importRun(file, given.game, contextOf(given))
    print(visible(`${run}: ${counted(matches, 'match', 'matches')} in ${store}`))
  },
})

export const verifyCommand = verb({
  takes: [['<records...>', 'files of match records, one JSON object per line (.gz too), or results folders']],
  options: OWN_GAME,
  help: `
agon replays each record by the rules, from the bots' answers. A match does not
agree if it is in a file twice or, in a results folder, if its luck or entrants are
not those of contest.json. The last line is a digest of everything except times; it
does not depend on the order of the records. A game that does not come with agon is
code: it runs only if --game names it.
Exit code 1: a record does not agree; 2: a file or a line cannot be read.

Examples:
  agon verify agon-results/gunduel-7
  agon verify a/records.jsonl b/records.jsonl.gz`,
  async run(given, paths: string[]) {
    const options = { spell: flagOf, gameFile: given.game }
    const found = await verifyRecords(paths, options, ({ type, where, why }) => {
      if (type === 'unreadable') notify(visible(`agon: ${where}: ${why}`))
      else print(visible(`${where}: ${why}`))
    })
    const { agree, differ, unreadable, contradicted, digest } = found
    const unread = unreadable > 0 ? `; ${counted(unreadable, 'line')} could not be read` : ''
    print(`${agree} of ${counted(agree + differ, 'record')} agree${unread}`)
    print(`digest ${digest}`)
    if (unreadable > 0) process.exitCode = 2
    else process.exitCode = differ + contradicted > 0 ? 1 : 0
  },
})
