import { createHash } from 'node:crypto'
import {
  type Contest,
  type GameDefinition,
  type Wording,
  UserError,
  derive,
  lookUp,
  message,
  option,
  canonical,
} from '../core/index.js'
import { gameTexts } from '../build/index.js'
import type { EntrantInfo } from '../store/index.js'
import type { RunOptions } from './run-options.js'

/** By part: a hash of what decides what a run plays. Entrants' parts begin with `entrant `. */
export type Identity = Readonly<Record<string, string>>

/** What people call the parts that are not called so in the contest file. */
const LABELS: Readonly<Record<string, Wording>> = {
  options: '[options]',
  format: message`[format] or ${option('matches')}`,
  scoring: '[scoring]',
  limits: '[limits]',
  only: message`${option('only')}`,
  against: message`${option('against')}`,
  maxFaults: message`${option('maxFaults')}`,
}

/** All that decides what is played, part by part, so that what has changed can be named. */
export function identityOf(
  contest: Contest,
  definition: GameDefinition,
  seed: string,
  entrants: readonly EntrantInfo[],
  { only = [], against = [], maxFaults }: RunOptions,
  cycles = false,
): Identity {
  const texts = gameTexts(definition)
  // How many matches an hour a site begins changes none of them.
  const { hourly: _, ...format } = contest.format
  const parts: Record<string, unknown> = {
    game: `${definition.game.id} version ${definition.game.version}`,
    ...(texts !== undefined && { [GAME_FILE]: texts }),
    seed,
    options: contest.options,
    format,
    scoring: contest.scoring,
    limits: contest.limits,
    only,
    against,
    ...(maxFaults !== undefined && { maxFaults }),
    // What bots lived through in another order is another tournament.
    ...(cycles && { order: 'cycles' }),
  }
  for (const { name, hash } of entrants) parts[`entrant ${name}`] = hash
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, hashOf(value)]))
}

const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex').slice(0, 16)

/** A hash over the source of a game that does not come with agon, as identities have it; undefined: it does. */
export function sourceOf(definition: GameDefinition): string | undefined {
  const texts = gameTexts(definition)
  return texts === undefined ? undefined : hashOf(texts)
}

/** That part of a run's identity. */
export const sourceIn = (identity: Identity): string | undefined => identity[GAME_FILE]

/**
 * What the game's files held tells whether stored matches are of the same game. A rule that is mended there changes no tournament, and a run that
 * is resumed keeps what it has.
 */
const GAME_FILE = 'gameFile'

/** The tournament's key: over all that decides what it plays. */
export function tournamentKey(identity: Identity): string {
  const { [GAME_FILE]: _, ...rest } = identity
  return derive('tournament', canonical(rest))
}

/** How the entrants of a run differ from those with which it was played before, by name. */
export interface EntrantChanges {
  readonly joined: readonly string[]
  readonly changed: readonly string[]
  readonly left: readonly string[]
}

/**
 * Which entrants were added, changed and removed since the run in this folder was last played; undefined: none. Throws UserError where anything else
 * differs; it names the parts.
 */
export function entrantChanges(out: string, was: Identity, now: Identity): EntrantChanges | undefined {
  const [parts, entrants] = [
    differences(was, now).filter((part) => !isEntrant(part) && part !== GAME_FILE),
    differences(was, now).filter(isEntrant),
  ]
  const [first, ...more] = parts.map((part) => lookUp(LABELS, part) ?? part)
  if (first !== undefined) {
    const changed = more.reduce((all, one) => message`${all}, ${one}`, first)
    throw new UserError(
      message`${out} cannot be resumed, as this has changed since it began: ${changed}; put it back, or start again with ${option('fresh')}, which takes from the store what is the same`,
    )
  }
  if (entrants.length === 0) return undefined
  const named = (meant: (part: string) => boolean) => entrants.filter(meant).map((part) => part.slice(ENTRANT.length))
  return {
    joined: named((part) => was[part] === undefined),
    changed: named((part) => was[part] !== undefined && now[part] !== undefined),
    left: named((part) => now[part] === undefined),
  }
}

/** 'new: Ant; changed: Bee, Cat; withdrawn: Dog'. */
export function entrantChangesText({ joined, changed, left }: EntrantChanges): string {
  const part = (what: string, names: readonly string[]) => (names.length === 0 ? [] : [`${what}: ${names.join(', ')}`])
  return [...part('new', joined), ...part('changed', changed), ...part('withdrawn', left)].join('; ')
}

const ENTRANT = 'entrant '
const isEntrant = (part: string): boolean => part.startsWith(ENTRANT)

/** Whether two runs are of the same game, by the same rules. */
export const isSameGame = (a: Identity, b: Identity): boolean =>
  ['game', GAME_FILE].every((part) => a[part] === b[part])

/** The parts in which two identities differ. */
function differences(a: Identity, b: Identity): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((part) => a[part] !== b[part])
}
