import { randomBytes } from 'node:crypto'
import {
  type Contest,
  type GameDefinition,
  type Memory,
  type Message,
  type Repeating,
  type TournamentSpec,
  derive,
  message,
  newLuck,
  option,
  shuffle,
} from '../core/index.js'
import { isChanceless } from '../match/index.js'
import type { Entrant } from '../engine/index.js'
import type { RunPlan } from '../store/index.js'
import { createTournament } from '../tournament/index.js'
import type { RunOptions } from './run-options.js'

/** The tournament's spec for those that were admitted. `before`: the plan of the run that goes on. */
export function specOf(
  contest: Contest,
  definition: GameDefinition,
  entrants: readonly Entrant[],
  seed: string,
  wanted?: (names: readonly string[]) => boolean,
  before?: RunPlan,
  given?: RunPlan['history'],
  cycles = hasCycles(contest, entrants),
): TournamentSpec {
  const names = entrants.map(({ name }) => name)
  const history = historyOf(names, before === undefined ? given : before.history)
  const known = before === undefined ? repeatingOf(contest, entrants) : before.repeating
  // A run that began before this was asked goes on as it began.
  const chanceless =
    before === undefined
      ? (playsOff(contest) || known !== undefined) && isChanceless(definition, contest.options, 2)
      : before.chanceless
  const repeating = chanceless ? known : undefined
  const scores = before === undefined ? settledBounds(contest, definition) : before.scores
  return {
    format: contest.format,
    scoring: contest.scoring,
    names,
    seed,
    seats: definition.game.seats,
    shuffled: entrants.some(livesOn),
    ...(cycles && { cycles }),
    ...(scores && { scores }),
    ...(chanceless && { chanceless }),
    ...(repeating && { repeating }),
    ...(history && { history }),
    ...(wanted && { wanted: (playing) => wanted(playing.map((entrant) => names[entrant] ?? '')) }),
  }
}

const livesOn = ({ memory }: { readonly memory: Memory }): boolean => memory === 'tournament'

/** Whether duels that bots remember come in cycles. A run that began without, in an earlier version (`before`), keeps its order. */
export const hasCycles = (
  { format }: Contest,
  entrants: readonly { readonly memory: Memory }[],
  before?: Pick<RunPlan, 'cycles'>,
): boolean =>
  before === undefined ? format.kind === 'last-standing' && entrants.some(livesOn) : before.cycles === true

/** Who wrote an entrant, as far as the contest says. A name may be one that every object has. */
export const authorOf = ({ authors = {} }: Pick<RunPlan, 'authors'>, name: string): string | undefined =>
  Object.entries(authors).find(([one]) => one === name)?.[1]

/** The entrants of a tournament by their indexes, in the order of their first matches, as far as its first round shows. */
export function playingFirst(spec: TournamentSpec): number[] {
  const first = new Set<number>()
  for (const { pairings } of createTournament(spec).next(new Map())?.series ?? []) {
    for (const { seats } of pairings) for (const entrant of seats) first.add(entrant)
    if (first.size === spec.names.length) break
  }
  return [...first]
}

/** The meetings by index of those who play; undefined: there are none. */
export function historyOf(names: readonly string[], history: RunPlan['history'] = []): TournamentSpec['history'] {
  const index = new Map(names.map((name, i) => [name, i]))
  const known = history.flatMap(([a, b, n]) => {
    const [i, j] = [index.get(a), index.get(b)]
    return i === undefined || j === undefined ? [] : [[i, j, n] as const]
  })
  return known.length === 0 ? undefined : known
}

/**
 * By entrant whether it plays the same game again, in a game without chance; undefined: of nobody is anything known. What a module does
 * is looked at where scores count.
 */
function repeatingOf({ entrants: specs, scoring }: Contest, entrants: readonly Entrant[]): Repeating[] | undefined {
  const repeating = entrants.map(({ name, memory, run }): Repeating => {
    const declared = specs.find((spec) => spec.name === name)?.deterministic
    if (declared === false || memory === 'tournament') return 'unknown'
    if (declared) return 'declared'
    return run.kind === 'module' && scoring.by === 'score' ? 'module' : 'unknown'
  })
  return repeating.some((one) => one !== 'unknown') ? repeating : undefined
}

/** Between which numbers scores lie, where a tournament ends by them. */
const settledBounds = ({ format, scoring }: Contest, { game }: GameDefinition): TournamentSpec['scores'] =>
  scoring.by === 'score' && format.settle !== undefined ? game.scores : undefined

/** Whether a tie may lead to further matches, of which it matters whether they repeat each other. */
const playsOff = ({ format }: Contest): boolean => format.playoff > 0

/** What a run plays, as the store keeps it. */
export function planOf(
  { options, format, scoring, limits, entrants }: Contest,
  { names, seats, shuffled, cycles, scores, chanceless, repeating }: TournamentSpec,
  run: RunOptions,
  { gameFile, source }: Pick<RunPlan, 'gameFile' | 'source'>,
  leftOut: RunPlan['leftOut'] = [],
): RunPlan {
  const { only, against, history } = run
  const authors = authorsOf(entrants)
  const versions = Object.fromEntries(
    entrants.flatMap(({ name, version }) => (version === undefined ? [] : [[name, version]])),
  )
  const asked = Object.fromEntries(ASKED.flatMap((name) => (run[name] === undefined ? [] : [[name, run[name]]])))
  return {
    options,
    format,
    scoring,
    limits,
    names,
    seats,
    shuffled,
    ...(cycles && { cycles }),
    ...(scores && { scores }),
    ...(chanceless && { chanceless }),
    ...(repeating && { repeating }),
    ...(only && { only }),
    ...(against && { against }),
    ...(Object.keys(asked).length > 0 && { asked }),
    ...(gameFile !== undefined && { gameFile }),
    ...(source !== undefined && { source }),
    ...(Object.keys(authors).length > 0 && { authors }),
    ...(history && { history }),
    ...(Object.keys(versions).length > 0 && { versions }),
    ...(leftOut.length > 0 && { leftOut }),
  }
}

/** By name: the persons who wrote the entrants, where the contest says. */
export const authorsOf = (entrants: Contest['entrants']): Record<string, string> =>
  Object.fromEntries(entrants.flatMap(({ name, author }) => (author === undefined ? [] : [[name, author]])))

/** What to go on with a run takes again, beside who plays and where it is kept. */
export const ASKED = [
  'matches',
  'quick',
  'untilSettled',
  'budget',
  'confidence',
  'maxFaults',
  'strictTiming',
  'admitAnyway',
  'noIsolation',
  'trust',
] as const satisfies readonly (keyof RunOptions)[]

/** How a run was wished when it began. Earlier versions stored `unsafeNoIsolation`. */
export function wishedBefore({ asked = {}, only, against }: RunPlan): RunOptions {
  const { unsafeNoIsolation, ...wished } = asked
  return {
    ...wished,
    ...(unsafeNoIsolation === true && { noIsolation: true }),
    ...(only && { only }),
    ...(against && { against }),
  }
}

/** The numbers that the historic wires show: shuffled for each tournament, the same within it. */
export function idsOf(seed: string, entrants: readonly Entrant[]): number[] {
  const names = entrants.map(({ name }) => name)
  const [order] = shuffle(newLuck(derive('ids', seed)), [...names].sort())
  return names.map((name) => order.indexOf(name))
}

/** A seed that nobody can guess: from a short one a bot could compute its opponent's cards. */
export const secretSeed = (): string => randomBytes(16).toString('hex')

/** That a published contest is played with fewer repetitions than its author's. */
export const firstLook = (repetitions: number, authors: number): Message =>
  message`a first look, with ${repetitions} repetitions; ${option('matches', authors)} is the author's figure`

/** What is to be said of a seed that is short enough to be found by trying; undefined: nothing, or no stranger's bot plays. */
export function shortSeed(seed: string, entries: readonly { readonly house: boolean }[]): string | undefined {
  if (seed.length >= SEED_LENGTH || entries.every(({ house }) => house)) return undefined
  return `the seed ${JSON.stringify(seed)} is short: a bot could find it by trying, and compute what is hidden from it; for a contest that counts, leave seed out or give one of ${SEED_LENGTH} characters or more`
}
const SEED_LENGTH = 16
