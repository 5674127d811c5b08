import type { GameKit, Player } from '../core/index.js'
import type { Prepared } from '../build/index.js'
import { ThrottledPlayer, semaphore, untilCalm } from '../engine/index.js'
import { courseOf, judge } from '../match/index.js'
import { type DuelGame, type Sprt, type SprtOptions, bradleyTerry, sprt } from '../rating/index.js'
import type { Context } from './context.js'
import { holdingFor } from './holding.js'
import type { Jobs } from './jobs.js'
import { Table, botsReady, entriesNamed } from './table.js'
import { type MatchTerms, settingOf } from './terms.js'

/** What a duel came to. */
export interface Duel {
  readonly game: string
  readonly seed: string
  readonly names: readonly string[]
  readonly options: Required<SprtOptions>
  readonly test: Sprt
  /** Of the first: won, drawn, lost. */
  readonly score: readonly [number, number, number]
  /** How much stronger the first is, in Elo, with its 95 % interval. */
  readonly elo: { readonly rating: number; readonly low: number; readonly high: number }
  /** By bot. */
  readonly faults: readonly number[]
}

/** What two bots are to be told apart by. */
export interface DuelOptions extends MatchTerms, Jobs {
  readonly test: Required<SprtOptions>
  /** Matches at most. */
  readonly budget: number
}

/** How far a duel is. */
export interface DuelState {
  readonly names: readonly string[]
  /** Matches. */
  readonly done: number
  readonly test: Sprt
}

/**
 * Plays pairs of matches of two bots until the sequential test decides, or the budget ends; what it comes to does not depend on how
 * many are played at the same time. `bots`: house bots by their names, files or commands. `on` hears the state before the first match
 * and after each pair that counts. Throws UserError for what the user can mend, BusyError where the machine is too busy for too long,
 * and the signal's reason where it is aborted.
 */
export async function hostDuel(
  kit: GameKit,
  bots: readonly [string, string],
  options: DuelOptions,
  context: Context,
  on: (state: DuelState) => void = () => undefined,
): Promise<Duel> {
  const wished = settingOf(kit, options, bots.length)
  const entries = entriesNamed(kit, bots, options.wire)
  context.signal?.throwIfAborted()
  const holding = await holdingFor(options, entries, context)
  const ready = (await botsReady(kit, entries, holding, context)).map(forgetful)
  const setting = { ...wished, holding }
  const { jobs, timed, budget, test } = options
  // Who waits for a core is not on the clock.
  const limit = semaphore(timed)
  const sitters = ready.map((bot) => ({ bot, watch: (player: Player) => new ThrottledPlayer(player, limit) }))
  const size = Math.min(jobs, Math.ceil(budget / 2))
  const tables = Array.from({ length: size }, () => new Table(kit, sitters, setting, context))
  try {
    const played = await playPairs(kit, tables, test, budget, context, on)
    return { game: kit.game.id, seed: setting.seed, names: tables[0]?.names ?? [], options: test, ...played }
  } finally {
    await Promise.all(tables.map((table) => table.close()))
  }
}

/** A bot that begins each match afresh: pairs are independent of each other then, and of where they are played. */
const forgetful = (bot: Prepared): Prepared => (bot.memory === 'turn' ? bot : { ...bot, memory: 'match' })

/** Plays pairs of matches until the test decides, each table one at a time. */
async function playPairs(
  kit: GameKit,
  tables: readonly Table[],
  options: Required<SprtOptions>,
  budget: number,
  { notice }: Context,
  on: (state: DuelState) => void,
): Promise<Pick<Duel, 'test' | 'score' | 'elo' | 'faults'>> {
  const names = tables[0]?.names ?? []
  const games: DuelGame[] = []
  const faults = [0, 0]
  let test = sprt(games, 0, options)
  const tell = (): void => on({ names, done: games.length, test })
  tell()
  while (test.decision === 'undecided' && games.length + 2 <= budget) {
    const begun = games.length / 2
    const fits = Math.min(tables.length, Math.floor(budget / 2) - begun)
    const wave = await Promise.all(tables.slice(0, fits).map((table, i) => playPair(kit, table, begun + i, notice)))
    for (const pair of wave) {
      if (test.decision !== 'undecided') break
      for (const { game, faulted } of pair) {
        games.push(game)
        game.entrants.forEach((bot, seat) => (faults[bot] = (faults[bot] ?? 0) + (faulted[seat] ?? 0)))
      }
      test = sprt(games, 0, options)
      tell()
    }
  }
  return { test, score: scoreOf(games), elo: eloOf(games), faults }
}

/** Both orders of seats with the same luck. */
async function playPair(kit: GameKit, table: Table, pair: number, note: (text: string) => void) {
  const played: { game: DuelGame; faulted: readonly number[] }[] = []
  for (const turn of [0, 1]) {
    const record = await untilCalm(() => table.play(undefined, 2 * pair + turn, pair), note)
    const { faults } = judge(kit, record)
    played.push({
      game: {
        entrants: turn === 0 ? [0, 1] : [1, 0],
        place: record.outcome.place,
        block: String(pair),
        course: courseOf(record),
      },
      faulted: record.seats.map((_, seat) => faults.filter((fault) => fault.seat === seat).length),
    })
  }
  return played
}

function scoreOf(games: readonly DuelGame[]): Duel['score'] {
  const leads = games.map(({ entrants, place }) => {
    const me = entrants.indexOf(0)
    return Math.sign((place[1 - me] ?? 0) - (place[me] ?? 0))
  })
  const of = (sign: number) => leads.filter((lead) => lead === sign).length
  return [of(1), of(0), of(-1)]
}

/** The difference of two strengths around their average is twice the first's. */
function eloOf(games: readonly DuelGame[]): Duel['elo'] {
  const distinct = new Set(games.map(({ course }) => course)).size
  const weighted = games.map((game) => ({ ...game, weight: distinct / games.length }))
  const { rating, low, high } = bradleyTerry(weighted, 2)
  return { rating: 2 * (rating[0] ?? 0), low: 2 * (low[0] ?? 0), high: 2 * (high[0] ?? 0) }
}

/** A duel as one JSON document. */
export function duelDocument({ game, seed, names, options, test, score, elo, faults }: Duel): unknown {
  const [wins, draws, losses] = score
  return {
    game,
    seed,
    first: names[0],
    second: names[1],
    ...options,
    ...test,
    score: { wins, draws, losses },
    elo,
    faults,
  }
}
