import {
  type AnyGame,
  GameMistake,
  type MatchRecord,
  type ShownSeats,
  frozenView,
  messageOf,
  shownSeats,
} from '../core/index.js'
import { type GameInPlay, brokenRule, refusePromise, refuseView, walk } from '../match/index.js'

/** Matches of a game, and the steps of each, that are looked at closely: what shows in every match shows in these. */
const CLOSELY = { matches: 5, steps: 100 }

const looked = new WeakMap<object, number>()

/**
 * Looks closely at one of the first rejudged matches of a game that does not ship with agon: without a clock and chance of its own it must follow
 * the match, change no state, view alike when asked twice, and show every position. Throws a GameMistake.
 */
export function lookAtFirst(game: GameInPlay, record: MatchRecord): void {
  const before = looked.get(game.definition.game) ?? 0
  if (game.file === undefined || before >= CLOSELY.matches) return
  looked.set(game.definition.game, before + 1)
  withoutChance(() => lookAt(game, record))
}

function lookAt(game: GameInPlay, record: MatchRecord): void {
  const { definition } = game
  const seats = shownSeats(record.seats.map(({ entrant }) => entrant))
  try {
    lookAtPosition(game, 'setup', definition.game.setup(seats.names.length, record.options, record.luck), seats)
    const steps = walk({ ...definition, game: frozen(definition.game) }, record)
    for (let n = 0; n < CLOSELY.steps; n++) {
      const next = steps.next()
      if (next.done) return
      lookAtPosition(game, 'play', next.value.after, seats)
    }
  } catch (error) {
    throw error instanceof GameMistake ? error : brokenRule(game, `it is not pure: ${messageOf(error)}`)
  }
}

/** The game with deeply frozen states: to write into one throws. */
function frozen(game: AnyGame): AnyGame {
  const parts: Pick<AnyGame, 'setup' | 'play'> = {
    setup: (...words) => frozenView(game.setup(...words)),
    play: (...words) => frozenView(game.play(...words)),
  }
  return Object.assign(Object.create(game) as AnyGame, parts)
}

/** `from`: the part that gave the state. */
function lookAtPosition(inPlay: GameInPlay, from: 'setup' | 'play', state: unknown, seats: ShownSeats): void {
  refusePromise(inPlay, from, state)
  const { definition } = inPlay
  const { game } = definition
  const shown = (part: string, value: unknown): void => {
    if (typeof value !== 'string' && value !== undefined)
      throw brokenRule(inPlay, `${part}() gives ${typeof value}, and has to give a text`)
  }
  shown('board', definition.board?.(state, seats))
  shown('viewer', definition.viewer?.(state, seats))
  for (let seat = 0; seat < seats.names.length; seat++) {
    const view = game.view(state, seat)
    refuseView(inPlay, view, seat)
    if (JSON.stringify(view) !== JSON.stringify(game.view(state, seat)))
      throw brokenRule(inPlay, `it is not pure: view() differs when it is asked twice for seat ${seat}`)
    shown('text', definition.text?.(view, seat))
    shown('figures', definition.figures?.(state, seat))
    shown('question', definition.question?.(view))
  }
}

/** What a game must not use: its luck is its only chance, and it knows no time. */
const FORBIDDEN: readonly (readonly [owner: string, part: string])[] = [
  ['Math', 'random'],
  ['Date', 'now'],
  ['performance', 'now'],
  ['crypto', 'randomUUID'],
  ['crypto', 'getRandomValues'],
]

/** Runs synchronous code in which the clock and the process's own chance throw. */
export function withoutChance<T>(run: () => T): T {
  const banned: (() => void)[] = []
  for (const [owner, part] of FORBIDDEN) {
    const object = (globalThis as Record<string, unknown>)[owner] as object | undefined
    if (object !== undefined) banned.push(replaced(object, part, () => refuse(`${owner}.${part}`)))
  }
  banned.push(replaced(globalThis, 'Date', timeless(Date)))
  try {
    return run()
  } finally {
    for (const back of banned) back()
  }
}

function refuse(what: string): never {
  throw new Error(`${what} is called, and a game is pure: all chance is pick(luck, items), and there is no clock`)
}

const timeless = (dates: DateConstructor): DateConstructor =>
  new Proxy(dates, {
    construct: (target, words, made) =>
      words.length === 0 ? refuse('new Date()') : (Reflect.construct(target, words, made) as object),
    apply: () => refuse('Date()'),
  })

/** Replaces a part; returns what puts the old one back. */
function replaced(owner: object, part: string, value: unknown): () => void {
  const old = Object.getOwnPropertyDescriptor(owner, part)
  Object.defineProperty(owner, part, { value, configurable: true, writable: true })
  return () => {
    if (old === undefined) Reflect.deleteProperty(owner, part)
    else Object.defineProperty(owner, part, old)
  }
}
