import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { ruleMatch } from '../app/manage/rule.js'
import { type StoredFlags, addStoredOptions, contextOf, runOf } from './options.js'
import { outcomePlaces } from './rejudge.js'
import { print } from './terminal.js'

const HELP = `
RESULT is the name of the winner, draw, or the places by seat, such as 2,1; in a
contest that counts scores it is the scores by seat, such as 3,0.5. The record of
the match does not change, and agon log lists the ruling.

Example:
  agon rule friday.toml 1/Ant-Bee/3 draw --why "the power failed"`

export function ruleCommand(command: Command): void {
  addStoredOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .argument('<match>', 'the key of the match, such as 1/Ant-Bee/3')
    .argument('<result>', 'the result that counts')
    .requiredOption('--why <text>', 'the reason, for the log')
    .addHelpText('after', HELP)
    .action(async (ref: string, match: string, result: string, given: StoredFlags & { readonly why: string }) => {
      const { before, after } = await ruleMatch(
        { ...runOf(ref, given), match, result, why: given.why },
        contextOf(given),
      )
      print(visible(`${match}: ${outcomePlaces(before)} becomes ${outcomePlaces(after)}`))
    })
}
