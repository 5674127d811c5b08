import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { type GameFacts, type HouseBotFacts, describeGames, describeHouse, gameNamed } from '../app/look/games.js'
import { pad } from '../text/index.js'
import { print, printJson } from './terminal.js'

export function gamesCommand(command: Command): void {
  command
    .argument(
      '[game]',
      'only this one, with its options and its house bots, the strongest first; or the file of a game',
    )
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExamples:\n  agon games\n  agon games samurai')
    .action(async (name: string | undefined, options: { json?: boolean }) => {
      const games = await describeGames(name)
      const bots = name === undefined ? [] : await describeHouse(await gameNamed(name))
      if (options.json) return printJson(name === undefined ? games : games.map((game) => ({ ...game, bots })))
      for (const game of games) print(about(game))
      if (name === undefined)
        return print('\nagon run GAME plays its built-in contest; agon wires GAME shows how bots speak to it.')
      const own = Object.entries(games[0]?.options ?? {})
      print(`\nOptions (in a contest's [options], or --option NAME=VALUE), with their defaults:`)
      for (const [option, value] of own) print(visible(`  ${option} = ${JSON.stringify(value)}`))
      if (own.length === 0) print('  none')
      if (bots.length === 0) return
      const by = 'by points for a match of agon ladder'
      print(`\nHouse bots, the strongest first (${by}):`)
      for (const bot of bots) print(aboutBot(bot))
    })
}

const aboutBot = ({ name, language, synopsis, strength }: HouseBotFacts): string =>
  visible(
    `  ${pad(name, 12)}${pad(strength === undefined ? '' : strength.toFixed(2), 6)} ${synopsis ?? ''}${language === undefined ? '' : ` (${language})`}`,
  ).trimEnd()

function about({ id, title, summary, seats: { min, max } }: GameFacts): string {
  const players = min === max ? min : `${min} to ${max}`
  return `${id.padEnd(11)}${visible(title)}, ${players} players\n${' '.repeat(11)}${visible(summary)}`.trimEnd()
}
