import type { Command } from 'commander'
import { visible } from '../core/index.js'
import { type WireFacts, describeWires } from '../app/look/games.js'
import { print, printJson } from './terminal.js'

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
