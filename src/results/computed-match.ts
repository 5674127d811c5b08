import { type GameDefinition, type MatchRecord, type Move, shownSeats, unpackOutput } from '../core/index.js'
import { type PlayedSoFar, Position, judgeContext, unreadyOf, walk } from '../match/index.js'
import { atOnce } from '../files/index.js'
import { type EvaluatedMatch, evaluating, matchEvaluator } from '../lab/index.js'

/** What the page shows of a match whose game's rules it does not know. */
export interface ComputedMatch {
  /** The position as text, before the first turn and after each. */
  readonly boards: readonly string[]
  /** What matters of a seat in each position, by position and seat, in the game's words: '2 rounds'. Absent: the game says nothing. */
  readonly figures?: readonly (readonly string[])[]
  /** The positions as the game's viewer draws them: SVG or HTML of a stranger. Absent: it has none, or it drew too much. */
  readonly pictures?: readonly string[]
  /** By turn and seat. */
  readonly moves: readonly (readonly (Move<string> | null)[])[]
  /** Its bots may say something beside their actions. */
  readonly say?: boolean
  /** What positions and moves are worth; absent: the game has no solution. */
  readonly evaluation?: EvaluatedMatch
}

/** Characters of pictures that a match may have: a report holds thousands of matches, and is one file. */
const MOST = 4_000_000

/**
 * The positions of a match as text, figures and pictures, for a page that does not know the rules. In steps, one a position: a designer's own
 * rules or picture may take a while.
 */
export function* computing(definition: GameDefinition, record: MatchRecord): Generator<unknown, ComputedMatch> {
  const states: unknown[] = [definition.game.setup(record.seats.length, record.options, record.luck)]
  const moves = yield* followed(definition, record, states)
  const computed = yield* positions(definition, namesOf(record), states, moves)
  const evaluation = yield* evaluated(definition, record, states, moves)
  return { ...computed, evaluation }
}

/** By seat. */
const namesOf = ({ seats }: Pick<MatchRecord, 'seats'>): readonly string[] => seats.map(({ entrant }) => entrant)

/** The moves of a match as the rules judge them, as far as they can follow its record; in steps. The states behind them come into `states`. */
export function* followed(
  definition: GameDefinition,
  record: MatchRecord,
  states: unknown[] = [],
): Generator<undefined, ComputedMatch['moves']> {
  const moves: ComputedMatch['moves'][number][] = []
  try {
    for (const step of walk(definition, record)) {
      states.push(step.after)
      moves.push(step.moves.map((move) => move ?? null))
      yield
    }
  } catch {
    // A record of other rules: what was judged so far counts, and the replay says where it ends.
  }
  return moves
}

/** A match that is being played, whose rules the page does not know: its positions as far as it has come. */
export class FollowedMatch {
  /** Up to now, the first one included. */
  computed: ComputedMatch
  private readonly position: Position

  /** Throws what the game throws. */
  constructor(
    private readonly definition: GameDefinition,
    private readonly match: Omit<PlayedSoFar, 'steps' | 'times'>,
  ) {
    const context = judgeContext(definition, match)
    this.position = new Position(context, match)
    this.position.unready = unreadyOf(context, match.ready)
    this.computed = atOnce(positions(definition, namesOf(match), [this.position.state], []))
  }

  /** Takes the next steps. Throws what the game throws. */
  take(steps: MatchRecord['steps']): void {
    const { position, definition, match } = this
    const states: unknown[] = []
    const moves: ComputedMatch['moves'][number][] = []
    for (const step of steps) {
      for (const [seat, output] of step)
        position.take(seat, unpackOutput(output), definition.game.view(position.state, seat))
      moves.push(position.play().moves.map((move) => move ?? null))
      states.push(position.state)
    }
    const more = atOnce(positions(definition, namesOf(match), states, moves))
    const { boards, figures, pictures, say } = this.computed
    this.computed = {
      say,
      boards: [...boards, ...more.boards],
      moves: [...this.computed.moves, ...more.moves],
      figures: figures && more.figures && [...figures, ...more.figures],
      pictures: pictures && more.pictures && [...pictures, ...more.pictures],
    }
  }

  /** The positions behind so many steps, with the moves that led to them. */
  after(steps: number): ComputedMatch {
    const { boards, moves, figures, pictures, say } = this.computed
    const from = steps + 1
    return {
      say,
      boards: boards.slice(from),
      moves: moves.slice(steps),
      figures: figures?.slice(from),
      pictures: pictures?.slice(from),
    }
  }
}

function* positions(
  definition: GameDefinition,
  names: readonly string[],
  states: readonly unknown[],
  moves: ComputedMatch['moves'],
): Generator<undefined, ComputedMatch> {
  const shown = shownSeats(names)
  const boards: string[] = []
  const figures: string[][] = []
  const pictures: string[] = []
  let drawn = 0
  let draws = definition.viewer !== undefined
  for (const state of states) {
    boards.push(definition.board?.(state, shown) ?? JSON.stringify(state, undefined, 2))
    figures.push(names.map((_, seat) => definition.figures?.(state, seat) ?? ''))
    const picture: unknown = draws ? definition.viewer?.(state, shown) : undefined
    // Of too many, and of what is no picture, none is shown.
    draws &&= typeof picture === 'string' && (drawn += picture.length) <= MOST
    if (draws) pictures.push(picture as string)
    yield
  }
  return {
    boards,
    moves,
    figures: definition.figures ? figures : undefined,
    pictures: draws ? pictures : undefined,
    say: definition.game.say,
  }
}

/** What a match of a small game is worth, for a page that does not know its rules; in steps. Undefined: nothing is known of it. */
function* evaluated(
  definition: GameDefinition,
  { options }: MatchRecord,
  states: readonly unknown[],
  moves: ComputedMatch['moves'],
): Generator<unknown, EvaluatedMatch | undefined> {
  const evaluator = definition.small === true ? matchEvaluator(definition, options) : undefined
  if (evaluator === undefined) return undefined
  try {
    const steps = states.map((state, i) => ({ state, moves: moves[i - 1] ?? [] }))
    return yield* evaluating(evaluator.course(steps), steps.length)
  } catch {
    // It is not small after all, or cannot be solved: its replays show the rest.
    return undefined
  }
}
