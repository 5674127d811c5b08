import type { SiteRules } from '../core/index.js'
import { UserError } from '../core/index.js'
import { parseHosted } from '../contest/parse.js'
import type { HostedContest } from './db/data.js'
import { contestFile } from './site-files.js'
import type { SiteContext } from './context.js'

/** What a contest says to its site. */
export async function rulesOf(context: SiteContext, contest: HostedContest): Promise<SiteRules> {
  return (await termsOf(context, contest)).rules
}

/** The house bots that a contest names; none where the site no longer has its game. */
export async function houseBotsOf(context: SiteContext, contest: HostedContest): Promise<readonly string[]> {
  try {
    return (await termsOf(context, contest)).house
  } catch (error) {
    if (error instanceof UserError) return []
    throw error
  }
}

interface Terms {
  readonly rules: SiteRules
  readonly house: readonly string[]
}

/** A text never changes, so each is read once for the games of a site. */
async function termsOf(context: SiteContext, { id, toml }: HostedContest): Promise<Terms> {
  const read = readFor(context.games)
  const known = read.get(toml)
  if (known !== undefined) return known
  const { contest, entries } = await parseHosted(toml, contestFile(context, id), context.games)
  const terms = { rules: contest.site ?? {}, house: entries.map(({ spec }) => spec.name) }
  if (read.size > MOST) read.clear()
  read.set(toml, terms)
  return terms
}

function readFor(games: SiteContext['games']): Map<string, Terms> {
  const read = reads.get(games) ?? new Map<string, Terms>()
  reads.set(games, read)
  return read
}
const reads = new WeakMap<SiteContext['games'], Map<string, Terms>>()
/** Contests whose rules are kept in memory. */
const MOST = 1000
