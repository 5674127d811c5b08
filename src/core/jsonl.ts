import { faultOf } from './faults.js'
import { type AnyGame, type Move, type Options, SAID_LENGTH, isFault } from './game.js'
import { type Legal, drawAction, isLegal, isList } from './legal.js'
import { below } from './luck.js'
import type { GameDefinition } from './definition.js'
import type { AnyWire, BotOutput, Me } from './wire.js'

/** Milliseconds that a process may take to load and first answer. */
export const START_MS = 5000

/**
 * agon's own wire: a JSON object a line each way on a process that stays (docs/wires.md). `anonymous`: no bots' ids.
 */
export function jsonlWire(game: AnyGame, options: Options, anonymous = false): AnyWire {
  return {
    transport: 'lines',
    anonymous,
    summary: 'one JSON object a line each way, on a process that stays',
    limits: { turn: 1000, start: START_MS },
    loads: { within: 'start', ok: saysReady },
    start: (view, me, limits) => ({
      lines: [
        JSON.stringify({
          type: 'start',
          game: game.id,
          version: game.version,
          seat: me.seat,
          seats: me.ids.length,
          ...(!anonymous && { ids: me.ids, field: me.field }),
          options,
          limits,
          view,
        }),
      ],
    }),
    ask: (view, _me, legal, asked) => {
      const actions = legal?.() ?? game.legal(view)
      const example = isList(actions) ? undefined : exampleOf(actions, view)
      return { lines: [JSON.stringify({ type: 'ask', ...asked, view, legal: actions, example })] }
    },
    read: (output) => {
      const out = output.out ?? ''
      if (out.trim() === '') return { fault: 'silent', why: 'an empty line' }
      const answer = answerIn(fromLatin1(out))
      if (answer === undefined) return { fault: 'unparsable', why: 'not a line of JSON', said: out }
      if (saysReady(out)) return undefined
      const { action } = answer
      if (typeof action !== 'string') return { fault: 'unparsable', why: 'no "action" that is a text', said: out }
      return action
    },
    said: ({ out = '' }) => saidIn(fromLatin1(out)),
    numberOf: (line) => {
      // Most lines are answers; looking for the letter is cheaper than parsing.
      const n = line.includes('"n"') ? answerIn(fromLatin1(line))?.n : undefined
      return typeof n === 'number' ? n : undefined
    },
    end: (view, outcome, me) => ({ lines: [JSON.stringify({ type: 'end', seat: me.seat, view, outcome })] }),
  }
}

function saysReady(line: string): boolean {
  const answer = line.includes('"ready"') ? answerIn(fromLatin1(line)) : undefined
  return answer?.ready === true && answer.action === undefined
}

interface LineParts {
  readonly action?: unknown
  readonly say?: unknown
  readonly n?: unknown
  readonly ready?: unknown
}

/** The parts of a line of JSON, none if it is no object; undefined: no JSON. */
function answerIn(line: string): LineParts | undefined {
  try {
    const answer: unknown = JSON.parse(line)
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return undefined
  }
}

/** What a line of JSON { action, say } says; undefined: nothing. */
export const saidIn = (line: string): string | undefined => textOf(answerIn(line)?.say)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A legal action of a shape, drawn by the view: the same for the same. */
function exampleOf(legal: Legal, view: unknown): string | undefined {
  const seed = JSON.stringify(view)
  let draws = 0
  return drawAction(legal, (n) => below(n, `${seed}/${draws++}`))
}

/** A function in agon's process; it returns the action, or { action, say } where bots `say` something. */
export function moduleWire(say = false): AnyWire {
  const partsOf = ({ out = '' }: BotOutput) => (say && out.startsWith('{') ? answerIn(out) : undefined)
  return {
    transport: 'module',
    anonymous: true,
    summary: 'a JavaScript or TypeScript module whose default export answers (view) => action',
    limits: { turn: 1000 },
    ask: () => ({}),
    read: (output) => textOf(partsOf(output)?.action) ?? output.out ?? { fault: 'silent', why: 'returned nothing' },
    said: ({ out = '' }) => (say ? saidIn(out) : undefined),
  }
}

/** A game's wires by name: historic ones, `jsonl` and `module`. */
export function wiresOf(definition: GameDefinition, options: Options): Readonly<Record<string, AnyWire>> {
  const known = wiresByOptions.get(definition) ?? new WeakMap<Options, Readonly<Record<string, AnyWire>>>()
  wiresByOptions.set(definition, known)
  const wires = known.get(options) ?? makeWires(definition, options)
  known.set(options, wires)
  return wires
}

/** Every match asks for its game's wires; a run's matches share options. */
const wiresByOptions = new WeakMap<GameDefinition, WeakMap<Options, Readonly<Record<string, AnyWire>>>>()

function makeWires(definition: GameDefinition, options: Options): Readonly<Record<string, AnyWire>> {
  const own = Object.values(definition.wires ?? {})
  const anonymous = own.length > 0 && own.every((wire) => wire.anonymous)
  return {
    ...definition.wires,
    jsonl: jsonlWire(definition.game, options, anonymous),
    module: moduleWire(definition.game.say),
  }
}

/** The wire of a command that names none. */
export function defaultWire(definition: GameDefinition): string {
  return definition.wire ?? 'jsonl'
}

/** Bytes read as latin1, as the UTF-8 text they are; what is no UTF-8 stays. */
export function fromLatin1(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  try {
    return decodeURIComponent(
      bytes.replace(/[%\x80-\xff]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`),
    )
  } catch {
    return bytes
  }
}

/** What a seat said, as far as it is heard; undefined: nothing. */
export function saidBeside(game: AnyGame, wire: AnyWire, output: BotOutput, move: Move<string>): string | undefined {
  if (game.say !== true || isFault(move)) return undefined
  const said = wire.said?.(output)
  if (said === undefined || said === '') return undefined
  // Whole characters, also those of two places.
  return Array.from(said.slice(0, 2 * SAID_LENGTH))
    .slice(0, SAID_LENGTH)
    .join('')
}

/** An answer as a move: the wire judges syntax, the view legality. `legal` gives what may be worked out already. */
export function readMove(
  game: AnyGame,
  wire: AnyWire,
  output: BotOutput,
  view: unknown,
  me: Me,
  legal: () => Legal = () => game.legal(view),
): Move<string> {
  const { trouble } = output
  const troubled = trouble && {
    fault: trouble,
    why: output.why || undefined,
    said: output.out ? readable(output.out) : undefined,
  }
  if (troubled && !(wire.salvage && faultOf(trouble).salvaged && output.out)) return troubled
  const move = wire.read(output, view, me)
  if (move === undefined) return troubled || { fault: 'unparsable', why: 'no answer', said: readable(output.out ?? '') }
  if (isFault(move)) return troubled || (move.said === undefined ? move : { ...move, said: readable(move.said) })
  // A stranger's game may give anything: its mistake is refused once it does not allow a move.
  return isLegal(legal(), move) ? move : { fault: 'illegal', why: 'not among the legal actions', said: readable(move) }
}

const readable = (text: string): string => (text.length > 200 ? text.slice(0, 200) : text)
