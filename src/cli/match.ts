import type { Command } from 'commander'
import { visible, visibleLines } from '../core/index.js'
import { type LiveStep, judge } from '../match/index.js'
import { gameNamed } from './game-named.js'
import { holdingFor } from '../app/holding.js'
import { MoveTable, boardText, outcomeText, seatsText, startOf } from './moves.js'
import { secretSeed } from '../app/plan.js'
import { endBotsOnSignals } from './signals.js'
import { Table, botsReady, entriesNamed } from '../app/table.js'
import { outputColumns, print } from './terminal.js'
import { type MatchOptions, addMatchOptions, gameOptions, limitsOf } from './words.js'
import { contextOf, isolationOf } from './options.js'

const HELP = `
A bot is a house bot's name, a file (script, module, program, C++ class), or a
command in quotes. Each row shows what every seat did, and what matters of it
afterwards.

Examples:
  agon match samurai "python3 mybot.py" Hedgehog
  agon match gunduel MyPlayer.hpp Storm --seed 7 --option turns=50
  agon match coup ./mybot Ledger --json | jq .faults`

export function matchCommand(command: Command): void {
  addMatchOptions(
    command
      .argument('<game>', 'a game, or the file of one')
      .argument('<bots...>', "a house bot's name, a file, or a quoted command, one a seat"),
  )
    .option('--boards', 'show the whole position after every turn')
    .option('--json', 'the record and what follows from it: moves by turn and seat, faults')
    .addHelpText('after', HELP)
    .action(async (game: string, words: string[], given: MatchOptions & { json?: boolean; boards?: boolean }) => {
      endBotsOnSignals()
      const kit = await gameNamed(game)
      const options = gameOptions(kit, given.option, words.length)
      const limits = limitsOf(kit, given.limit)
      const seed = given.seed ?? secretSeed()
      const entries = entriesNamed(kit, words, given.wire)
      const holding = await holdingFor(isolationOf(given), entries, contextOf())
      const bots = await botsReady(kit, entries, holding, contextOf())
      const table = new Table(
        kit,
        bots.map((bot) => ({ bot })),
        { seed, options, limits, holding },
        contextOf(),
      )
      const { names } = table
      try {
        if (given.json) {
          const record = await table.play()
          const { moves, faults } = judge(kit, record)
          return print(JSON.stringify({ ...record, moves, faults }, undefined, 2))
        }
        const moves = new MoveTable(kit, names, startOf(kit, options, names.length), outputColumns())
        print(`${visible(kit.title)}: ${seatsText(names)}; seed ${visible(seed)}\n\n${moves.head()}`.trimEnd())
        let last: unknown
        const show = ({ number, moves: made, after }: LiveStep): void => {
          last = after
          print(moves.turn(number, made, after))
          if (given.boards) print(`\n${boardText(kit, after)}\n`)
        }
        const { outcome } = await table.play(show, 0, 0, () => print(moves.head().trimEnd()))
        if (!given.boards && kit.board) print(`\n${boardText(kit, last)}`)
        print(`\n${outcomeText(names, outcome)}`)
        for (const name of names) {
          const said = table.stderr(name)
          if (said !== '') print(`\n${visible(name)} wrote to its standard error:\n${lastLines(said, 10)}`)
        }
      } finally {
        await table.close()
      }
    })
}

function lastLines(text: string, n: number): string {
  const lines = text.split('\n')
  const shown = lines.length > n ? ['…', ...lines.slice(-n)] : lines
  return shown.map((line) => `  ${visibleLines(line)}`).join('\n')
}
