import {
  type GameDefinition,
  type Run,
  type Wording,
  UserError,
  canonical,
  derive,
  message,
  option,
} from '../../core/index.js'
import { gameTexts } from '../../build/index.js'
import type { MatchStore } from '../../store/index.js'

type Compared = Pick<Run, 'contest' | 'game' | 'seed' | 'entrants'>

/** All that decides what a run plays, beside its entrants. */
function partsOf({ contest, game, seed }: Compared) {
  const { options, scoring, limits, only = [], against = [], maxFaults } = contest
  // How many matches an hour a site begins changes none of them.
  const { hourly: _, ...format } = contest.format
  const parts = { game: `${game.id} version ${game.version}`, seed, options, format, scoring, limits, only, against }
  return { ...parts, maxFaults }
}

const LABELS: Readonly<Record<keyof ReturnType<typeof partsOf>, Wording>> = {
  game: 'game',
  seed: 'seed',
  options: '[options]',
  format: message`[format] or ${option('matches')}`,
  scoring: '[scoring]',
  limits: '[limits]',
  only: message`${option('only')}`,
  against: message`${option('against')}`,
  maxFaults: message`${option('maxFaults')}`,
}
const PARTS = Object.keys(LABELS) as (keyof typeof LABELS)[]

/** A hash over the source of a game that does not come with agon: stored matches are of the same game only if it is the same. Undefined: it does. */
export function sourceOf(definition: GameDefinition): string | undefined {
  const texts = gameTexts(definition)
  return texts === undefined ? undefined : derive('game', canonical(texts))
}

/** The tournament's key: over all that decides what it plays. A rule that is mended in the game's files changes no tournament. */
export function tournamentOf(run: Compared): string {
  const parts = Object.entries(partsOf(run)).map(([part, value]) => [part, canonical(value)] as const)
  const entrants = run.entrants.map(({ name, hash }) => [`entrant ${name}`, hash] as const)
  return derive('tournament', canonical(Object.fromEntries([...parts, ...entrants])))
}

export interface EntrantChanges {
  readonly joined: readonly string[]
  readonly changed: readonly string[]
  readonly left: readonly string[]
}

/** Which entrants were added, changed and removed since the run was last played; undefined: none. Throws UserError that names what else differs. */
export function entrantChanges(before: Run, now: Compared): EntrantChanges | undefined {
  const [was, is] = [partsOf(before), partsOf(now)]
  const differs = PARTS.filter((part) => canonical(was[part]) !== canonical(is[part])).map((part) => LABELS[part])
  if (differs.length > 0) {
    const changed = differs.reduce((all, one) => message`${all}, ${one}`)
    throw new UserError(
      message`${before.out} cannot be resumed, as this has changed since it began: ${changed}; put it back, or start again with ${option('fresh')}, which takes from the store what is the same`,
    )
  }
  const hashesOf = ({ entrants }: Compared) => new Map(entrants.map(({ name, hash }) => [name, hash]))
  const [old, own] = [hashesOf(before), hashesOf(now)]
  const joined = [...own.keys()].filter((name) => !old.has(name))
  const changed = [...own.keys()].filter((name) => old.has(name) && old.get(name) !== own.get(name))
  const left = [...old.keys()].filter((name) => !own.has(name))
  return joined.length + changed.length + left.length === 0 ? undefined : { joined, changed, left }
}

export const isSameGame = (a: Run, b: Run): boolean =>
  a.game.id === b.game.id && a.game.version === b.game.version && a.game.source === b.game.source

/** The settings by which matches of a hosted contest are played, scheduled and counted. */
export const TERMS = [
  'options',
  'format',
  'scoring',
  'limits',
  'memory',
  'strictMemory',
  'mixedBuilds',
  'steps',
  'seed',
] as const satisfies readonly (keyof Run['contest'])[]

export const termsHash = (contest: Run['contest']): string =>
  derive('terms', JSON.stringify(TERMS.map((name) => contest[name])))

/** How often any two who play now in the same version met in a run. */
export async function meetingsIn(
  store: Pick<MatchStore, 'pairs'>,
  { id, contest, entrants }: Run,
  now: readonly { readonly name: string; readonly version: number }[],
): Promise<NonNullable<Run['history']>> {
  const versions = new Map(now.map(({ name, version }) => [name, version]))
  const names = entrants.map(({ name, version }) => (versions.get(name) === version ? name : undefined))
  const size = contest.format.swap ? 2 : 1
  return (await store.pairs(id)).flatMap(({ one, other, ahead, level, behind }) => {
    const [first, second] = [names[one], names[other]].filter((name) => name !== undefined).sort()
    if (first === undefined || second === undefined) return []
    return [[first, second, Math.ceil((ahead + level + behind) / size)] as const]
  })
}
