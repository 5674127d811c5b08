import type { Command } from 'commander'
import { type GameKit, UserError, visible } from '../core/index.js'
import { untilCalm } from '../engine/index.js'
import type { LiveStep } from '../match/index.js'
import { gameNamed } from './game-named.js'
import { holdingFor } from '../app/holding.js'
import { MoveTable, boardText, outcomeText, seatsText, startOf } from './moves.js'
import { Person } from './person.js'
import { secretSeed } from '../app/plan.js'
import { endBotsOnSignals } from './signals.js'
import { Table, botsReady, entriesNamed } from '../app/table.js'
import { outputColumns, print, tell } from './terminal.js'
import { type MatchOptions, addMatchOptions, append, gameOptions, limitsOf } from './words.js'

const HELP = `
On a terminal a key is enough where every action is one character, as in the gun
duel: 0 load, 1 bullet, 2 plasma, - metal, = thermal. Else type an action, or
what it means, and Enter. There is no time limit for you.

Examples:
  agon play gunduel --against Storm
  agon play stronger --against Grudge --against "python3 mybot.py"`

export function playCommand(command: Command): void {
  addMatchOptions(
    command
      .argument('<game>', 'a game, or the file of one')
      .option('--against <bot>', "a house bot's name, a file or a quoted command; once for each opponent", append),
  )
    .addHelpText('after', HELP)
    .action(async (game: string, given: MatchOptions & { against?: readonly string[] }) => {
      endBotsOnSignals()
      const kit = await gameNamed(game)
      const { against } = given
      if (against === undefined) {
        throw new UserError("against whom? give --against BOT: a house bot's name, a file or a quoted command")
      }
      await play(kit, { ...given, against })
    })
}

async function play(kit: GameKit, given: MatchOptions & { against: readonly string[] }): Promise<void> {
  const options = gameOptions(kit, given.option, given.against.length + 1)
  const limits = limitsOf(kit, given.limit)
  const entries = entriesNamed(kit, given.against, given.wire)
  const holding = await holdingFor(given, entries)
  const bots = await botsReady(kit, entries, holding)
  const you = new Person(kit, bots.length)
  const sitters = [...bots.map((bot) => ({ bot })), { name: 'you', player: you }]
  let table: Table | undefined
  try {
    table = new Table(kit, sitters, { seed: given.seed ?? secretSeed(), options, limits, holding })
    const moves = new MoveTable(kit, table.names, startOf(kit, options, table.names.length), outputColumns())
    const how = you.keys ? 'a key for each action' : 'type an action and Enter'
    print(`${visible(kit.title)}: ${seatsText(table.names)}; ${how}, Ctrl-C ends\n`)
    let last: unknown
    const onStep = ({ number, moves: made, after }: LiveStep): void => {
      last = after
      // What a player may not know, the next view does not show either.
      print(kit.open ? `\n${moves.head()}\n${moves.turn(number, made, after)}\n` : '')
    }
    const seated = table
    const { outcome } = await untilCalm(
      () => seated.play(onStep),
      (text) => tell(visible(text)),
    )
    print(`${boardText(kit, last)}\n\n${outcomeText(table.names, outcome).replace(/^you wins/, 'you win')}`)
  } finally {
    you.leave()
    await table?.close()
  }
}
