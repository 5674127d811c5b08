import { toldLimits } from '../match/index.js'
import { randomMoves } from './random.js'
import {
  type AnyWire,
  type GameDefinition,
  type Me,
  type Options,
  newLuck,
  outcomeOf,
  wiresOf,
  type Legal,
} from '../core/index.js'

/** What bots of a game are asked, as random games show it. */
export interface Samples {
  /** One question of each kind; one where the game names no kinds. */
  readonly questions: readonly AskedView[]
  /** The last view of a game, and the message of its end. */
  readonly end?: string
  /** The line that begins a match. */
  readonly start: string
  /** Views of all kinds, also of seats that are not asked. */
  readonly views: readonly unknown[]
}

export interface AskedView {
  /** In the game's words; '' where it names no kinds. */
  readonly kind: string
  readonly view: unknown
  readonly legal: Legal
}

/** Random games that are looked at, steps of each, and views that are kept. */
const GAMES = 40
const STEPS = 400
const VIEWS = 2000

/** Plays random games and keeps what bots are asked in them. What the game throws is thrown. */
export function samplesOf(definition: GameDefinition, options: Options = definition.game.options): Samples {
  const { game } = definition
  const wire = wiresOf(definition, options)['jsonl'] as AnyWire
  const seats = Math.max(game.seats.min, Math.min(3, game.seats.max))
  const me: Me = { seat: 0, ids: Array.from({ length: seats }, (_, seat) => seat), field: seats }
  const kinds = new Map<string, AskedView>()
  const views: unknown[] = []
  let end: string | undefined
  for (let n = 0; n < GAMES && (n < 2 || definition.question !== undefined); n++) {
    let state = game.setup(seats, options, newLuck(`samples ${n}`))
    for (let step = 0; step < STEPS; step++) {
      const due = game.toMove(state)
      for (let seat = 0; seat < seats && views.length < VIEWS; seat++) views.push(game.view(state, seat))
      for (const seat of due) {
        const view = game.view(state, seat)
        const kind = definition.question?.(view) ?? ''
        // A question from the middle of a game shows more than the first.
        if (!kinds.has(kind) || (kind === '' && n === 0 && step === 3))
          kinds.set(kind, { kind, view, legal: game.legal(view) })
      }
      const outcome = outcomeOf(definition, state, seats)
      if (outcome !== undefined) end ??= wire.end?.(game.view(state, 0), outcome, me).lines?.[0]
      if (due.length === 0) break
      state = game.play(state, randomMoves(game, state, seats, `samples ${n}/${step}`, 0))
    }
  }
  const first = game.view(game.setup(seats, options, newLuck('samples 0')), 0)
  const start = wire.start?.(first, me, toldLimits({}, wire)).lines?.[0] ?? ''
  return { questions: [...kinds.values()], start, views, end }
}
