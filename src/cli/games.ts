import type { Command } from 'commander'
import { type GameKit, visible, wiresOf } from '../core/index.js'
import { games } from '../games/index.js'
import { gameNamed } from './game-named.js'
import { print } from './terminal.js'

export function gamesCommand(command: Command): void {
  command
    .argument('[game]', 'only this one, with its options; or the file of a game')
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExamples:\n  agon games\n  agon games samurai')
    .action(async (name: string | undefined, options: { json?: boolean }) => {
      const asked = name === undefined ? games : [await gameNamed(name)]
      if (options.json) return print(JSON.stringify(asked.map(facts), undefined, 2))
      for (const kit of asked) print(about(kit))
      if (name === undefined)
        return print('\nagon run GAME plays its built-in contest; agon wires GAME tells how a bot speaks to it.')
      const own = Object.entries(asked[0]?.game.options ?? {})
      print(`\nOptions (in a contest's [options], or --option NAME=VALUE), as they stand where nobody says:`)
      for (const [option, value] of own) print(visible(`  ${option} = ${JSON.stringify(value)}`))
      if (own.length === 0) print('  none')
    })
}

function about({ game, title, summary }: GameKit): string {
  const { min, max } = game.seats
  const players = min === max ? min : `${min} to ${max}`
  return `${game.id.padEnd(11)}${visible(title)}, ${players} players\n${' '.repeat(11)}${visible(summary)}`.trimEnd()
}

const facts = (kit: GameKit) => ({
  id: kit.game.id,
  title: kit.title,
  summary: kit.summary,
  version: kit.game.version,
  seats: kit.game.seats,
  options: kit.game.options,
  wires: Object.keys(wiresOf(kit, kit.game.options)),
  wire: kit.wire ?? 'jsonl',
})
