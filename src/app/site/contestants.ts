import { randomBytes } from 'node:crypto'
import { hostedContest } from './contests.js'
import type { SiteContext } from './context.js'
import { rulesOf } from './rules.js'
import { Refusal } from './refusal.js'
import { type Caller, newContestantToken } from './tokens.js'

/**
 * Lets a person enter bots in a contest. Returns the token, which is shown this once. The host may do it, and anybody where the contest
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
  if (plain === '' || plain.length > 64 || /\p{Cc}/u.test(plain))
    throw new Refusal('invalid', 'a contestant has a name of 1 to 64 characters')
  const { token, hash } = newContestantToken()
  const added = await context.site.addContestant(id, plain, hash)
  if (added === undefined) throw new Refusal('conflict', `there is a contestant ${JSON.stringify(plain)} already`)
  return { name: plain, token }
}

/** Who takes part in a contest, for its host. */
export async function contestantsOf(context: SiteContext, id: string): Promise<readonly { readonly name: string }[]> {
  await hostedContest(context, id)
  return (await context.site.contestants(id)).map(({ name }) => ({ name }))
}

/** An id that nobody can guess, for what is found by its address alone. */
export const freshId = (): string => randomBytes(12).toString('base64url')
