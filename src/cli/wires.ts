import type { Command } from 'commander'
import { type AnyWire, defaultWire, visible, wiresOf } from '../core/index.js'
import { gameNamed } from './game-named.js'
import { print } from './terminal.js'

export function wiresCommand(command: Command): void {
  command
    .argument('<game>', 'a game, or the file of one')
    .option('--json', 'one JSON document')
    .addHelpText('after', '\nExample: agon wires gunduel')
    .action(async (name: string, options: { json?: boolean }) => {
      const kit = await gameNamed(name)
      const rows = Object.entries(wiresOf(kit, kit.game.options)).map(([id, wire]) => facts(id, wire, defaultWire(kit)))
      print(options.json ? JSON.stringify(rows, undefined, 2) : rows.map(asText).join('\n'))
    })
}

const TRANSPORTS = {
  turn: 'a process a question',
  lines: 'lines on a process that stays',
  module: "a function in agon's own process",
}

const facts = (name: string, wire: AnyWire, standard: string) => ({
  name,
  default: name === standard,
  transport: wire.transport,
  summary: wire.summary,
  memory: longestMemory(wire),
  limits: wire.limits ?? {},
  ...(wire.ready && { expects: wire.ready.expects }),
  ...(wire.state && { state: wire.state }),
})

/** The longest that a bot may remember, where the wire itself does not say. */
function longestMemory({ memory, transport, state }: AnyWire): string {
  return memory ?? (transport === 'turn' && state === undefined ? 'turn' : 'tournament')
}

function asText(wire: ReturnType<typeof facts>): string {
  const limits = Object.entries(wire.limits).map(([limit, ms]) => `${limit} ${ms} ms`)
  return [
    `${visible(wire.name)}${wire.default ? ' (of a command that names none)' : ''}`,
    `  ${visible(wire.summary)}`,
    `  ${TRANSPORTS[wire.transport]}; may remember for a ${wire.memory}${limits.length > 0 ? `; limits: ${limits.join(', ')}` : ''}`,
    ...(wire.expects === undefined ? [] : [`  expected to ${visible(wire.expects)}`]),
    ...(wire.state === undefined ? [] : [`  may keep up to ${wire.state.bytes} bytes in ${wire.state.folder}/`]),
  ].join('\n')
}
