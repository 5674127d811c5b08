import { type AnyWire, defaultWire, wiresOf } from '../core/index.js'
import { gameNamed } from './game-named.js'

/** What is worth knowing of a wire before a bot is written for it. */
export interface WireFacts {
  readonly name: string
  /** Of a command that names none. */
  readonly default: boolean
  readonly transport: AnyWire['transport']
  readonly summary: string
  /** The longest that a bot may remember. */
  readonly memory: string
  /** Milliseconds by name. */
  readonly limits: Readonly<Record<string, number>>
  /** What a bot has to do to be ready. */
  readonly expects?: string
  /** The folder in which it may keep files, and the bytes that it may keep there. */
  readonly state?: NonNullable<AnyWire['state']>
}

/** The wires of a game: by its name, or by its file, which is run. Throws UserError where there is none. */
export async function describeWires(game: string): Promise<readonly WireFacts[]> {
  const definition = await gameNamed(game)
  return Object.entries(wiresOf(definition, definition.game.options)).map(([name, wire]) =>
    factsOf(name, wire, defaultWire(definition)),
  )
}

const factsOf = (name: string, wire: AnyWire, standard: string): WireFacts => ({
  name,
  default: name === standard,
  transport: wire.transport,
  summary: wire.summary,
  memory: longestMemory(wire),
  limits: wire.limits ?? {},
  expects: wire.ready?.expects,
  state: wire.state,
})

/** The longest that a bot may remember, where the wire itself does not say. */
function longestMemory({ memory, transport, state }: AnyWire): string {
  return memory ?? (transport === 'turn' && state === undefined ? 'turn' : 'tournament')
}
