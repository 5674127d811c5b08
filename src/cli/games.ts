import type { Command } from 'commander'
import { visible, visibleLines } from '../core/index.js'
import {
  type GameFacts,
  type HouseBotFacts,
  describeGames,
  describeHouse,
  gameNamed,
  type WireFacts,
  describeWires,
} from '../app/look/games.js'
import { pad } from '../text/index.js'
import { rulesNamed } from '../app/look/rules.js'
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

export function rulesCommand(command: Command): void {
  command
    .argument('<game>', 'a game, or the file of one')
    .addHelpText('after', '\nExample: agon rules coup | less')
    .action(async (name: string) => print(visibleLines(rulesNamed(await gameNamed(name))).trimEnd()))
}

export function wiresCommand(command: Command): void {
  command
    .argument('<game>', 'a game, or the file of one')
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExample: agon wires gunduel')
    .action(async (name: string, options: { json?: boolean }) => {
      const wires = await describeWires(name)
      if (options.json) printJson(wires)
      else print(wires.map(asText).join('\n'))
    })
}

const TRANSPORTS = {
  turn: 'a process per question',
  lines: 'lines on a process that stays running',
  module: "a function in agon's own process",
}

function asText(wire: WireFacts): string {
  const limits = Object.entries(wire.limits).map(([limit, ms]) => `${limit} ${ms} ms`)
  return [
    `${visible(wire.name)}${wire.default ? ' (of a command that names none)' : ''}`,
    `  ${visible(wire.summary)}`,
    `  ${TRANSPORTS[wire.transport]}; may remember for a ${wire.memory}${limits.length > 0 ? `; limits: ${limits.join(', ')}` : ''}`,
    ...(wire.expects === undefined ? [] : [`  expected to ${visible(wire.expects)}`]),
    ...(wire.state === undefined ? [] : [`  may keep up to ${wire.state.bytes} bytes in ${wire.state.folder}/`]),
  ].join('\n')
}
