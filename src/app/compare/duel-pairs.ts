import { type GameDefinition, type MatchRecord, type Player, UserError, command, message } from '../../core/index.js'
import { Semaphore, ThrottledPlayer, untilCalm } from '../../engine/index.js'
import { judge } from '../../match/index.js'
import type { Context } from '../context.js'
import { findBotIsolation } from '../isolation.js'
import type { Jobs } from '../jobs.js'
import { MatchHost, botsReady, entriesNamed, forgetful } from '../match-host.js'
import { type MatchTerms, settingOf } from '../terms.js'

/** How two bots are to meet. */
export interface PairsOptions extends MatchTerms, Jobs {
  /** Matches at most. */
  readonly budget: number
}

/** A match of a pair: by seat which of the two sat there, and how many faults it made. */
export interface DuelMatch {
  readonly record: MatchRecord
  readonly seats: readonly number[]
  readonly faults: readonly number[]
}

/** What pairs of matches were played with. */
export interface DuelFacts {
  readonly game: string
  readonly seed: string
  readonly names: readonly string[]
  /** By bot. */
  readonly faults: readonly number[]
}

/** How far a duel is, with what its test says so far. */
export interface DuelProgress<Test> {
  readonly names: readonly string[]
  /** Matches. */
  readonly done: number
  readonly test: Test
}

/** Matches after which a duel ends where all of them were one game in each order of seats: more of them would show nothing. */
export const REPEATED = 100

/**
 * Plays pairs of matches of two bots, seats swapped and luck shared, until `see` says that it is enough, or the budget ends. Pairs are
 * shown in their order, however many are played at the same time, and before the first with none. `bots`: house bots by their names,
 * files or commands. Throws UserError for what the user can mend, BusyError where the machine is too busy for too long, and the signal's
 * reason where it is aborted.
 */
export async function playDuelPairs(
  definition: GameDefinition,
  bots: readonly [string, string],
  options: PairsOptions,
  context: Context,
  see: (pair: readonly DuelMatch[], names: readonly string[]) => boolean,
): Promise<DuelFacts> {
  const { id, seats } = definition.game
  if (seats.min > bots.length)
    throw new UserError(
      message`${id} is played by ${String(seats.min)}, and a duel is between two: a contest (${command('run')}) finds out who is better`,
    )
  const wished = settingOf(definition, options, bots.length)
  const entries = entriesNamed(definition, bots, options.wires)
  context.signal?.throwIfAborted()
  const isolation = await findBotIsolation(options, entries, context)
  const ready = (await botsReady(definition, entries, { isolation }, context)).map(forgetful)
  const setting = { ...wished, isolation }
  const { jobs, timed, budget } = options
  // Who waits for a core is not on the clock.
  const semaphore = new Semaphore(timed)
  const participants = ready.map((bot) => ({ bot, watch: (player: Player) => new ThrottledPlayer(player, semaphore) }))
  const most = Math.floor(budget / 2)
  const size = Math.min(jobs, Math.max(1, most))
  const hosts = Array.from({ length: size }, () => new MatchHost(definition, participants, setting, context))
  const names = hosts[0]?.names ?? []
  const faults = [0, 0]
  try {
    let enough = see([], names)
    for (let begun = 0; !enough && begun < most;) {
      const now = hosts.slice(0, Math.min(size, most - begun))
      const first = begun
      const wave = await Promise.all(now.map((host, i) => playPair(definition, host, first + i, context.notice)))
      begun += now.length
      for (const pair of wave) {
        if (enough) break
        for (const match of pair)
          match.seats.forEach((bot, seat) => (faults[bot] = (faults[bot] ?? 0) + (match.faults[seat] ?? 0)))
        enough = see(pair, names)
      }
    }
    return { game: definition.game.id, seed: setting.seed, names, faults }
  } finally {
    await Promise.all(hosts.map((host) => host.close()))
  }
}

/** Both orders of seats with the same luck. */
async function playPair(
  definition: GameDefinition,
  host: MatchHost,
  pair: number,
  note: (text: string) => void,
): Promise<readonly DuelMatch[]> {
  const played: DuelMatch[] = []
  for (const turn of [0, 1]) {
    const record = await untilCalm(() => host.play(undefined, 2 * pair + turn, pair), note)
    const { faults } = judge(definition, record)
    played.push({
      record,
      seats: turn === 0 ? [0, 1] : [1, 0],
      faults: record.seats.map((_, seat) => faults.filter((fault) => fault.seat === seat).length),
    })
  }
  return played
}
