import type { GameDefinition, BotOutput, MatchRecord, Move, Outcome, Player, Seat } from '../core/index.js'
import { type JudgedStep, Position, judgeContext, outputIn, unreadyOf, walk } from './judge.js'
import { leftOf } from './clocks.js'
import { MatchState, type Steps } from './match-state.js'
import { askOf } from './play.js'

/** A bot's answer in a recorded match, beside the recorded one. */
export type Reply =
  | { readonly asks: 'ready'; readonly recorded: BotOutput | undefined; readonly output: BotOutput }
  | {
      readonly asks: 'move'
      /** Counted from 0. */
      readonly step: number
      readonly view: unknown
      readonly recorded: BotOutput
      readonly output: BotOutput
      /** As moves: the recorded answer, and the present one. */
      readonly was: Move<string>
      readonly now: Move<string>
    }

export interface Replaying {
  readonly definition: GameDefinition
  readonly record: MatchRecord
  readonly seat: Seat
  /** The present bot's wire. Absent: the recorded one. */
  readonly wire?: string
  /** The contest's limits, as the bot is told them. Absent: none. */
  readonly limits?: Readonly<Record<string, number>>
  /** Milliseconds for any answer. Times are not judged: it ends bots that never answer. */
  readonly limit: number
}

/**
 * Leads a bot through a recorded match in a seat: it is sent and asked all that this seat was, whatever it answers. Yields its
 * replies in order; a caller may stop at any, which ends the bot's match. Throws RecordError where the rules no longer follow
 * the record.
 */
export async function* replayAsSeat(player: Player, replaying: Replaying): AsyncGenerator<Reply, void> {
  const { definition, record, seat, wire, limit, limits = {} } = replaying
  const seats = record.seats.map((one, i) => (i === seat && wire !== undefined ? { ...one, wire } : one))
  const context = judgeContext(definition, { ...record, seats })
  const steps = new RecordedSteps(definition, record)
  const clocks = leftOf(record)
  const left = (who: Seat): number | undefined => clocks?.[steps.number]?.[who]
  const match = new MatchState(context, steps, { limit: () => limit, limits, left, seats: [seat] })
  const position = new Position(context, record)
  await player.begin(record.key ?? '')
  try {
    for (; ; match.advance()) {
      for (const { input } of match.updates) await player.send(input)
      if (match.over) return
      for (const due of match.due()) {
        const answer = await askOf(player, due)
        const { output } = answer
        match.answer(seat, answer)
        if (due.asks === 'ready') {
          position.unready = unreadyOf(context, [[seat, output]])
          yield { asks: 'ready', recorded: record.ready.find(([who]) => who === seat)?.[1], output }
        } else {
          const { view } = due
          const now = position.read(seat, output, view).move
          yield { asks: 'move', step: steps.number, view, output, now, ...steps.of(seat) }
        }
      }
    }
  } finally {
    await player.end()
  }
}

class RecordedSteps implements Steps {
  state: unknown
  /** Of the step that is due, counted from 0. */
  number = -1
  private readonly walked: Generator<JudgedStep, Outcome>
  private next: JudgedStep | undefined

  constructor(
    definition: GameDefinition,
    private readonly source: MatchRecord,
  ) {
    this.state = definition.game.setup(source.seats.length, source.options, source.luck)
    this.walked = walk(definition, source)
  }

  due(): readonly Seat[] {
    const { done, value } = this.walked.next()
    this.next = done ? undefined : value
    this.number++
    return this.next?.due ?? []
  }

  of(seat: Seat): { readonly recorded: BotOutput; readonly was: Move<string> } {
    const { moves } = this.next as JudgedStep
    return { recorded: outputIn(this.source.steps[this.number], seat) as BotOutput, was: moves[seat] as Move<string> }
  }

  /** A bot not ready is asked all the same, to learn its answers. */
  ready(): readonly Seat[] {
    return []
  }

  play(): readonly (Move<string> | undefined)[] {
    const { moves, after } = this.next as JudgedStep
    this.state = after
    return moves
  }

  outcome(): Outcome {
    return this.source.outcome
  }

  record(): MatchRecord {
    return this.source
  }
}
