import type { Command } from 'commander'
import { judge } from '../match/index.js'
import { visible } from '../core/index.js'
import { gameNamed } from './games.js'
import { MoveTable, boardText, outcomeText } from './moves.js'
import { secretSeed } from './plan.js'
import { botsNamed, endBotsOnSignals, playAtTable, seatBots } from './table.js'
import { print, visibleLines } from './terminal.js'
import { gameOptions, limitsOf } from './words.js'

export interface MatchOptions {
  readonly seed?: string
  readonly wire?: string
  readonly option: readonly string[]
  readonly limit: readonly string[]
}

const append = (value: string, before: readonly string[]): string[] => [...before, value]

/** The options of the verbs that play one match. */
export function addMatchOptions(command: Command): Command {
  return command
    .option('--seed <seed>', 'the seed of all chance (default: a secret one)')
    .option('--wire <name>', 'the wire of the commands among the bots (agon wires GAME lists them)')
    .option('--option <name=value>', "one of the game's options, such as turns=20 (may be repeated)", append, [])
    .option('--limit <name=ms>', 'a time limit, such as turn=200 (may be repeated)', append, [])
}

export function matchCommand(program: Command): void {
  const command = program
    .command('match')
    .description('play one match, turn by turn')
    .argument('<game>', 'a game, or the file of one')
    .argument('<bots...>', "a house bot's name, a file, or a quoted command, one a seat")
  addMatchOptions(command)
    .option('--boards', 'show the position after every step')
    .option('--json', 'the record and what follows from it: moves by step and seat, faults')
    .addHelpText('after', '\nExample: agon match samurai "python3 mybot.py" Monk --option turns=50')
    .action(async (game: string, words: string[], given: MatchOptions & { json?: boolean; boards?: boolean }) => {
      endBotsOnSignals()
      const kit = await gameNamed(game)
      const options = gameOptions(kit, given.option, words.length)
      const limits = limitsOf(kit, given.limit)
      const bots = await botsNamed(kit, words, given.wire)
      const seed = given.seed ?? secretSeed()
      const names = bots.map(({ name }) => name)
      const table = seatBots(kit, bots, { seed, options, limits })
      const moves = new MoveTable(kit, names)
      if (!given.json)
        print(`${kit.title}: ${names.map(visible).join(' against ')}, seed ${visible(seed)}\n\n${moves.head()}`)
      let last: unknown
      const record = await playAtTable(kit, table, limits, ({ number, moves: made, after }) => {
        last = after
        if (given.json) return
        print(moves.step(number, made))
        if (given.boards) print(`\n${boardText(kit, after)}\n`)
      })
      const judged = judge(kit, record)
      if (given.json)
        return print(JSON.stringify({ ...record, moves: judged.moves, faults: judged.faults }, undefined, 2))
      if (!given.boards && kit.board) print(`\n${boardText(kit, last)}`)
      print(`\n${outcomeText(names, judged.outcome)}`)
      for (const [seat, name] of names.entries()) {
        const said = table.stderr(seat).trim()
        if (said !== '')
          print(
            `\n${visible(name)} wrote to its standard error:\n${visibleLines(said.split('\n').slice(-10).join('\n'))}`,
          )
      }
    })
}
