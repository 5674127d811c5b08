import { randomBytes } from 'node:crypto'
import { hostedContest } from './contests.js'
import type { SiteContext } from './context.js'
import { alike, unreadable } from './names.js'
import { rulesOf } from './rules.js'
import { Refusal } from './refusal.js'
import { type Caller, newContestantToken } from './tokens.js'

/**
 * Lets a person enter bots in a contest. Returns the token, which is shown this once. The host may do it, and anyone where the contest
 * says `signup = true`. Throws a Refusal.
 */
export async function addContestant(
  context: SiteContext,
  id: string,
  name: string,
  caller: Caller,
): Promise<{ readonly name: string; readonly token: string }> {
  const hosted = await hostedContest(context, id)
  if (caller.role !== 'host') {
    const { signup } = await rulesOf(context, hosted)
    if (!signup && caller.role === 'anonymous')
      throw new Refusal('unauthorized', 'only the host lets people in here; ask for a token')
    if (!signup) throw new Refusal('forbidden', 'only the host lets people in here')
  }
  const plain = name.trim()
  if (plain === '' || plain.length > 64) throw new Refusal('invalid', 'a contestant has a name of 1 to 64 characters')
  const why = unreadable(plain)
  if (why !== undefined) throw new Refusal('invalid', `the name ${JSON.stringify(plain)} ${why}: choose another`)
  const other = (await context.site.contestants(id)).find((one) => alike(one.name, plain))
  if (other !== undefined && other.name !== plain)
    throw new Refusal('conflict', `${JSON.stringify(plain)} looks like the name of another contestant: choose another`)
  const { token, hash } = newContestantToken()
  const added = await context.site.addContestant(id, plain, hash, new Date().toISOString(), alike)
  if (added === undefined) throw new Refusal('conflict', `there is a contestant ${JSON.stringify(plain)} already`)
  return { name: plain, token }
}

/** Makes a contestant another token; the one before is worth nothing from then on. Throws a Refusal where there is none of that name. */
export async function renewContestant(
  context: SiteContext,
  id: string,
  name: string,
): Promise<{ readonly name: string; readonly token: string }> {
  await hostedContest(context, id)
  const { token, hash } = newContestantToken()
  if (!(await context.site.renewContestant(id, name, hash, new Date().toISOString()))) throw unknownContestant(name)
  return { name, token }
}

/** Makes a contestant's token worth nothing; the bots stay. Throws a Refusal where there is none of that name. */
export async function revokeContestant(context: SiteContext, id: string, name: string): Promise<void> {
  await hostedContest(context, id)
  if (!(await context.site.revokeContestant(id, name, new Date().toISOString()))) throw unknownContestant(name)
}

const unknownContestant = (name: string): Refusal =>
  new Refusal('unknown', `there is no contestant ${JSON.stringify(name)}`)

/** A contestant, as the host sees it. */
export interface ContestantFacts {
  readonly name: string
  /** When the token was made, ISO 8601. */
  readonly made: string
  /** When it was revoked; absent: it is good. */
  readonly revoked?: string
  /** Of the bots that were entered. */
  readonly bots: readonly string[]
}

/** Who takes part in a contest, for its host. */
export async function contestantsOf(context: SiteContext, id: string): Promise<readonly ContestantFacts[]> {
  await hostedContest(context, id)
  const entries = await context.site.entries(id)
  return (await context.site.contestants(id)).map(({ number, name, made, revoked }) => ({
    name,
    made,
    revoked,
    bots: [...new Set(entries.flatMap((one) => (one.contestant === number ? [one.name] : [])))],
  }))
}

/** An id that cannot be guessed, for what is found by its address alone. */
export const freshId = (): string => randomBytes(12).toString('base64url')
