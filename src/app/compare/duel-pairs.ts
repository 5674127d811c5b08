import { type GameDefinition, type MatchRecord, type Player, UserError, command, message } from '../../core/index.js'
import { Semaphore, ThrottledPlayer, untilCalm } from '../../engine/index.js'
import { judge } from '../../match/index.js'
import type { Context } from '../context.js'
import type { Jobs } from '../machine.js'
import { MatchHost, entriesNamed, forgetful } from '../match-host.js'
import { type MatchTerms, botsOfTerms } from '../terms.js'

/** How two bots are to meet. */
export interface PairsOptions extends MatchTerms, Jobs {
  /** Matches at most. */
  readonly budget: number
}

/** A match of a pair: by seat which of the two sat there. */
export interface DuelMatch {
  readonly record: MatchRecord
  readonly seats: readonly number[]
}

/** What pairs of matches were played with. */
export interface DuelFacts {
  readonly game: string
  readonly seed: string
  readonly names: readonly string[]
  /** By bot. */
  readonly faults: readonly number[]
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
  const entries = entriesNamed(definition, bots, options.wires)
  const { bots: ready, setting } = await botsOfTerms(definition, entries, options, context)
  const { jobs, timed, budget } = options
  // Who waits for a core is not on the clock.
  const semaphore = new Semaphore(timed)
  const participants = ready
    .map(forgetful)
    .map((bot) => ({ bot, watch: (player: Player) => new ThrottledPlayer(player, semaphore) }))
  const most = Math.floor(budget / 2)
  const size = Math.min(jobs, Math.max(1, most))
  const hosts = Array.from({ length: size }, () => new MatchHost(definition, participants, setting, context))
  const names = hosts[0]?.names ?? []
  const faults = [0, 0]
  try {
    let enough = see([], names)
    for (let begun = 0; !enough && begun < most; begun += size) {
      const now = hosts.slice(0, most - begun)
      const wave = await Promise.all(now.map((host, i) => playPair(host, begun + i, context.notice)))
      for (const pair of wave) {
        if (enough) break
        for (const { record, seats: sat } of pair)
          for (const { seat } of judge(definition, record).faults) {
            const bot = sat[seat] ?? 0
            faults[bot] = (faults[bot] ?? 0) + 1
          }
        enough = see(pair, names)
      }
    }
    return { game: id, seed: setting.seed, names, faults }
  } finally {
    await Promise.all(hosts.map((host) => host.close()))
  }
}

async function playPair(host: MatchHost, pair: number, note: (text: string) => void): Promise<readonly DuelMatch[]> {
  const first = await untilCalm(() => host.play({ number: 2 * pair, deal: pair }), note)
  const second = await untilCalm(() => host.play({ number: 2 * pair + 1, deal: pair }), note)
  return [
    { record: first, seats: [0, 1] },
    { record: second, seats: [1, 0] },
  ]
}
