import type { Command } from 'commander'
import { type Outcome, UserError, visible } from '../core/index.js'
import { canonical, rejudge } from '../match/index.js'
import { gameOf, withRun } from '../app/stored.js'
import { print } from './terminal.js'
import { counted } from '../text/index.js'
import { type GamedFlags, addGamedOptions, contextOf } from './options.js'

const HELP = `
The stored raw answers are judged by the rules as they are now. A match whose
answers no longer lead to an end is listed as open: it keeps its result. Exit code
1: something differs from what counts, and --apply was not given.

With --apply the new results count in this run, and agon log tells each of them.
The records stay as they were heard.`

interface Given extends GamedFlags {
  readonly apply?: boolean
  readonly why: string
}

export function rejudgeCommand(command: Command): void {
  addGamedOptions(command)
    .argument('<contest>', 'a contest file (.toml), or the name of a game')
    .option('--apply', 'let the results that change count')
    .option('--why <text>', 'the ruling, for the log', 'judged again')
    .addHelpText('after', HELP)
    .action(async (ref: string, given: Given) => {
      await withRun(ref, given.run, contextOf(given), async (store, run) => {
        const kit = await gameOf(run, given.game)
        const rulings: { match: number; outcome: Outcome; why: string }[] = []
        let open = 0
        const matches = await store.matches(run.id)
        for (const { id, place, outcome } of [...matches].reverse()) {
          const judged = rejudge(kit, await store.recordOf(id))
          if ('open' in judged) {
            open++
            print(visible(`${place}: open: ${judged.open}`))
          } else if (canonical(judged.outcome) !== canonical(outcome)) {
            rulings.push({ match: id, outcome: judged.outcome, why: given.why })
            print(visible(`${place}: ${outcomeText(outcome)} becomes ${outcomeText(judged.outcome)}`))
          }
        }
        const same = matches.length - rulings.length - open
        print(
          `by ${kit.game.id} version ${kit.game.version}: ${same} of ${counted(matches.length, 'result')} the same, ${rulings.length} changed, ${open} open`,
        )
        if (matches.length === 0) throw new UserError(`${run.id} has no matches yet`)
        if (given.apply && rulings.length > 0) {
          await store.rule(run.id, rulings)
          print(`${counted(rulings.length, 'ruling')} now count: agon standings ${ref}`)
        } else if (rulings.length + open > 0) process.exitCode = 1
      })
    })
}

const outcomeText = ({ place, reason, tally }: Outcome): string => {
  const sums = Object.entries(tally ?? {}).map(([name, values]) => `, ${name} ${values.join(' ')}`)
  return `places ${place.join(' ')} (${reason}${sums.join('')})`
}
