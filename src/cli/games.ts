import type { Command } from 'commander'
import { type GameKit, MEMORIES, UserError, defaultWire, didYouMean, wiresOf } from '../core/index.js'
import { loadGame } from '../contest/index.js'
import { games } from '../games/index.js'
import { print } from './terminal.js'

export function gamesCommand(program: Command): void {
  program
    .command('games')
    .description('list the games that come with agon')
    .option('--json', 'one JSON document')
    .action((options: { json?: boolean }) => {
      if (options.json) return print(JSON.stringify(games.map(facts), undefined, 2))
      for (const kit of games) {
        const { min, max } = kit.game.seats
        print(
          `${kit.game.id.padEnd(11)}${kit.title}, ${min === max ? min : `${min} to ${max}`} players\n${' '.repeat(11)}${kit.summary}`,
        )
      }
      print('\nagon run GAME plays its built-in contest; agon wires GAME tells how a bot speaks to it.')
    })
}

const facts = ({ game, title, summary, wires, wire }: GameKit) => ({
  id: game.id,
  title,
  summary,
  version: game.version,
  seats: game.seats,
  options: game.options,
  wires: [...Object.keys(wires ?? {}), 'jsonl', 'module'],
  wire: wire ?? 'jsonl',
})

export function wiresCommand(program: Command): void {
  program
    .command('wires')
    .description("list a game's wires: the protocols that a bot can speak")
    .argument('<game>', 'a game, or the file of one')
    .option('--json', 'one JSON document')
    .action(async (name: string, options: { json?: boolean }) => {
      const kit = await gameNamed(name)
      const wires = wiresOf(kit, kit.game.options)
      const rows = Object.entries(wires).map(([id, wire]) => ({
        name: id,
        default: id === defaultWire(kit),
        transport: wire.transport,
        summary: wire.summary,
        memory: wire.memory ?? (wire.transport === 'turn' ? MEMORIES[0] : 'tournament'),
        limits: wire.limits ?? {},
      }))
      if (options.json) return print(JSON.stringify(rows, undefined, 2))
      for (const row of rows) {
        const limits = Object.entries(row.limits).map(([limit, ms]) => `${limit} ${ms} ms`)
        print(`${row.name}${row.default ? ' (a command that names none)' : ''}`)
        print(`  ${row.summary}`)
        print(
          `  ${TRANSPORTS[row.transport]}; may remember for a ${row.memory}${limits.length ? `; limits: ${limits.join(', ')}` : ''}`,
        )
      }
    })
}

const TRANSPORTS = {
  turn: 'a process a question',
  lines: 'lines on a process that stays',
  module: "a function in agon's own process",
}

/** A game by its name, or by its file. Throws UserError with a guess. */
export async function gameNamed(name: string): Promise<GameKit> {
  const kit = games.find(({ game }) => game.id === name)
  if (kit !== undefined) return kit
  if (/[./]/.test(name)) return loadGame(name, process.cwd())
  const ids = games.map(({ game }) => game.id)
  throw new UserError(
    `no game "${name}"${didYouMean(name, ids)}; there are ${ids.join(', ')}, or give the file of a game`,
  )
}
