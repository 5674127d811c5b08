import { z } from '@hono/zod-openapi'
import { alike, unreadable } from '../contest/index.js'
import { hostedContest, openContest, rulesOf } from './contests.js'
import type { SiteContext } from './context.js'
import { conflict, forbidden, invalid, notFound, unauthorized } from './http/answers.js'
import { type Caller, newToken } from './http/callers.js'
import type { ContestantChange } from './store.js'
import { type Infer, get, list, paged, pages, post, said, object } from './http/route.js'

const contestantSchema = object('Contestant', {
  name: z.string(),
  made: said(z.iso.datetime(), 'the token'),
  revoked: said(z.iso.datetime().optional(), 'absent: the token is good'),
  bots: said(z.array(z.string()), 'that were entered'),
})
export type Contestant = Infer<typeof contestantSchema>

/** A contestant with the token, which is shown this once. */
const letIn = z.strictObject({ name: z.string(), token: z.string() })

/** Lets a person enter bots in a contest. Throws a Refusal. */
export async function addContestant(context: SiteContext, id: string, wanted: string, caller: Caller) {
  const hosted = await hostedContest(context, id)
  if (caller.role !== 'host') {
    const { signup } = await rulesOf(context, hosted)
    if (!signup && caller.role === 'anonymous') throw unauthorized('only the host lets people in here; ask for a token')
    if (!signup) throw forbidden('only the host lets people in here')
    await openContest(context, id)
  }
  const name = wanted.trim()
  if (name === '' || name.length > 64) throw invalid('a contestant has a name of 1 to 64 characters')
  const why = unreadable(name)
  if (why !== undefined) throw invalid(`the name ${JSON.stringify(name)} ${why}: choose another`)
  const others = context.site.contestants(id)
  if (others.some((one) => one.name === name)) throw conflict(`there is a contestant ${JSON.stringify(name)} already`)
  if (others.some((one) => alike(one.name, name)))
    throw conflict(`${JSON.stringify(name)} looks like the name of another contestant: choose another`)
  const { token, hash } = newToken('c')
  context.site.addContestant({ contest: id, name, hash, made: new Date().toISOString() })
  return { name, token }
}

/** Changes a contestant's token, and ends the connections of the bots that were made with the one before. Throws a Refusal where there is none of that name. */
function changeToken({ site, seats }: SiteContext, id: string, name: string, change: ContestantChange): void {
  if (!site.changeContestant(id, name, change)) throw notFound(`there is no contestant ${JSON.stringify(name)}`)
  for (const entry of site.entries(id))
    if (entry.sender === name) seats.drop(id, entry.name, 'its token was replaced or revoked')
}

export const contestantRoutes = (context: SiteContext) => [
  post('/contests/{id}/contestants', {
    summary: 'Let a person enter bots',
    description: 'The host may do it, and anyone where the contest has `signup = true`. The token is shown this once.',
    body: z.object({ name: z.string().max(200) }),
    status: 201,
    answer: letIn,
  }).handler(({ id, body, caller }) => addContestant(context, id, body.name, caller)),
  get('/contests/{id}/contestants', {
    summary: 'Who may enter bots',
    access: 'host',
    query: pages,
    answer: list(contestantSchema, 'Contestants'),
    own: 'each',
  }).handler(async ({ id, query }) => {
    await hostedContest(context, id)
    const entries = context.site.entries(id)
    const all = context.site.contestants(id).map(({ number, name, made, revoked }) => {
      const bots = entries.flatMap((entry) => (entry.contestant === number ? [entry.name] : []))
      return { name, made, revoked, bots: [...new Set(bots)] }
    })
    return paged(all, query)
  }),
  post('/contests/{id}/contestants/{name}/renew', {
    summary: 'Give a contestant another token',
    access: 'host',
    description: 'The one before is worth nothing from then on. The token is shown this once.',
    status: 201,
    answer: letIn,
  }).handler(({ id, name }) => {
    const { token, hash } = newToken('c')
    changeToken(context, id, name, { hash, made: new Date().toISOString(), revoked: null })
    return { name, token }
  }),
  post('/contests/{id}/contestants/{name}/revoke', {
    summary: 'Make a contestant’s token worth nothing',
    access: 'host',
    description: 'The bots stay in the contest; `renew` lets the contestant in again.',
    answer: z.strictObject({ name: z.string() }),
  }).handler(({ id, name }) => {
    changeToken(context, id, name, { revoked: new Date().toISOString() })
    return { name }
  }),
]
