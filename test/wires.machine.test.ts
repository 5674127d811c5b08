import { wiresOf } from '../src/core/index.js'
import { DEFAULT_LIMITS, findIsolation } from '../src/sandbox/index.js'
import { games } from '../src/games/index.js'
import { type Share, describeWire } from './kit/wire.js'

const { launcher = '', program: bubblewrap } = await findIsolation()

/** A hand of poker may be over before a vice shows, which takes three questions; its wire is that of all the others. */
const SHORT: ReadonlySet<string> = new Set(['kuhn', 'leduc'])
const long = games.filter(({ game }) => !SHORT.has(game.id))

/** Wires that only differ in what they send: agon's own, of every game, and the gun duel's, by what reads the lines. */
const ALIKE: readonly (readonly string[])[] = [
  long.map(({ game }) => `${game.id} jsonl`),
  ['gunduel lines', 'gunduel class', 'gunduel class-original'],
]

/** The wire's share of the vices; `shift`: in sandboxes it has others than without. */
function shareOf(wire: string, shift: number): Share | undefined {
  const group = ALIKE.find((wires) => wires.includes(wire))
  return group && { place: (group.indexOf(wire) + shift) % group.length, of: group.length }
}

for (const definition of long) {
  for (const [name, { transport }] of Object.entries(wiresOf(definition, definition.game.options))) {
    const wire = `${definition.game.id} ${name}`
    describeWire(definition, name, undefined, shareOf(wire, 0))
    if (bubblewrap === undefined || transport === 'module') continue
    const sandbox = { maker: { launcher, bubblewrap }, limits: DEFAULT_LIMITS, warm: true }
    describeWire(definition, name, sandbox, shareOf(wire, 1))
  }
}
