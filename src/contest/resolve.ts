import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { didYouMean, UserError, command, message } from '../core/index.js'
import { games } from '../games/index.js'
import { type LoadedContest, loadContest } from './parse.js'

/** A contest, and whether it was shortened for a first look. */
export interface ResolvedContest extends LoadedContest {
  /** The contest was named by its game alone: its author's repetitions, where fewer are played. */
  readonly fullRepetitions?: number
  /** It was named by its folder, which holds its `contest.toml`. */
  readonly league?: boolean
}

/** The file of a contest named by its folder; undefined: this names no such folder. */
export function folderContest(ref: string): string | undefined {
  const file = join(resolve(ref), 'contest.toml')
  return existsSync(file) ? file : undefined
}

/** The folder of the contests that travel with the package. */
export const CONTESTS = fileURLToPath(new URL('../../contests', import.meta.url))

/**
 * The contest of a path, be it of a file or of a folder with a `contest.toml`, or, for a game's bare name, the one that ships with agon, with its `quick` repetitions. Throws a
 * UserError where there is no such thing, or something is wrong with it. `contests`: where the contests by game lie.
 */
export async function resolveContest(ref: string, contests = CONTESTS): Promise<ResolvedContest> {
  const shipped = shippedIn(contests)
  const isPath = /\.toml$|[\\/]/.test(ref)
  const folder = folderContest(ref)
  if (folder !== undefined && (isPath || !shipped.includes(ref)))
    return { ...(await loadContest(folder)), league: true }
  if (isPath) return loadContest(pathOf(ref, shipped))
  if (!shipped.includes(ref)) {
    throw new UserError(
      `unknown contest ${JSON.stringify(ref)}${didYouMean(ref, shipped)}: name a .toml file, or a game (${shipped.join(', ')})`,
    )
  }
  const loaded = await loadContest(resolve(contests, `${ref}.toml`))
  const { format } = loaded.contest
  const { repetitions, quick } = format
  if (quick === undefined || quick === repetitions) return loaded
  const contest = { ...loaded.contest, format: { ...format, repetitions: quick } }
  return { ...loaded, contest, fullRepetitions: repetitions }
}

/** The file of this path. Throws UserError for a folder, and if there is none. */
function pathOf(ref: string, shipped: readonly string[]): string {
  const path = resolve(ref)
  if (existsSync(path) && statSync(path).isDirectory())
    throw new UserError(message`${ref} is a folder without a contest.toml: ${command(`init ${ref}`)} writes one`)
  if (existsSync(path)) return path
  const beside = existsSync(dirname(path)) ? readdirSync(dirname(path)) : []
  const files = beside.filter((name) => name.endsWith('.toml'))
  const guess = didYouMean(basename(path), files)
  throw new UserError(`there is no contest file ${ref}${guess}: name a .toml file, or a game (${shipped.join(', ')})`)
}

function shippedIn(contests: string): string[] {
  const files = existsSync(contests) ? readdirSync(contests) : []
  return games.map(({ game }) => game.id).filter((id) => files.includes(`${id}.toml`))
}
