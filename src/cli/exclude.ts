import { type Command, Option } from 'commander'
import { UserError, visible } from '../core/index.js'
import type { Exclusion } from '../store/index.js'
import { excludedText } from '../app/control.js'
import { wishedBefore } from '../app/plan.js'
import { resumeCommand } from './resume-command.js'
import { entrantNamed, standOf, withRun } from '../app/stored.js'
import { print } from './terminal.js'
import { type StoredFlags, addStoredOptions, contextOf } from './options.js'

const HELP = `
--matches void: none of its matches counts, as though it had never entered; what
all play in one match is played again without it. --matches lost: what it has
played stands, and its opponents win the rest (games for two).

A run that is under way sees it within a second. A new version of a bot is a new
entrant: give it in the contest file, and run the contest again.`

export const withdrawCommand = (command: Command): void => excludeCommand(command, 'withdrawn')
export const disqualifyCommand = (command: Command): void => excludeCommand(command, 'disqualified')

interface Given extends StoredFlags {
  readonly matches: Exclusion['treatment']
  readonly why: string
}

function excludeCommand(command: Command, status: Exclusion['status']): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .argument('<bot>', 'the name of the entrant')
    .addOption(
      new Option('--matches <treatment>', 'what becomes of its matches').choices(['void', 'lost']).default('void'),
    )
    .option('--why <text>', 'why, for the log and the table', '')
    .addHelpText('after', HELP)
    .action(async (ref: string, bot: string, given: Given) => {
      await withRun(ref, given.run, contextOf(given), async (store, run) => {
        const name = run.plan.names[entrantNamed(run, bot)] ?? bot
        const before = (await store.exclusions(run.id)).find((one) => one.name === name)
        if (before !== undefined) throw new UserError(`${name} is ${before.status} already`)
        const { matches: treatment, why } = given
        if (treatment === 'lost' && (run.plan.format.kind === 'groups' || run.plan.format.kind === 'free-for-all'))
          throw new UserError(
            '--matches lost is for matches of two: here more than one would win what it has not played',
          )
        const exclusion = { name, status, treatment, why }
        await store.exclude(run.id, exclusion)
        print(visible(excludedText(exclusion)))
        const { finished } = await standOf(store, run)
        const options = {
          ...wishedBefore(run.plan),
          ...(given.workspace !== undefined && { workspace: given.workspace }),
        }
        print(
          finished
            ? `agon standings ${ref} shows the table`
            : `what is left is played by the agon that plays it now; if none does: ${resumeCommand(ref, options, run.out)}`,
        )
      })
    })
}
