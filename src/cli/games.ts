import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { type GameFacts, describeGames } from '../app/look/games.js'
import { print, printJson } from './terminal.js'

export function gamesCommand(command: Command): void {
  command
    .argument('[game]', 'only this one, with its options; or the file of a game')
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExamples:\n  agon games\n  agon games samurai')
    .action(async (name: string | undefined, options: { json?: boolean }) => {
      const games = await describeGames(name)
      if (options.json) return printJson(games)
      for (const game of games) print(about(game))
      if (name === undefined)
        return print('\nagon run GAME plays its built-in contest; agon wires GAME shows how bots speak to it.')
      const own = Object.entries(games[0]?.options ?? {})
      print(`\nOptions (in a contest's [options], or --option NAME=VALUE), with their defaults:`)
      for (const [option, value] of own) print(visible(`  ${option} = ${JSON.stringify(value)}`))
      if (own.length === 0) print('  none')
    })
}

function about({ id, title, summary, seats: { min, max } }: GameFacts): string {
  const players = min === max ? min : `${min} to ${max}`
  return `${id.padEnd(11)}${visible(title)}, ${players} players\n${' '.repeat(11)}${visible(summary)}`.trimEnd()
}
