import { z } from '@hono/zod-openapi'
import { didYouMean } from '../core/index.js'
import { formatOf } from '../tournament/index.js'
import { excludedText } from '../app/run/control.js'
import type { SiteContext } from './context.js'
import { hostedContest } from './contests.js'
import type { SiteEntry, SiteExclusion } from './db/site-store.js'
import { owns } from './entries.js'
import { parsedContest } from './hosted.js'
import { Refusal } from './http/problems.js'
import { type ApiRoute, entrantOf, post, said } from './http/route.js'
import type { ContestRunner } from './play/contest-runner.js'
import type { Caller } from './tokens.js'

/** What becomes of an entrant that is put out of a contest. */
export interface OutRequest {
  readonly status: 'withdrawn' | 'disqualified'
  /** void: none of its matches counts; lost: what it had played stands, and the rest is lost (matches of two). */
  readonly treatment: 'void' | 'lost'
  readonly why: string
}

/**
 * Withdraws an entrant, which its owner may do, or disqualifies it, which the host may. Returns what the table notes of it.
 * Throws a Refusal where there is no such entrant, or it is out already.
 */
export async function putOut(
  context: SiteContext,
  runner: ContestRunner,
  id: string,
  name: string,
  request: OutRequest,
  caller: Caller,
): Promise<{ readonly note: string }> {
  const hosted = await hostedContest(context, id)
  const { contest, entries } = await parsedContest(context, hosted)
  // One that is still built, or waits for it, is put out before it has played.
  const entered = (await context.site.entries(id)).filter(({ state }) => state !== 'rejected')
  const names = [...new Set([...entries.map(({ spec }) => spec.name), ...entered.map((one) => one.name)])]
  const entry = entered.find((one) => one.name === name)
  const mayWithdraw = entry !== undefined && owns(entry, caller)
  if (caller.role !== 'host' && !(request.status === 'withdrawn' && mayWithdraw))
    throw new Refusal('forbidden', `only ${request.status === 'withdrawn' ? 'its owner or ' : ''}the host may do this`)
  if (hosted.final && caller.role !== 'host')
    throw new Refusal('conflict', 'this contest has ended for good: its table stays as it is')
  if (!names.includes(name))
    throw new Refusal('unknown', `no entrant ${JSON.stringify(name)}${didYouMean(name, names)}`)
  const before = (await context.site.exclusions(id)).find((one) => one.name === name)
  // A contestant who has withdrawn a bot may enter it again; a bot that the host has put out stays out.
  const isOut = before !== undefined && !entered.some((one) => comesBack(one, before))
  if (isOut && (before.status === request.status || caller.role !== 'host'))
    throw new Refusal('conflict', `${name} is ${before.status} already`)
  const { kind } = contest.format
  if (request.treatment === 'lost' && formatOf(kind).sizes !== 'two')
    throw new Refusal(
      'invalid',
      'matches are lost in games of two: here more than one would win what it has not played',
    )
  const exclusion = { name, ...request }
  await runner.exclude(id, exclusion)
  return { note: excludedText(exclusion) }
}

/** Whether a version is being built that would bring back what is withdrawn. */
const comesBack = ({ name, state, version }: SiteEntry, out: SiteExclusion): boolean =>
  name === out.name && state === 'building' && version >= (out.back ?? Infinity)

const outSchema = z.object({
  matches: said(
    z.enum(['void', 'lost']).optional(),
    'void (the default): none of its matches counts; lost: what it had played stands, and the rest is lost (games of two)',
  ),
  why: z.string().max(500).optional(),
})

/** Entrants that leave a contest. */
export const outRoutes = (site: SiteContext, runner: ContestRunner): readonly ApiRoute[] =>
  (['withdraw', 'disqualify'] as const).map((verb) =>
    post(
      `/contests/{id}/entrants/{name}/${verb}`,
      verb === 'withdraw' ? 'Take one’s bot out of a contest' : 'Put an entrant out of a contest',
      {
        access: verb === 'withdraw' ? 'contestant' : 'host',
        params: entrantOf,
        body: outSchema,
        bodyOptional: true,
        answer: z.strictObject({ note: z.string() }),
      },
      ({ params: { id, name }, body, caller }) => {
        const { matches: treatment = 'void', why = '' } = body
        const status = verb === 'withdraw' ? 'withdrawn' : 'disqualified'
        return putOut(site, runner, id, name, { status, treatment, why }, caller)
      },
    ),
  )
