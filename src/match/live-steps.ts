import {
  type Answer,
  type GameDefinition,
  type Legal,
  type BotOutput,
  type MatchRecord,
  type Move,
  type Outcome,
  type Seat,
  type Step,
  type Timing,
  type GameMistake,
  UserError,
  OutcomeError,
  isFault,
  outcomeOf,
  packOutput,
} from '../core/index.js'
import {
  type GameInPlay,
  brokenRule,
  nameOfGame,
  refuseDue,
  refuseLargeState,
  refuseLegal,
  refusePromise,
} from './game-mistakes.js'
import {
  type JudgeContext,
  type Fixture,
  type PlayedSoFar,
  Position,
  judgeContext,
  unreadyOf,
  wireAt,
} from './judge.js'
import { Clocks, bankOf, limitOf } from './clocks.js'
import { OutputTrimmer } from './trim-output.js'
import { type SeatAnswers, MatchState, type Steps } from './match-state.js'

/** Steps at most, where the contest says nothing. */
const DEFAULT_STEPS = 100_000

/** Whether a state's size is checked after so many steps. A check costs some steps' time, and growth soon shows here, too. */
const isLookedAt = (steps: number): boolean => steps % 64 === 0 || Number.isInteger(Math.log2(steps))

/** A match to be played, without its bots. */
export interface LiveMatch {
  readonly fixture: Fixture
  readonly definition: GameDefinition
  /** Milliseconds by name, over the wires' own. */
  readonly limits?: Readonly<Record<string, number>>
  /** Steps at most: not to end by then is the game designer's mistake. Absent: `DEFAULT_STEPS`. */
  readonly steps?: number
  /** The game's file, unless it ships with agon. */
  readonly file?: string
}

/**
 * A match before anything was asked. Throws RecordError for a wire that the game lacks or a wrong number of seats, and the
 * game's own errors.
 */
export function startMatch(match: LiveMatch): MatchState {
  const context = judgeContext(match.definition, match.fixture)
  const { limits = {} } = match
  const limit = (seat: Seat, name: string): number => limitOf(limits, wireAt(context, seat), name)
  const steps = new LiveSteps(match, context)
  return new MatchState(context, steps, { limit, limits, left: (seat) => steps.clocks?.of(seat) })
}

const NOT_READY: Answer = { output: { trouble: 'killed', why: 'was not ready' }, wallUs: 0 }

/** The steps of a match by its seats' answers, and their record. */
export class LiveSteps implements Steps {
  readonly game: GameInPlay
  readonly position: Position
  /** Undefined: no bank. */
  readonly clocks: Clocks | undefined
  private readonly taken: number[][] = []
  private readonly trimmer: OutputTrimmer
  private readonly most: number
  private readied: [Seat, BotOutput][] = []
  private readonly played: Step[] = []
  private readonly times: Timing[][] = []

  constructor(
    private readonly match: LiveMatch,
    private readonly context: JudgeContext,
  ) {
    this.game = match
    this.position = new Position(context, match.fixture)
    this.trimmer = new OutputTrimmer(context.wires.length)
    this.most = match.steps ?? DEFAULT_STEPS
    const bank = bankOf(match.limits ?? {})
    this.clocks = bank && new Clocks(bank, context.wires)
  }

  get state(): unknown {
    return this.position.state
  }

  /** Throws UserError where the match has had its most steps, and where the game names no seats. */
  due(): readonly Seat[] {
    const { match, state } = this
    const steps = this.played.length
    const part = steps === 0 ? 'setup' : 'play'
    refusePromise(match, part, state)
    if (match.file !== undefined && isLookedAt(steps)) refuseLargeState(match, part, state, steps)
    const due = this.position.due()
    refuseDue(match, state, due, this.context.wires.length)
    if (due.length > 0 && steps >= this.most) throw endless(match, this.most)
    return due
  }

  ready(answers: SeatAnswers): readonly Seat[] {
    const { context, trimmer } = this
    for (const [seat, answer] of answers.entries()) {
      if (!answer) continue
      const kept = trimmer.trim(seat, answer.output, (output) => ({
        move: unreadyOf(context, [[seat, output]]).get(seat),
      }))
      this.readied.push([seat, kept])
    }
    this.position.unready = unreadyOf(context, this.readied)
    return [...this.position.unready.keys()]
  }

  /** A seat that gave no answer is one that was not ready. */
  play(
    answers: SeatAnswers,
    view: (seat: Seat) => unknown,
    legalOf: (seat: Seat) => Legal,
  ): readonly (Move<string> | undefined)[] {
    const { position, trimmer } = this
    const step: (readonly [Seat, BotOutput | string])[] = []
    const times: Timing[] = []
    const taken: number[] = []
    for (const seat of position.due()) {
      const answer = answers[seat] ?? NOT_READY
      const seen = view(seat)
      const legal = (): Legal => legalOf(seat)
      const kept = trimmer.trim(seat, answer.output, (output) => position.read(seat, output, seen, legal))
      const move = position.take(seat, kept, seen, legal)
      // It may have had no legal action.
      if (isFault(move)) refuseLegal(this.match, legal(), seat)
      step.push([seat, packOutput(kept)])
      times.push(timing(answer))
      if (this.clocks) taken.push(this.clocks.take(seat, kept, answer))
    }
    const { moves } = position.play()
    this.played.push(step)
    this.times.push(times)
    this.taken.push(taken)
    return moves
  }

  /** Throws UserError, naming the game's file, where there is none, or one against its rules. */
  outcome(): Outcome {
    const { definition } = this.match
    const mistake = (why: string): GameMistake => brokenRule(this.match, `at the end of a match ${why}`)
    try {
      const outcome = outcomeOf(definition, this.position.state, this.context.wires.length)
      if (outcome === undefined) throw mistake('no seat is due and there is no outcome')
      return outcome
    } catch (error) {
      throw error instanceof OutcomeError ? mistake(error.message) : error
    }
  }

  soFar(): PlayedSoFar {
    return { ...this.match.fixture, ready: this.readied, steps: this.played, times: this.times }
  }

  record(outcome: Outcome): MatchRecord {
    const limits = bankOf(this.match.limits ?? {})
    return { ...this.soFar(), ...(limits !== undefined && { limits, clock: this.taken }), outcome }
  }
}

const endless = (game: LiveMatch, most: number): UserError =>
  new UserError(
    `the game ${nameOfGame(game)} has not ended after ${most} steps: let its outcome() come to an end, or raise steps in the contest`,
  )

const timing = ({ wallUs, cpuUs, chargedUs }: Answer): Timing => {
  const wall = Math.round(wallUs)
  if (cpuUs === undefined) return [wall]
  return chargedUs === undefined ? [wall, Math.round(cpuUs)] : [wall, Math.round(cpuUs), Math.round(chargedUs)]
}
