import { type Command, InvalidArgumentError } from 'commander'
import { type GameKit, type Player, UserError } from '../core/index.js'
import type { Prepared } from '../build/index.js'
import { TimedPlayer, Turnstile, untilCalm } from '../engine/index.js'
import { courseOf, judge } from '../match/index.js'
import { type DuelGame, type Sprt, type SprtOptions, bradleyTerry, sprt } from '../rating/index.js'
import { count, countFrom } from './counts.js'
import { duelText, progressText } from './duel-text.js'
import { gameNamed } from './game-named.js'
import { holdingFor } from '../app/holding.js'
import { jobsOf } from '../app/jobs.js'
import { secretSeed } from '../app/plan.js'
import { Progress } from './progress.js'
import { endBotsOnSignals } from './signals.js'
import { Table, type TableSetting, botsReady, entriesNamed } from '../app/table.js'
import { print } from './terminal.js'
import { type MatchOptions, addMatchOptions, gameOptions, limitsOf } from './words.js'

const HELP = `
The sequential test of chess engine authors: H0, A is elo0 stronger than B; H1, it
is elo1 stronger. Games come in pairs, seats swapped and luck shared, until one of
the two is accepted, wrongly with a probability of 5 % each (--alpha, --beta), or
the budget ends. Bots begin each game afresh; games that repeat one before bring
nothing.

Examples:
  agon duel coup "python3 new.py" "python3 old.py" --sprt 0 20
  agon duel samurai ./mybot Abacus --sprt 0 50 --budget 4000
  agon duel coup Velvet Magpie --sprt=-10,10 --json | jq .decision`

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

interface Asked extends MatchOptions {
  readonly sprt?: readonly number[]
  readonly alpha: number
  readonly beta: number
  readonly budget: number
  readonly jobs?: number
  readonly json?: boolean
}

export function duelCommand(command: Command): void {
  addMatchOptions(
    command
      .argument('<game>', 'a game, or the file of one')
      .argument('<a>', "the bot that may be better: a house bot's name, a file, or a quoted command")
      .argument('<b>', 'the bot to beat'),
  )
    .requiredOption('--sprt <elo...>', 'elo0 and elo1, such as 0 20', elos)
    .option('--alpha <p>', 'how often H1 may be accepted where H0 holds', probability, 0.05)
    .option('--beta <p>', 'how often H0 may be accepted where H1 holds', probability, 0.05)
    .option('--budget <n>', 'matches at most', countFrom(2), 20_000)
    .option('--jobs <n>', 'pairs played at the same time (default: one a core)', count)
    .option('--json', 'one JSON document on standard output')
    .addHelpText('after', HELP)
    .action(async (game: string, a: string, b: string, given: Asked) => {
      endBotsOnSignals()
      const [elo0, elo1, ...more] = given.sprt ?? []
      if (elo0 === undefined || elo1 === undefined || more.length > 0 || elo0 >= elo1)
        throw new UserError('--sprt takes two numbers, elo0 and elo1, the first below the second: --sprt 0 20')
      const kit = await gameNamed(game)
      const entries = entriesNamed(kit, [a, b], given.wire)
      const holding = await holdingFor(given, entries)
      const bots = (await botsReady(kit, entries, holding)).map(forgetful)
      const setting = {
        seed: given.seed ?? secretSeed(),
        options: gameOptions(kit, given.option, 2),
        limits: limitsOf(kit, given.limit),
        holding,
      }
      const test = { elo0, elo1, alpha: given.alpha, beta: given.beta }
      const { jobs, timed } = jobsOf(given.jobs)
      // Who waits for a core is not on the clock.
      const turnstile = new Turnstile(timed)
      const sitters = bots.map((bot) => ({ bot, watch: (player: Player) => new TimedPlayer(player, turnstile) }))
      const size = Math.min(jobs, Math.ceil(given.budget / 2))
      const tables = Array.from({ length: size }, () => new Table(kit, sitters, setting))
      try {
        const duel = await play(kit, tables, setting, test, given.budget)
        print(given.json ? JSON.stringify(documentOf(duel), undefined, 2) : duelText(duel))
      } finally {
        await Promise.all(tables.map((table) => table.close()))
      }
    })
}

/** A bot that begins each match afresh: pairs are independent of each other then, and of where they are played. */
const forgetful = (bot: Prepared): Prepared => (bot.memory === 'turn' ? bot : { ...bot, memory: 'match' })

/** Plays pairs of matches until the test decides, each table one at a time; what it came to does not depend on their number. */
async function play(
  kit: GameKit,
  tables: readonly Table[],
  { seed }: TableSetting,
  options: Required<SprtOptions>,
  budget: number,
): Promise<Duel> {
  const names = tables[0]?.names ?? []
  const games: DuelGame[] = []
  const faults = [0, 0]
  let test = sprt(games, 0, options)
  const progress = new Progress(names.join(' – '), () => ({
    done: games.length,
    total: budget,
    reused: 0,
    leaders: progressText(test),
  }))
  const note = (text: string) => progress.note(text)
  try {
    while (test.decision === 'undecided' && games.length + 2 <= budget) {
      const begun = games.length / 2
      const fits = Math.min(tables.length, Math.floor(budget / 2) - begun)
      const wave = await Promise.all(tables.slice(0, fits).map((table, i) => playPair(kit, table, begun + i, note)))
      for (const pair of wave) {
        if (test.decision !== 'undecided') break
        for (const { game, faulted } of pair) {
          games.push(game)
          game.entrants.forEach((bot, seat) => (faults[bot] = (faults[bot] ?? 0) + (faulted[seat] ?? 0)))
        }
        test = sprt(games, 0, options)
      }
    }
  } finally {
    progress.end()
  }
  return { game: kit.game.id, seed, names, options, test, score: scoreOf(games), elo: eloOf(games), faults }
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

function documentOf({ game, seed, names, options, test, score, elo, faults }: Duel): unknown {
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

function elos(value: string, before: readonly number[] = []): number[] {
  const given = value.split(',').map((text) => (text.trim() === '' ? NaN : Number(text)))
  if (!given.every(Number.isFinite)) throw new InvalidArgumentError('It takes two numbers.')
  return [...before, ...given]
}

function probability(value: string): number {
  const p = Number(value)
  if (!(p > 0 && p < 0.5)) throw new InvalidArgumentError('It must be above 0 and below 0.5.')
  return p
}
