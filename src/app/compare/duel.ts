import {
  type GameDefinition,
  type MatchRecord,
  type Player,
  UserError,
  answersDigest,
  command,
  countedBounds,
  countedScores,
  message,
  option,
  visible,
} from '../../core/index.js'
import { Semaphore, ThrottledPlayer, untilCalm } from '../../engine/index.js'
import { judge } from '../../match/index.js'
import {
  type DuelGame,
  MeanTest,
  type MeanTestOptions,
  type MeanTestState,
  type SprtOptions,
  duelElo,
  expectedMatches,
  isFixed,
  normalizedElo,
  sprt,
} from '../../stats/index.js'
import { counted, minus, number, percent, signed } from '../../text/index.js'
import type { Context } from '../context.js'
import type { Jobs } from '../machine.js'
import { MatchHost, type MatchTerms, botsOfTerms, entriesNamed, forgetful } from '../match-host.js'

/** Matches that count, and the evidence of the test so far, in words. */
export interface DuelState {
  readonly names: readonly string[]
  readonly done: number
  readonly evidence: string
}

interface DuelTerms extends MatchTerms, Jobs {
  /** Matches at most. */
  readonly budget: number
  /** Called before the first match and after each counted pair. */
  readonly on?: (state: DuelState) => void
}

/** Matches that end a duel of one same game in each order of seats: more would show nothing. */
const REPEATED = 100

/**
 * Plays pairs of matches on demand, seats swapped and luck shared, in order. `bots`: house bots by name, files or
 * commands. Throws UserError, BusyError if the machine is too busy for too long, and the signal's reason.
 */
async function seatPairs(
  definition: GameDefinition,
  bots: readonly [string, string],
  options: DuelTerms,
  context: Context,
) {
  const { id, seats } = definition.game
  if (seats.min > bots.length)
    throw new UserError(
      message`${id} is played by ${String(seats.min)}, and a duel is between two: a contest (${command('run')}) finds out who is better`,
    )
  const entries = entriesNamed(definition, bots, options.wires)
  const { bots: ready, setting } = await botsOfTerms(definition, entries, options, context)
  // Who waits for a core is not on the clock.
  const semaphore = new Semaphore(options.timed)
  const watch = (player: Player) => new ThrottledPlayer(player, semaphore)
  const participants = ready.map((bot) => ({ bot: forgetful(bot), watch }))
  const most = Math.floor(options.budget / 2)
  const size = Math.min(options.jobs, Math.max(1, most))
  const hosts = Array.from({ length: size }, () => new MatchHost(definition, participants, setting, context))
  const faults: [number, number] = [0, 0]
  async function playPair(host: MatchHost, deal: number): Promise<readonly MatchRecord[]> {
    const play = (match: number) => untilCalm(() => host.play({ number: match, deal }), context.notice)
    const first = await play(2 * deal)
    return [first, await play(2 * deal + 1)]
  }
  async function* pairs() {
    try {
      for (let begun = 0; begun < most; begun += size) {
        const wave = await Promise.all(hosts.slice(0, most - begun).map((host, i) => playPair(host, begun + i)))
        for (const pair of wave) {
          for (const record of pair)
            for (const { seat } of judge(definition, record).faults) faults[satIn(record)[seat] === 1 ? 1 : 0]++
          yield pair
        }
      }
    } finally {
      await Promise.all(hosts.map((host) => host.close()))
    }
  }
  return { facts: { game: id, seed: setting.seed, names: hosts[0]?.names ?? [], faults }, pairs }
}

/** By seat, which of the two. */
const satIn = ({ seats }: MatchRecord): readonly number[] => seats.map(({ id }) => id)

export type Duel = Awaited<ReturnType<typeof hostDuel>>

/** The usual test: is it any better, or 50 Elo better? */
export const USUAL = { elo0: 0, elo1: 50 } as const

/** Plays until the sequential test decides or the budget ends, alike at any number of jobs. Throws as `seatPairs`. */
export async function hostDuel(
  definition: GameDefinition,
  bots: readonly [string, string],
  options: DuelTerms & { readonly test: Required<SprtOptions> },
  context: Context,
) {
  const { facts, pairs } = await seatPairs(definition, bots, options, context)
  const games: DuelGame[] = []
  let test = sprt(games, 0, options.test)
  const tell = (): void => options.on?.({ names: facts.names, done: games.length, evidence: evidenceOf(test) })
  const { elo0, elo1 } = options.test
  const expected = expectedMatches(options.test)
  context.notice(`${elo0} or ${elo1} Elo? About ${expected} matches if either is true, fewer beyond, more between.`)
  tell()
  for await (const pair of pairs()) {
    games.push(...pair.map(gameOf))
    test = sprt(games, 0, options.test)
    tell()
    if (test.decision !== 'undecided' || (test.distinct <= 2 && test.matches >= REPEATED)) break
  }
  return {
    ...facts,
    options: options.test,
    test,
    score: scoreOf(games),
    /** Each order of seats was repeated, and was one game each time. */
    fixed: isFixed(games),
    /** How much stronger the first is, with its 95 % interval. */
    elo: duelElo(games, 0),
    normalized: normalizedElo(test.pentanomial),
    expected,
  }
}

const gameOf = (record: MatchRecord): DuelGame => ({
  entrants: satIn(record),
  place: record.outcome.place,
  block: record.luck.seed,
  course: String(answersDigest(record)),
})

/** Of the first: won, drawn, lost. */
function scoreOf(games: readonly DuelGame[]): readonly [number, number, number] {
  const leads = games.map(({ entrants, place }) => {
    const me = entrants.indexOf(0)
    return Math.sign((place[1 - me] ?? 0) - (place[me] ?? 0))
  })
  const of = (sign: number) => leads.filter((lead) => lead === sign).length
  return [of(1), of(0), of(-1)]
}

export function duelDocument(duel: Duel): unknown {
  const { game, seed, names, options, test, score, elo, normalized, expected, faults } = duel
  const [first, second] = names
  const [wins, draws, losses] = score
  const sums = { wins, draws, losses }
  return { game, seed, first, second, ...options, expected, ...test, score: sums, elo, normalized, faults }
}

export function duelText({ names, options, test, score, elo, normalized, faults, seed }: Duel): string {
  const [a = '', b = ''] = names.map(visible)
  const [wins, draws, losses] = score
  const { elo0, elo1 } = options
  const { matches, distinct } = test
  const what = {
    H1: `H1: ${a} is more than ${elo0} Elo stronger than ${b}`,
    H0: `H0: ${a} is less than ${elo1} Elo stronger than ${b}`,
    undecided: `undecided between ${elo0} Elo (H0) and ${elo1} Elo (H1)`,
  }[test.decision]
  return [
    `${a} – ${b}: ${what}`,
    '',
    `${counted(matches, 'match', 'matches')}: ${wins} won, ${draws} drawn, ${losses} lost; seed ${visible(seed)}`,
    ...(distinct < matches
      ? [`Only ${distinct} of them ${distinct === 1 ? 'is' : 'are'} no repetition of one before.`]
      : []),
    `Pairs by what ${a} scored of 2: ${test.pentanomial.map((n, i) => `${i / 2}: ${n}`).join(', ')}`,
    `Strength: ${signed(elo.rating)} Elo, 95 % interval ${signed(elo.low)} … ${signed(elo.high)}`,
    ...(normalized === undefined
      ? []
      : [`Normalized Elo ${signed(normalized)}: what decides how many matches it takes`]),
    `Evidence ${evidenceOf(test)}`,
    ...faultLines(names, faults),
  ].join('\n')
}

/** `distinct`: matches that took a new course. */
export type ScoreDuel = Awaited<ReturnType<typeof hostScoreDuel>>

/**
 * Tests the difference of mean scores. Throws as `seatPairs`, and UserError for a margin that no difference can reach.
 */
export async function hostScoreDuel(
  definition: GameDefinition,
  bots: readonly [string, string],
  options: DuelTerms & { readonly mean: Required<MeanTestOptions> },
  context: Context,
) {
  const { mean } = options
  const test = meanTestOf(definition, mean)
  const { facts, pairs } = await seatPairs(definition, bots, options, context)
  const courses = new Set<string>()
  let matches = 0
  const tell = (): void => options.on?.({ names: facts.names, done: matches, evidence: evidenceText(test.state()) })
  tell()
  for await (const pair of pairs()) {
    for (const record of pair) courses.add(String(answersDigest(record)))
    matches += pair.length
    test.add(leadIn(definition, pair))
    tell()
    const state = test.state()
    if (state.decision !== 'undecided' || (courses.size <= 2 && matches >= REPEATED && state.mean === 0)) break
  }
  return { ...facts, options: mean, test: test.state(), matches, distinct: courses.size }
}

function meanTestOf({ game, scoring }: GameDefinition, options: Required<MeanTestOptions>): MeanTest {
  try {
    return new MeanTest(options, countedBounds({ ...scoring }, game.scores))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UserError(message`${option('margin', options.margin)}: ${error.message}`)
  }
}

/** The first's lead, a match of the pair. */
function leadIn({ scoring }: GameDefinition, pair: readonly MatchRecord[]): number {
  const leads = pair.map((record) => {
    const { outcome, steps } = record
    const scores = countedScores({ by: 'score', per: scoring?.per }, { outcome, turns: steps.length }) ?? []
    const own = satIn(record).indexOf(0)
    return (scores[own] ?? 0) - (scores[1 - own] ?? 0)
  })
  return leads.reduce((sum, lead) => sum + lead, 0) / leads.length
}

export function scoreDuelDocument({ game, seed, names, options, test, matches, distinct, faults }: ScoreDuel): unknown {
  const [first, second] = names
  const { decision, blocks, mean, interval, ...evidence } = test
  const [low, high] = interval ?? []
  const found = { decision, matches, distinct, blocks, mean, low, high, evidence, faults }
  return { game, seed, first, second, ...options, ...found }
}

export function scoreDuelText({ names, options, test, matches, distinct, faults, seed }: ScoreDuel): string {
  const [a = '', b = ''] = names.map(visible)
  const more = options.margin > 0 ? `${number(options.margin)} more a match than` : 'more a match than'
  const what = {
    H1: `H1: ${a} scores more a match than ${b}`,
    H0: `H0: ${a} does not score ${more} ${b}`,
    undecided: `undecided whether ${a} scores ${more} ${b}`,
  }[test.decision]
  const { mean, interval, exact } = test
  const rates = `H1 ${percent(options.alpha)}, H0 ${percent(options.beta)}`
  const ends = interval?.map((end) => minus(number(end))).join(' … ')
  return [
    `${a} – ${b}: ${what}`,
    '',
    `${counted(matches, 'match', 'matches')}, ${distinct} of them no repetition of one before; seed ${visible(seed)}`,
    `${a} scores ${number(Math.abs(mean))} ${mean < 0 ? 'less' : 'more'} a match${ends === undefined ? '' : `; 95 % interval of the difference: ${ends}`}`,
    `Evidence ${evidenceText(test)}`,
    exact
      ? `The game says between which numbers scores lie: the error rates (${rates}) hold whatever their law.`
      : `The game does not say between which numbers scores lie: the error rates (${rates}) hold as matches are many.`,
    ...faultLines(names, faults),
  ].join('\n')
}

const faultLines = (names: readonly string[], faults: readonly number[]): string[] =>
  faults.flatMap((n, bot) => (n === 0 ? [] : [`${visible(names[bot] ?? '')}: ${counted(n, 'fault')}`]))

type Evidence = Pick<MeanTestState, 'above' | 'below' | 'upper' | 'lower'>

function evidenceText({ above, below, upper, lower }: Evidence): string {
  const figure = (value: number): string =>
    Number.isFinite(value) ? minus(value.toFixed(2)) : value > 0 ? '∞' : 'none'
  return `for H1 ${figure(above)} (decides at ${upper.toFixed(2)}), for H0 ${figure(below)} (${lower.toFixed(2)})`
}

/** Of a test of strengths, whose lower bound is negative. */
const evidenceOf = (test: Evidence): string => evidenceText({ ...test, lower: -test.lower })
