import { randomBytes } from 'node:crypto'
import {
  type Contest,
  type GameDefinition,
  type Memory,
  type Message,
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
import type { RunOptions } from './run-options.js'
import { formatOf } from '../tournament/index.js'

/** The tournament's spec for the admitted entrants. `before`: the plan of the run that is continued. */
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
  // A run continues as it began.
  const chanceless =
    before === undefined ? playsOff(contest) && isChanceless(definition, contest.options, 2) : before.chanceless
  const scores = before === undefined ? settledBounds(contest, definition) : before.scores
  return specFrom(
    {
      format: contest.format,
      scoring: contest.scoring,
      names,
      seed,
      seats: definition.game.seats,
      shuffled: entrants.some(livesOn),
      cycles,
      scores,
      chanceless,
      history,
    },
    wanted,
  )
}

type Kept = 'cycles' | 'scores' | 'chanceless' | 'history'
type SpecParts = Omit<TournamentSpec, Kept | 'wanted'> & { [part in Kept]: TournamentSpec[part] | undefined }

/** A spec of its parts; those that do not apply are absent. `wanted`: by their names, whether these entrants meet. */
export const specFrom = (
  { cycles, scores, chanceless, history, ...parts }: SpecParts,
  wanted: ((names: readonly string[]) => boolean) | undefined,
): TournamentSpec => ({
  ...parts,
  cycles,
  scores,
  chanceless,
  history,
  wanted: wanted ? (playing) => wanted(playing.map((entrant) => parts.names[entrant] ?? '')) : undefined,
})

const livesOn = ({ memory }: { readonly memory: Memory }): boolean => memory === 'tournament'

/** Whether duels that bots remember come in cycles. A run that is continued keeps the order in which it began (`before`). */
export const hasCycles = (
  { format }: Contest,
  entrants: readonly { readonly memory: Memory }[],
  before?: Pick<RunPlan, 'cycles'>,
): boolean =>
  before === undefined ? formatOf(format.kind).cycles === true && entrants.some(livesOn) : before.cycles === true

/** The author of an entrant, if the contest gives one. The name may be a property that every object has. */
export const authorOf = ({ authors = {} }: Pick<RunPlan, 'authors'>, name: string): string | undefined =>
  Object.entries(authors).find(([one]) => one === name)?.[1]

/** The earlier meetings of the entrants, by index; undefined: there are none. */
export function historyOf(names: readonly string[], history: RunPlan['history'] = []): TournamentSpec['history'] {
  const index = new Map(names.map((name, i) => [name, i]))
  const known = history.flatMap(([a, b, n]) => {
    const [i, j] = [index.get(a), index.get(b)]
    return i === undefined || j === undefined ? [] : [[i, j, n] as const]
  })
  return known.length === 0 ? undefined : known
}

/** The bounds of the game's scores, if the tournament ends by scores. */
const settledBounds = ({ format, scoring }: Contest, { game }: GameDefinition): TournamentSpec['scores'] =>
  scoring.by === 'score' && format.settle !== undefined ? game.scores : undefined

/** Whether a tie may lead to further matches, of which it matters whether they repeat each other. */
const playsOff = ({ format }: Contest): boolean => format.playoff > 0

/** What a run plays, as the store keeps it. */
export function planOf(
  { options, format, scoring, limits, entrants }: Contest,
  { names, seats, shuffled, cycles, scores, chanceless }: TournamentSpec,
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
    cycles: cycles ? true : undefined,
    scores,
    chanceless: chanceless ? true : undefined,
    only,
    against,
    asked: Object.keys(asked).length > 0 ? asked : undefined,
    gameFile,
    source,
    authors: Object.keys(authors).length > 0 ? authors : undefined,
    history,
    versions: Object.keys(versions).length > 0 ? versions : undefined,
    leftOut: leftOut.length > 0 ? leftOut : undefined,
  }
}

/** The entrants' authors by the names of the entrants, where the contest gives them. */
export const authorsOf = (entrants: Contest['entrants']): Record<string, string> =>
  Object.fromEntries(entrants.flatMap(({ name, author }) => (author === undefined ? [] : [[name, author]])))

/** The options that a resumed run takes from its beginning, beside its entrants and where it is kept. */
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

/** The options with which a run began. */
export function storedOptions({ asked = {}, only, against }: RunPlan): RunOptions {
  return {
    ...asked,
    only,
    against,
  }
}

/** The numbers that the historic wires show: shuffled for each tournament, the same within it. */
export function idsOf(seed: string, entrants: readonly Entrant[]): number[] {
  const names = entrants.map(({ name }) => name)
  const [order] = shuffle(newLuck(derive('ids', seed)), [...names].sort())
  return names.map((name) => order.indexOf(name))
}

/** A seed that cannot be guessed: from a short one a bot could compute its opponent's cards. */
export const secretSeed = (): string => randomBytes(16).toString('hex')

/** The note that a published contest is played with fewer repetitions than its author's. */
export const firstLook = (repetitions: number, authors: number): Message =>
  message`a first look, with ${repetitions} repetitions; ${option('matches', authors)} is the author's figure`

/** The warning about a seed that can be found by trying; undefined: it is long enough, or no stranger's bot plays. */
export function shortSeed(seed: string, entries: readonly { readonly house: boolean }[]): string | undefined {
  if (seed.length >= SEED_LENGTH || entries.every(({ house }) => house)) return undefined
  return `the seed ${JSON.stringify(seed)} is short: a bot could find it by trying, and compute what is hidden from it; for a contest that counts, leave seed out or give one of ${SEED_LENGTH} characters or more`
}
const SEED_LENGTH = 16
