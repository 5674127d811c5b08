import {
  type Answer,
  type GameKit,
  type Heard,
  type MatchRecord,
  type Move,
  type Outcome,
  type Seat,
  type Step,
  type Timing,
  UserError,
  packHeard,
} from '../core/index.js'
import { type Bench, type Fixture, Position, benchOf, unreadyOf, wireAt } from './judge.js'
import { Keeper } from './keep.js'
import { type Answers, MatchState, type Steps } from './match-state.js'
import { DEFAULT_STEPS, endless } from './pace.js'

/** Milliseconds where neither the contest nor the wire says anything. */
export const DEFAULT_TURN_MS = 1000

/** A match to be played, whoever sits there. */
export interface LiveMatch {
  readonly fixture: Fixture
  readonly kit: GameKit
  /** Milliseconds by name, over the wires' own. */
  readonly limits?: Readonly<Record<string, number>>
  /** Steps at most: a game that has not ended by then is its designer's mistake. Absent: `DEFAULT_STEPS`. */
  readonly steps?: number
  /** The game's file, where it did not ship with agon. */
  readonly file?: string
}

/**
 * A match that is to be played, before anything was asked. Throws RecordError for a wire that the game does not have or a wrong
 * number of seats, and what the game throws.
 */
export function startMatch(match: LiveMatch): MatchState {
  const bench = benchOf(match.kit, match.fixture)
  const limit = (seat: Seat, name: string): number =>
    match.limits?.[name] ?? wireAt(bench, seat).limits?.[name] ?? DEFAULT_TURN_MS
  return new MatchState(bench, new LiveSteps(match, bench), { limit })
}

const NOT_READY: Answer = { heard: { trouble: 'killed', why: 'was not ready' }, wallUs: 0 }

/** The steps of a match that follow from its seats' answers, and the record of these. */
export class LiveSteps implements Steps {
  readonly position: Position
  private readonly keeper: Keeper
  private readonly most: number
  private readied: [Seat, Heard][] = []
  private readonly heard: Step[] = []
  private readonly times: Timing[][] = []

  constructor(
    private readonly match: LiveMatch,
    private readonly bench: Bench,
  ) {
    this.position = new Position(bench, match.fixture)
    this.keeper = new Keeper(bench.wires.length)
    this.most = match.steps ?? DEFAULT_STEPS
  }

  get state(): unknown {
    return this.position.state
  }

  /** Throws UserError where the match has had as many steps as it may have. */
  due(): readonly Seat[] {
    const due = this.position.due()
    if (due.length > 0 && this.heard.length >= this.most) throw endless(nameOf(this.match), this.most)
    return due
  }

  ready(answers: Answers): readonly Seat[] {
    const { bench, keeper } = this
    for (const [seat, answer] of answers.entries()) {
      if (!answer) continue
      const kept = keeper.keep(seat, answer.heard, (heard) => unreadyOf(bench, [[seat, heard]]).get(seat))
      this.readied.push([seat, kept])
    }
    this.position.unready = unreadyOf(bench, this.readied)
    return [...this.position.unready.keys()]
  }

  /** A seat that gave no answer is one that was not ready. */
  play(answers: Answers, view: (seat: Seat) => unknown): readonly (Move<string> | undefined)[] {
    const { position, keeper } = this
    const moves = position.noMoves()
    const step: (readonly [Seat, Heard | string])[] = []
    const times: Timing[] = []
    for (const seat of position.due()) {
      const answer = answers[seat] ?? NOT_READY
      const seen = view(seat)
      const kept = keeper.keep(seat, answer.heard, (heard) => position.move(seat, heard, seen))
      moves[seat] = position.move(seat, kept, seen)
      step.push([seat, packHeard(kept)])
      times.push(timing(answer))
    }
    position.play(moves)
    this.heard.push(step)
    this.times.push(times)
    return moves
  }

  /** Throws UserError where the game has none, or one that does not fit its seats. */
  outcome(): Outcome {
    const { game } = this.match.kit
    const seats = this.bench.wires.length
    const outcome = game.outcome(this.position.state)
    if (outcome === undefined)
      throw new UserError(`the game ${game.id} breaks its own rules: nobody is due and there is no outcome`)
    if (outcome.place?.length !== seats) {
      throw new UserError(
        `the game ${game.id} breaks its own rules: its outcome has places of ${outcome.place?.length ?? 0} seats, and there are ${seats}`,
      )
    }
    return outcome
  }

  record(outcome: Outcome): MatchRecord {
    return { ...this.match.fixture, ready: this.readied, steps: this.heard, times: this.times, outcome }
  }
}

const nameOf = ({ kit, file }: LiveMatch): string => (file === undefined ? kit.game.id : `${kit.game.id} (${file})`)

const timing = (answer: Answer): Timing => {
  const wall = Math.round(answer.wallUs)
  if (answer.cpuUs === undefined) return [wall]
  const cpu = Math.round(answer.cpuUs)
  return answer.chargedUs === undefined ? [wall, cpu] : [wall, cpu, Math.round(answer.chargedUs)]
}
