import { hash } from 'node:crypto'
import {
  type Options,
  type Pairing,
  luckName,
  luckParts,
  newLuck,
  wiresOf,
  canonical,
  type Job,
} from '../core/index.js'
import { outlivesMatch } from '../bots/index.js'
import { type Fixture } from '../match/index.js'
import type { PlayableRun, SeatableEntrant } from './entrant.js'
import { entrantsOf } from './schedule.js'

export type FixtureRun = Pick<PlayableRun, 'definition' | 'contest' | 'seed' | 'entrants'>

/**
 * A match before its first answer. Where none of its wires shows ids or the field's size, its record has the seats'
 * numbers in their place, so that it is the same whoever else plays.
 */
export function fixtureOf({ definition, contest, seed, entrants }: FixtureRun, pairing: Pairing): Fixture {
  const { options } = contest
  const who = pairing.seats.map((entrant) => entrants[entrant] as SeatableEntrant)
  const wires = wiresOf(definition, options)
  const anonymous = who.every(({ wire }) => wires[wire]?.anonymous)
  return {
    agon: 1,
    key: pairing.key,
    game: definition.game.id,
    version: definition.game.version,
    options,
    luck: newLuck(derived(luckParts(seed, definition.game.id, who.map(luckName), dealOf(pairing, who)))),
    field: anonymous ? who.length : entrants.length,
    seats: who.map(({ name, wire, id }, seat) => ({ entrant: name, wire, id: anonymous ? seat : id })),
  }
}

/**
 * The number of the deal whose luck a match has. A bot that remembers the match before would know what the next of the same deal hides:
 * each match then has its own deal, by who sits where.
 */
function dealOf({ deal }: Pairing, who: readonly SeatableEntrant[]): number {
  if (!who.some(({ memory }) => outlivesMatch(memory))) return deal
  const names = who.map(({ name }) => name)
  const first = names.reduce((least, name) => (name < least ? name : least))
  return deal * names.length + names.indexOf(first)
}

/**
 * The key under which a job is stored: over all that decides its matches. Jobs of the same key are the same matches, whichever
 * contest or process plays them. What a long-lived bot does depends on all that came before, so its matches belong to their
 * tournament.
 */
export function keyOf(run: PlayableRun, job: Job): string {
  const lasts = entrantsOf(job).some((entrant) => run.entrants[entrant]?.memory === 'tournament')
  const matches = job.pairings.map((pairing) => ({
    fixture: fixtureOf(run, pairing),
    entrants: pairing.seats.map((entrant) => run.entrants[entrant]?.hash ?? ''),
  }))
  return jobKey(run.seed, lasts ? run.tournament : '', matches, run.game.source)
}

/**
 * A job's key by its matches; `tournament`: '' where no bot lives through one; `source`: of its game, where that counts.
 */
export function jobKey(
  seed: string,
  tournament: string,
  matches: readonly { readonly fixture: Fixture; readonly entrants: readonly string[] }[],
  source?: string,
): string {
  const named = source === undefined ? [] : [source]
  return derived(['unit', seed, tournament, matchesText(matches), ...named])
}

/** As `derive`: the system's own hash is several times as fast, and each match needs two. */
function derived(parts: readonly (string | number)[]): string {
  const digest = hash('sha256', JSON.stringify(parts)).slice(0, 32)
  // A slice would hold the whole longer text.
  return Buffer.from(digest, 'latin1').toString('latin1')
}

/** As `canonical`: written in the order of names, as sorting takes five times as long. */
function matchesText(matches: readonly { readonly fixture: Fixture; readonly entrants: readonly string[] }[]): string {
  return JSON.stringify(matches.map(({ fixture, entrants }) => ({ entrants, fixture: inOrder(fixture) })))
}

function inOrder(fixture: Fixture): Readonly<Record<keyof Fixture, unknown>> {
  const { agon, field, game, key, luck, options, version } = fixture
  const { at, seed, tape } = luck
  const seats = fixture.seats.map(
    ({ entrant, id, wire }) => ({ entrant, id, wire }) satisfies Required<(typeof fixture.seats)[number]>,
  )
  return { agon, field, game, key, luck: { at, seed, tape }, options: sorted(options), seats, version }
}

/** The matches of a run share their options. */
function sorted(options: Options): Options {
  let known = sortedOptions.get(options)
  if (known === undefined) sortedOptions.set(options, (known = JSON.parse(canonical(options)) as Options))
  return known
}
const sortedOptions = new WeakMap<Options, Options>()
