import type { Answer, MatchRecord, Player } from '../core/index.js'
import type { Due, LiveStep, Update } from './events.js'
import { type LiveMatch, startMatch } from './live-steps.js'
import type { MatchState } from './match-state.js'
import { isRestDue } from './pace.js'

/** A match to be played: what it is, and who sits there. */
export interface Setting extends LiveMatch {
  /** By seat. */
  readonly players: readonly Player[]
  /** Lets this process do what else there is to do, now and then: hear a signal. Absent: bots that answer at once keep it busy. */
  readonly rest?: () => Promise<void>
  /** Whether the match is given up; asked before each step. */
  readonly givenUp?: () => boolean
  /** Called after every step, for those who watch. */
  onStep?(step: LiveStep): void
  /** Called before anything is asked, so that whoever is to see the match, or one seat's part of it, can begin to observe it. */
  onStart?(match: Pick<MatchState, 'observe'>): void
}

/**
 * Plays a match to its end and returns its record. Every seat that is due is asked at the same time. It throws only where agon
 * or the game itself fails (a UserError: the designer's mistake): the match is then void.
 */
export async function playMatch(setting: Setting): Promise<MatchRecord> {
  const { fixture, players } = setting
  const match = startMatch(setting)
  if (setting.onStep) match.observe('all', (event) => event.kind === 'moved' && setting.onStep?.(event))
  setting.onStart?.(match)
  /** Microseconds that the answers of a step took together. */
  let us = 0
  const ask = async (due: Due): Promise<void> => {
    const answer = await askOf(players[due.seat] as Player, due)
    us += answer.wallUs
    match.answer(due.seat, answer)
  }
  try {
    await Promise.all(players.map((player) => player.begin(fixture.key ?? '')))
    for (let steps = 0; ; match.advance()) {
      for (const seat of match.dismissed) players[seat]?.dismiss()
      if (match.updates.length > 0) await tellAll(players, match.updates)
      if (match.steps > steps && isRestDue(us)) await setting.rest?.()
      if (match.over) return match.record()
      if (setting.givenUp?.()) throw new Error('the match was given up')
      steps = match.steps
      us = 0
      const due = match.due()
      const [first] = due
      if (first !== undefined) await (due.length === 1 ? ask(first) : Promise.all(due.map(ask)))
    }
  } finally {
    await Promise.all(players.map((player) => player.end()))
  }
}

/** Tells the seats the start and the end all at the same time, and what became of a step one after the other. */
async function tellAll(players: readonly Player[], updates: readonly Update[]): Promise<void> {
  const told: Promise<void>[] = []
  for (const { seat, when, say } of updates) {
    const one = players[seat]?.tell(say)
    if (when === 'told') await one
    else if (one !== undefined) told.push(one)
  }
  await Promise.all(told)
}

/** Asks a player what its seat is due. */
export function askOf(player: Player, due: Due): Promise<Answer> {
  return due.asks === 'ready' ? player.ready(due.say, due.limit) : player.ask(due)
}
