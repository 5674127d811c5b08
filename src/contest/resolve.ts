import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { didYouMean, UserError } from '../core/index.js'
import { games } from '../games/index.js'
import { type LoadedContest, loadContest } from './parse.js'

/** A contest, and whether it was shortened for a first look. */
export interface ResolvedContest extends LoadedContest {
  /** The contest was named by its game alone: its author's repetitions, where fewer are played. */
  readonly authors?: number
}

/** The folder of the contests that travel with the package. */
export const CONTESTS = fileURLToPath(new URL('../../contests', import.meta.url))

/**
 * The contest of a path, or, for a game's bare name, the one that ships with agon, with its `quick` repetitions. Throws a
 * UserError where there is no such thing, or something is wrong with it.
 */
export async function resolveContest(ref: string): Promise<ResolvedContest> {
  const path = resolve(ref)
  if (/\.toml$|[\\/]/.test(ref)) {
    if (existsSync(path)) return loadContest(path)
    throw new UserError(`there is no contest file ${ref}: name a .toml file, or a game (${ids().join(', ')})`)
  }
  const file = resolve(CONTESTS, `${ref}.toml`)
  if (!ids().includes(ref) || !existsSync(file)) {
    throw new UserError(
      `unknown contest ${JSON.stringify(ref)}${didYouMean(ref, ids())}: name a .toml file, or a game (${ids().join(', ')})`,
    )
  }
  const loaded = await loadContest(file)
  const { repetitions, quick } = loaded.contest.format
  if (quick === undefined || quick === repetitions) return loaded
  return {
    ...loaded,
    contest: { ...loaded.contest, format: { ...loaded.contest.format, repetitions: quick } },
    authors: repetitions,
  }
}

/** Games that have a contest of their own here. */
function ids(): string[] {
  const shipped = existsSync(CONTESTS) ? readdirSync(CONTESTS) : []
  return games.map(({ game }) => game.id).filter((id) => shipped.includes(`${id}.toml`))
}
