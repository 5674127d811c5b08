import type { MatchRecord } from '../core/index.js'
import { type Setting, playMatch } from './play.js'

/** What came of one of many matches. */
export type Played<S extends Setting> =
  | { readonly setting: S; readonly record: MatchRecord }
  /** The match is void. */
  | { readonly setting: S; readonly error: unknown }

/**
 * Plays matches that do not depend on each other in this one thread, at most `atOnce` at the same time: while one waits for its bots,
 * others go on. No two of them that are played at the same time may share a player. The settings are taken as there is room for
 * them, so there may be any number. Results come in the order in which the matches end, and wait until `done` has taken them; a match
 * that is void keeps no other from being played. Rejects where `matches` or `done` throw, once those that were begun have ended.
 */
export async function playMany<S extends Setting>(
  matches: Iterable<S>,
  atOnce: number,
  done: (played: Played<S>) => Promise<void> | void,
): Promise<void> {
  if (!Number.isInteger(atOnce) || atOnce < 1) throw new RangeError(`${atOnce} matches at once: must be 1 or more`)
  const source = matches[Symbol.iterator]()
  let failed: { readonly error: unknown } | undefined
  const lane = async (): Promise<void> => {
    try {
      for (let next = source.next(); !next.done && failed === undefined; next = source.next()) {
        const setting = next.value
        await done(await outcomeOf(setting))
      }
    } catch (error) {
      failed ??= { error }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  if (failed !== undefined) throw failed.error
}

async function outcomeOf<S extends Setting>(setting: S): Promise<Played<S>> {
  try {
    return { setting, record: await playMatch(setting) }
  } catch (error) {
    return { setting, error }
  }
}
