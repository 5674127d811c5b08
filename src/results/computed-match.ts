import { type GameDefinition, type MatchRecord, type Move, shownSeats, unpackOutput } from '../core/index.js'
import { type PlayedSoFar, Position, judgeContext, unreadyOf, walk } from '../match/index.js'
import { atOnce } from '../files/index.js'
import { type EvaluatedMatch, evaluating, matchEvaluator } from '../lab/index.js'

/** A match for a page that does not know its game's rules. */
export interface ComputedMatch {
  /** The position as text, before the first turn and after each. */
  readonly boards: readonly string[]
  /** What matters of a seat, by position and seat, in the game's words: '2 rounds'. Absent: the game says nothing. */
  readonly figures?: readonly (readonly string[])[]
  /** The positions as the game's viewer draws them: a stranger's SVG or HTML. Absent: no viewer, or it drew too much. */
  readonly pictures?: readonly string[]
  /** By turn and seat. */
  readonly moves: readonly (readonly (Move<string> | null)[])[]
  /** Its bots may say something beside their actions. */
  readonly say?: boolean
  /** The worth of positions and moves; absent: the game has no solution. */
  readonly evaluation?: EvaluatedMatch
}

/** Characters of a match's pictures, at most: a report is one file of thousands of matches. */
const MOST = 4_000_000

/** A match's positions as text, figures and pictures, in a step each: a designer's rules may take a while. */
export function* computing(definition: GameDefinition, record: MatchRecord): Generator<unknown, ComputedMatch> {
  const states: unknown[] = [definition.game.setup(record.seats.length, record.options, record.luck)]
  const moves = yield* followed(definition, record, states)
  const computed = yield* positions(definition, namesOf(record), states, moves)
  const evaluation = yield* evaluated(definition, record, states, moves)
  return { ...computed, evaluation }
}

/** By seat. */
const namesOf = ({ seats }: Pick<MatchRecord, 'seats'>): readonly string[] => seats.map(({ entrant }) => entrant)

/** A match's moves as the rules judge them, as far as they can follow its record; in steps. Adds the states to `states`. */
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
    // Other rules: what was judged so far counts, and the replay says where it ends.
  }
  return moves
}

/** A match under way whose rules the page does not know: its positions so far. */
export class FollowedMatch {
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

  /** The positions behind so many steps, with the moves to them. */
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
    // Too many pictures, or what is none: none is shown.
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

/** The worth of a small game's match, for a page that does not know its rules; in steps. Undefined: unknown. */
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
    // Not small after all, or not solvable: its replays show the rest.
    return undefined
  }
}
