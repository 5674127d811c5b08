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
import { withoutChance } from './without-chance.js'

/** Matches of a game that are looked at closely, and the steps of each: all that shows in every match shows in these. */
const CLOSELY = { matches: 5, steps: 100 }

const looked = new WeakMap<object, number>()

/**
 * Looks closely at a match that was judged again, if it is one of the first of a game that did not ship with agon: without a clock and without
 * chance of its own the game must follow it, leave each state as it is, view alike when asked twice, and show every position. Throws a GameMistake.
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

/** The game with states that are frozen through and through: to write into one throws. */
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
