import type { Command } from 'commander'
import { visibleLines } from '../core/index.js'
import { gameNamed } from '../app/look/games.js'
import { rulesNamed } from '../app/look/rules.js'
import { print } from './terminal.js'

export function rulesCommand(command: Command): void {
  command
    .argument('<game>', 'a game, or the file of one')
    .addHelpText('after', '\nExample: agon rules coup | less')
    .action(async (name: string) => print(visibleLines(rulesNamed(await gameNamed(name))).trimEnd()))
}
