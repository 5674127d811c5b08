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
import { GAME } from './options.js'
import { print, printEither, printJson } from './terminal.js'
import { flag, verb } from './verb.js'

const JSON_ONE = { json: flag('one JSON document') }

export const gamesCommand = verb({
  takes: [['[game]', 'only this one, with its options and its house bots, the strongest first; or the file of a game']],
  options: JSON_ONE,
  help: '\nExamples:\n  agon games\n  agon games samurai',
  async run({ json }, name?: string) {
    const games = await describeGames(name)
    const bots = name === undefined ? [] : await describeHouse(await gameNamed(name))
    if (json) return printJson(name === undefined ? games : games.map((game) => ({ ...game, bots })))
    for (const game of games) print(about(game))
    if (name === undefined)
      return print('\nagon run GAME plays its built-in contest; agon wires GAME shows how bots speak to it.')
    const own = Object.entries(games[0]?.options ?? {})
    print(`\nOptions (in a contest's [options], or --option NAME=VALUE), with their defaults:`)
    for (const [option, value] of own) print(visible(`  ${option} = ${JSON.stringify(value)}`))
    if (own.length === 0) print('  none')
    if (bots.length === 0) return
    print('\nHouse bots, the strongest first (by points for a match of agon ladder):')
    for (const bot of bots) print(aboutBot(bot))
  },
})

const aboutBot = ({ name, language, synopsis, strength }: HouseBotFacts): string =>
  visible(
    `  ${pad(name, 12)}${pad(strength === undefined ? '' : strength.toFixed(2), 6)} ${synopsis ?? ''}${language === undefined ? '' : ` (${language})`}`,
  ).trimEnd()

function about({ id, title, summary, seats: { min, max } }: GameFacts): string {
  const players = min === max ? min : `${min} to ${max}`
  return `${id.padEnd(11)}${visible(title)}, ${players} players\n${' '.repeat(11)}${visible(summary)}`.trimEnd()
}

export const rulesCommand = verb({
  takes: [GAME],
  help: '\nExample: agon rules coup | less',
  async run(_, name: string) {
    print(visibleLines(rulesNamed(await gameNamed(name))).trimEnd())
  },
})

export const wiresCommand = verb({
  takes: [GAME],
  options: JSON_ONE,
  help: '\nExample: agon wires gunduel',
  async run(given, name: string) {
    const wires = await describeWires(name)
    printEither(given, wires, () => wires.map(asText).join('\n'))
  },
})

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
