import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { crosstableText, crosstableTitle, standingsText } from '../tournament/index.js'
import { tableFacts } from '../app/document.js'
import { eloColumns, eloNote } from '../app/elo.js'
import { faultLines } from '../archive/faults.js'
import { eloOfRun } from '../app/rated.js'
import { standOf, withRun } from '../app/stored.js'
import { outputColumns, print } from './terminal.js'
import { counted } from '../text/index.js'
import { type StoredFlags, addStoredOptions, contextOf } from './options.js'

export function standingsCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .option('--json', 'one JSON document on standard output')
    .action(async (ref: string, given: StoredFlags & { json?: boolean }) => {
      await withRun(ref, given.run, contextOf(given), async (store, run) => {
        const stand = await standOf(store, run)
        const { standings, crosstable, faults, exclusions, finished } = stand
        const elo = await eloOfRun(store, run, stand)
        if (given.json) {
          const document = {
            contest: run.title,
            game: run.game,
            seed: run.seed,
            run: run.id,
            state: run.state,
            finished,
            matches: run.matches,
            ...tableFacts(standings, faults, run.plan.authors),
            ...(elo && { elo }),
            ...(exclusions.length > 0 && { excluded: exclusions }),
          }
          return print(JSON.stringify(document, undefined, 2))
        }
        const lines = faultLines(faults)
        const columns = outputColumns()
        const note = elo && eloNote(elo)
        print(
          [
            `${visible(run.title)}: ${counted(run.matches, 'match', 'matches')}${finished ? '' : ' so far'}, seed ${visible(run.seed)} (run ${run.id})`,
            '',
            standingsText(standings, { width: columns, ...(elo && { beside: eloColumns(elo) }) }),
            ...(note === undefined ? [] : [note, '']),
            `${crosstableTitle(crosstable)} (the columns are the rows’ numbers):`,
            '',
            crosstableText(crosstable),
            lines.length === 0 ? 'No faults.' : `Faults:\n${lines.map((line) => `  ${visible(line)}`).join('\n')}`,
          ].join('\n'),
        )
      })
    })
}
