import {
  type GameDefinition,
  type Run,
  type Wording,
  UserError,
  canonical,
  derive,
  lookUp,
  message,
  option,
} from '../../core/index.js'
import { gameTexts } from '../../build/index.js'

/** What people call the parts of a run that are not called so in the contest file. */
const LABELS: Readonly<Record<string, Wording>> = {
  options: '[options]',
  format: message`[format] or ${option('matches')}`,
  scoring: '[scoring]',
  limits: '[limits]',
  only: message`${option('only')}`,
  against: message`${option('against')}`,
  maxFaults: message`${option('maxFaults')}`,
}

type Compared = Pick<Run, 'contest' | 'game' | 'seed' | 'entrants'>

/** All that decides what a run plays, part by part, as texts to compare: so what has changed can be named. Entrants' parts begin with `entrant `. */
function partsOf({ contest, game, seed, entrants }: Compared): ReadonlyMap<string, string> {
  const { options, scoring, limits, only, against, maxFaults } = contest
  // How many matches an hour a site begins changes none of them.
  const { hourly: _, ...format } = contest.format
  const parts: Record<string, unknown> = {
    game: `${game.id} version ${game.version}`,
    seed,
    options,
    format,
    scoring,
    limits,
    only: only ?? [],
    against: against ?? [],
    maxFaults,
  }
  return new Map([
    ...Object.entries(parts).map(([part, value]) => [part, canonical(value)] as const),
    ...entrants.map(({ name, hash }) => [`${ENTRANT}${name}`, hash] as const),
  ])
}

/** A hash over the source of a game that does not come with agon: stored matches are of the same game only where it is the same. Undefined: it does. */
export function sourceOf(definition: GameDefinition): string | undefined {
  const texts = gameTexts(definition)
  return texts === undefined ? undefined : derive('game', canonical(texts))
}

/** The tournament's key: over all that decides what it plays. A rule that is mended in the game's files changes no tournament. */
export const tournamentOf = (run: Compared): string => derive('tournament', canonical(Object.fromEntries(partsOf(run))))

/** How the entrants of a run differ from those with which it was played before, by name. */
export interface EntrantChanges {
  readonly joined: readonly string[]
  readonly changed: readonly string[]
  readonly left: readonly string[]
}

/**
 * Which entrants were added, changed and removed since the run in its folder was last played; undefined: none. Throws UserError if anything else
 * differs, and names the parts.
 */
export function entrantChanges(before: Run, now: Compared): EntrantChanges | undefined {
  const [was, is] = [partsOf(before), partsOf(now)]
  const differs = [...new Set([...was.keys(), ...is.keys()])].filter((part) => was.get(part) !== is.get(part))
  const [first, ...more] = differs.filter((part) => !isEntrant(part)).map((part) => lookUp(LABELS, part) ?? part)
  if (first !== undefined) {
    const changed = more.reduce((all, one) => message`${all}, ${one}`, first)
    throw new UserError(
      message`${before.out} cannot be resumed, as this has changed since it began: ${changed}; put it back, or start again with ${option('fresh')}, which takes from the store what is the same`,
    )
  }
  const entrants = differs.filter(isEntrant)
  if (entrants.length === 0) return undefined
  const named = (meant: (part: string) => boolean) => entrants.filter(meant).map((part) => part.slice(ENTRANT.length))
  return {
    joined: named((part) => !was.has(part)),
    changed: named((part) => was.has(part) && is.has(part)),
    left: named((part) => !is.has(part)),
  }
}

const ENTRANT = 'entrant '
const isEntrant = (part: string): boolean => part.startsWith(ENTRANT)

/** 'new: Ant; changed: Bee, Cat; withdrawn: Dog'. */
export function entrantChangesText({ joined, changed, left }: EntrantChanges): string {
  const part = (what: string, names: readonly string[]) => (names.length === 0 ? [] : [`${what}: ${names.join(', ')}`])
  return [...part('new', joined), ...part('changed', changed), ...part('withdrawn', left)].join('; ')
}

/** Whether two runs are of the same game, by the same rules. */
export const isSameGame = (a: Run, b: Run): boolean =>
  a.game.id === b.game.id && a.game.version === b.game.version && a.game.source === b.game.source
