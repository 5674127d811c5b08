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
} from '../core/index.js'
import { canonical } from '../match/index.js'
import type { EntrantInfo } from '../store/index.js'
import type { RunOptions } from './run-options.js'

/** By part: a hash of what decides what a run plays. Entrants' parts begin with `entrant `. */
export type Identity = Readonly<Record<string, string>>

/** Names that earlier versions stored in place of the parts'. A tournament's key is still taken over them, so that it stays the same. */
const FORMER: Readonly<Record<string, string>> = {
  options: '[options]',
  format: '[format] or --matches',
  scoring: '[scoring]',
  limits: '[limits]',
  only: '--only',
  against: '--against',
  maxFaults: '--max-faults',
}
const PART = Object.fromEntries(Object.entries(FORMER).map(([part, former]) => [former, part]))

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
): Identity {
  const parts: Record<string, unknown> = {
    game: `${definition.game.id} version ${definition.game.version}`,
    seed,
    options: contest.options,
    format: contest.format,
    scoring: contest.scoring,
    limits: contest.limits,
    only,
    against,
    ...(maxFaults !== undefined && { maxFaults }),
  }
  for (const { name, hash } of entrants) parts[`entrant ${name}`] = hash
  return Object.fromEntries(
    Object.entries(parts).map(([part, value]) => [
      part,
      createHash('sha256').update(canonical(value)).digest('hex').slice(0, 16),
    ]),
  )
}

/** An identity by the names of its parts, whichever version stored it. */
export const byPart = (identity: Identity): Identity => renamed(identity, (name) => lookUp(PART, name))

const byFormerName = (identity: Identity): Identity => renamed(identity, (part) => lookUp(FORMER, part))

/** The tournament's key: over all that decides what it plays. It is the same for a run that an earlier version began. */
export const tournamentKey = (identity: Identity): string => derive('tournament', canonical(byFormerName(identity)))

/** Throws UserError where the run in this folder began with another identity; it names the parts. */
export function refuseChanges(out: string, before: Identity, now: Identity): void {
  const [first, ...rest] = differences(byPart(before), now).map((part) => lookUp(LABELS, part) ?? part)
  if (first === undefined) return
  const changed = rest.reduce((all, one) => message`${all}, ${one}`, first)
  throw new UserError(
    message`${out} cannot be resumed, as this has changed since it began: ${changed}; put it back, or start again with ${option('fresh')}`,
  )
}

/** The parts in which two identities differ. */
function differences(a: Identity, b: Identity): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((part) => a[part] !== b[part])
}

const renamed = (identity: Identity, name: (part: string) => string | undefined): Identity =>
  Object.fromEntries(Object.entries(identity).map(([part, hash]) => [name(part) ?? part, hash]))
