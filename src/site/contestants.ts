import { z } from '@hono/zod-openapi'
import type { SiteContext } from './context.js'
import { hostedContest, openContest, termsIn } from './contests.js'
import { Refusal } from './http/problems.js'
import { type ApiRoute, type Infer, contestId, entrantOf, get, list, paged, pages, post, said } from './http/route.js'
import { alike, unreadable } from './names.js'
import { type Caller, newContestantToken } from './tokens.js'

const contestantSchema = z
  .strictObject({
    name: z.string(),
    made: said(z.iso.datetime(), 'the token'),
    revoked: said(z.iso.datetime().optional(), 'absent: the token is good'),
    bots: said(z.array(z.string()), 'that were entered'),
  })
  .openapi('Contestant')
export type Contestant = Infer<typeof contestantSchema>

const letIn = z.strictObject({ name: z.string(), token: z.string() })
/** A contestant with the token, which is shown this once. */
type LetIn = Infer<typeof letIn>

/**
 * Lets a person enter bots in a contest. Returns the token, which is shown this once. The host may do it, and anyone where the contest
 * says `signup = true`. Throws a Refusal.
 */
export async function addContestant(context: SiteContext, id: string, name: string, caller: Caller): Promise<LetIn> {
  const hosted = await hostedContest(context, id)
  if (caller.role !== 'host') {
    const { signup } = (await termsIn(context, hosted)).rules
    if (!signup && caller.role === 'anonymous')
      throw new Refusal('unauthorized', 'only the host lets people in here; ask for a token')
    if (!signup) throw new Refusal('forbidden', 'only the host lets people in here')
    await openContest(context, id)
  }
  const plain = name.trim()
  if (plain === '' || plain.length > 64) throw new Refusal('invalid', 'a contestant has a name of 1 to 64 characters')
  const why = unreadable(plain)
  if (why !== undefined) throw new Refusal('invalid', `the name ${JSON.stringify(plain)} ${why}: choose another`)
  const other = (await context.site.contestants(id)).find((one) => alike(one.name, plain))
  if (other !== undefined && other.name !== plain)
    throw new Refusal('conflict', `${JSON.stringify(plain)} looks like the name of another contestant: choose another`)
  const { token, hash } = newContestantToken()
  const contestant = { contest: id, name: plain, hash, made: new Date().toISOString() }
  const added = await context.site.addContestant(contestant, alike)
  if (added === undefined) throw new Refusal('conflict', `there is a contestant ${JSON.stringify(plain)} already`)
  return { name: plain, token }
}

/** Makes a contestant another token; the one before is worth nothing from then on. Throws a Refusal where there is none of that name. */
export async function renewContestant(context: SiteContext, id: string, name: string): Promise<LetIn> {
  const { token, hash } = newContestantToken()
  await changeToken(context, id, name, { hash, made: new Date().toISOString(), revoked: null })
  return { name, token }
}

/** Makes a contestant's token worth nothing; the bots stay. Throws a Refusal where there is none of that name. */
export const revokeContestant = (context: SiteContext, id: string, name: string): Promise<void> =>
  changeToken(context, id, name, { revoked: new Date().toISOString() })

/** Changes a contestant's token, and ends the connections of the bots that were made with the one before. */
async function changeToken(
  context: SiteContext,
  id: string,
  name: string,
  change: Parameters<SiteContext['site']['changeContestant']>[2],
): Promise<void> {
  const { site, seats } = context
  await hostedContest(context, id)
  if (!(await site.changeContestant(id, name, change)))
    throw new Refusal('unknown', `there is no contestant ${JSON.stringify(name)}`)
  for (const entry of await site.entries(id))
    if (entry.sender === name) seats.drop(id, entry.name, 'its token was replaced or revoked')
}

/** Who takes part in a contest, for its host. */
export async function contestantsOf(context: SiteContext, id: string): Promise<readonly Contestant[]> {
  await hostedContest(context, id)
  const entries = await context.site.entries(id)
  const botsOf = (number: number): readonly string[] =>
    entries.flatMap(({ contestant, name }) => (contestant === number ? [name] : []))
  return (await context.site.contestants(id)).map(({ number, name, made, revoked }) => ({
    name,
    made,
    revoked,
    bots: [...new Set(botsOf(number))],
  }))
}

export const contestantRoutes = (site: SiteContext): readonly ApiRoute[] => [
  post(
    '/contests/{id}/contestants',
    'Let a person enter bots',
    {
      description:
        'The host may do it, and anyone where the contest has `signup = true`. The token is shown this once.',
      params: contestId,
      body: z.object({ name: z.string().max(200) }),
      status: 201,
      answer: letIn,
    },
    ({ params, body, caller }) => addContestant(site, params.id, body.name, caller),
  ),
  get(
    '/contests/{id}/contestants',
    'Who may enter bots',
    { access: 'host', params: contestId, query: pages, answer: list(contestantSchema, 'Contestants'), own: 'each' },
    async ({ params, query }) => paged(await contestantsOf(site, params.id), query),
  ),
  post(
    '/contests/{id}/contestants/{name}/renew',
    'Give a contestant another token',
    {
      access: 'host',
      description: 'The one before is worth nothing from then on. The token is shown this once.',
      params: entrantOf,
      status: 201,
      answer: letIn,
    },
    ({ params }) => renewContestant(site, params.id, params.name),
  ),
  post(
    '/contests/{id}/contestants/{name}/revoke',
    'Make a contestant’s token worth nothing',
    {
      access: 'host',
      description: 'The bots stay in the contest; `renew` lets the contestant in again.',
      params: entrantOf,
      answer: z.strictObject({ name: z.string() }),
    },
    async ({ params: { id, name } }) => {
      await revokeContestant(site, id, name)
      return { name }
    },
  ),
]
