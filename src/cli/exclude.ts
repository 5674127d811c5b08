import { type Command, Option } from 'commander'
import { visible } from '../core/index.js'
import type { Exclusion } from '../app/stored.js'
import { type ChangedField, excludeEntrant, readmitEntrant } from '../app/exclude.js'
import { excludedText, readmittedText } from '../app/run/control.js'
import { type StoredFlags, addStoredOptions, contextOf, runOf } from './options.js'
import { resumeCommand } from './resume-command.js'
import { print } from './terminal.js'

const HELP = `
--matches void: none of its matches counts, as if it had never entered; matches of
all entrants together are played again without it. --matches lost: the matches that
it has played count, and its opponents win the others (games for two).

A run that is being played sees it within a second; agon readmit undoes it. A new
version of a bot is a new entrant: name it in the contest file, and run the contest
again.`

export const withdrawCommand = (command: Command): void => excludeCommand(command, 'withdrawn')
export const disqualifyCommand = (command: Command): void => excludeCommand(command, 'disqualified')

interface ExcludeFlags extends StoredFlags {
  readonly matches: Exclusion['treatment']
  readonly why: string
}

function excludeCommand(command: Command, status: Exclusion['status']): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .argument('<bot>', 'the name of the entrant')
    .addOption(new Option('--matches <treatment>', 'how its matches count').choices(['void', 'lost']).default('void'))
    .option('--why <text>', 'the reason, for the log and the table', '')
    .addHelpText('after', HELP)
    .action(async (ref: string, name: string, given: ExcludeFlags) => {
      const { matches: treatment, why, workspace } = given
      const request = { ...runOf(ref, given), name, status, treatment, why }
      const { exclusion, finished, options, out } = await excludeEntrant(request, contextOf(given))
      print(visible(excludedText(exclusion)))
      printRest(ref, workspace, { finished, options, out })
    })
}

export function readmitCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .argument('<bot>', 'the name of the entrant')
    .option('--why <text>', 'the reason, for the log', '')
    .action(async (ref: string, name: string, given: StoredFlags & { readonly why: string }) => {
      const { why, workspace } = given
      const { name: back, ...field } = await readmitEntrant({ ...runOf(ref, given), name, why }, contextOf(given))
      print(visible(readmittedText(back)))
      printRest(ref, workspace, field)
    })
}

/** How to go on with a run in which other entrants play than before. */
function printRest(ref: string, workspace: string | undefined, { finished, options, out }: ChangedField): void {
  // A run that was imported, or a stranger's workspace, says that bots need no sandbox: that is for this user to say.
  const { noIsolation, trust, ...wished } = options
  const again = () => resumeCommand(ref, { ...wished, workspace }, out)
  const unsafe = [...(noIsolation ? ['--unsafe-no-isolation'] : []), ...(trust ? ['--trust'] : [])].join(' and ')
  print(
    finished
      ? `agon standings ${visible(ref)} shows the table`
      : `what is left is played by the agon that plays it now; if none does: ${visible(again())}`,
  )
  if (!finished && unsafe) print(`it began with ${unsafe}: add that only if you trust all of its bots`)
}
