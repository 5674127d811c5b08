import type { Answer, MatchRecord, Player } from '../core/index.js'
import type { Due, LiveStep, Update } from './events.js'
import { type LiveMatch, startMatch } from './live-steps.js'
import { withFigures } from './figures.js'
import type { MatchState } from './match-state.js'

/** A match to be played, and who sits there. */
export interface Setting extends LiveMatch {
  /** By seat. */
  readonly players: readonly Player[]
  /**
   * Called after every step, and awaited: lets this process do other work, such as receive a signal. Absent: a game or bots without pauses
   * keep it busy. `soon`: another match here waits for its bots, which may have answered.
   */
  readonly yieldControl?: (soon: boolean) => Promise<void> | void
  /** Whether the match is given up; asked each step. */
  readonly givenUp?: () => boolean
  onStep?(step: LiveStep): void
  /** Called before anything is asked, so that observers of the match, or a seat's part, can begin. */
  onStart?(match: Pick<MatchState, 'observe' | 'soFar'>): void
}

/**
 * Plays a match to its end and returns its record. Every seat that is due is asked at the same time. Throws only where agon or the
 * game fails (a UserError: the designer's mistake): the match is then void. Players that answer at once are not awaited.
 */
export async function playMatch(setting: Setting): Promise<MatchRecord> {
  const { fixture, players, yieldControl } = setting
  const match = startMatch(setting)
  if (setting.onStep) match.observe('all', (event) => event.kind === 'moved' && setting.onStep?.(event))
  setting.onStart?.(match)
  try {
    const beginning = together(players, (player) => player.begin(fixture.key ?? ''))
    if (beginning !== undefined) await beginning
    for (let steps = 0; ; match.advance()) {
      for (const seat of match.dismissed) players[seat]?.dismiss()
      const sending = sendAll(players, match.updates)
      if (sending !== undefined) await sending
      const yielded = match.steps > steps ? yieldControl?.(isAwaiting()) : undefined
      if (yielded !== undefined) await yielded
      if (match.over) break
      if (setting.givenUp?.()) throw new Error('the match was given up')
      steps = match.steps
      const waiting = askAll(match, players)
      if (waiting !== undefined) await waiting
    }
  } finally {
    const ending = together(players, (player) => player.end())
    if (ending !== undefined) await ending
  }
  return withFigures(match.record(), players)
}

/** Answers awaited by matches in this process. */
let awaited = 0

/** Counts an answer as awaited until it is there. */
export async function awaiting<T>(answer: Promise<T>): Promise<T> {
  awaited++
  try {
    return await answer
  } finally {
    awaited--
  }
}

export const isAwaiting = (): boolean => awaited > 0

/** Asks the seats due, and hands their answers in. Resolves when all have answered; undefined: they have. */
function askAll(match: MatchState, players: readonly Player[]): Promise<unknown> | undefined {
  let waiting: Promise<void>[] | undefined
  for (const due of match.due()) {
    const { seat } = due
    const answer = askOf(players[seat] as Player, due)
    if ('then' in answer) (waiting ??= []).push(awaiting(answer).then((later) => match.answer(seat, later)))
    else match.answer(seat, answer)
  }
  return waiting?.length === 1 ? waiting[0] : waiting && Promise.all(waiting)
}

/** Undefined: all have done it. */
function together(
  players: readonly Player[],
  act: (player: Player) => Promise<void> | void,
): Promise<unknown> | undefined {
  let waiting: Promise<void>[] | undefined
  for (const player of players) {
    const one = act(player)
    if (one !== undefined) (waiting ??= []).push(one)
  }
  return waiting && Promise.all(waiting)
}

/**
 * Sends start and end to all seats at once, and a step's updates one by one. Undefined: all is sent. Awaiting nothing would have every other
 * match here go on first, while this one's answers lie there.
 */
function sendAll(players: readonly Player[], updates: readonly Update[], from = 0): Promise<unknown> | undefined {
  let sending: Promise<void>[] | undefined
  for (let i = from; i < updates.length; i++) {
    const { seat, when, input } = updates[i] as Update
    const one = players[seat]?.send(input)
    if (one === undefined) continue
    ;(sending ??= []).push(one)
    if (when === 'update') return Promise.all([...sending, one.then(() => sendAll(players, updates, i + 1))])
  }
  return sending && Promise.all(sending)
}

export function askOf(player: Player, due: Due): Promise<Answer> | Answer {
  return due.asks === 'ready' ? player.ready(due.input, due.limit) : player.ask(due)
}

/** What came of one of many matches. */
export type Played<S extends Setting> =
  { readonly setting: S; readonly record: MatchRecord } | { readonly setting: S; readonly error: unknown }

/**
 * Plays independent matches in this thread, at most `atOnce` at the same time: while one waits for its bots, others go on. Matches
 * played at the same time may not share a player. Settings are taken as there is room, so there may be any number. Results come in
 * the order of the ends, and wait for `done`; a void match stops no other. Rejects where `matches` or `done` throw, once those begun
 * have ended.
 */
export async function playMany<S extends Setting>(
  matches: Iterable<S>,
  atOnce: number,
  done: (played: Played<S>) => Promise<void> | void,
): Promise<void> {
  if (!Number.isInteger(atOnce) || atOnce < 1) throw new RangeError(`${atOnce} matches at once: must be 1 or more`)
  const source = matches[Symbol.iterator]()
  let failed: { readonly error: unknown } | undefined
  const lane = async (): Promise<void> => {
    try {
      for (let next = source.next(); !next.done && failed === undefined; next = source.next())
        await done(await outcomeOf(next.value))
    } catch (error) {
      failed ??= { error }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  if (failed !== undefined) throw failed.error
}

async function outcomeOf<S extends Setting>(setting: S): Promise<Played<S>> {
  try {
    return { setting, record: await playMatch(setting) }
  } catch (error) {
    return { setting, error }
  }
}
