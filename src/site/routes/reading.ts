import { z } from '@hono/zod-openapi'
import { FAULT_KINDS } from '../../core/index.js'
import { siteGames } from '../games.js'
import { Refusal } from '../refusal.js'
import { addressOf } from '../http/address.js'
import { answer, answerShown, answerText } from '../http/answers.js'
import { type ApiRoute, route } from '../http/route.js'
import { contestSchema, gameSchema, list, matchSchema, recordSchema, standingsSchema } from '../schemas.js'

export const contestId = z.object({
  id: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'no contest has such an id')
    .openapi({ description: 'of the contest' }),
})
export const matchId = z.object({ id: z.string().regex(/^\d{1,15}$/, 'no match has such a number') })
/** Items of a page where the request names no number. */
const LIMIT = 50
const limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(200)
  .optional()
  .openapi({ description: `items of a page (${LIMIT})` })
const cursor = z.string().max(100).optional().openapi({ description: 'what the page before had as next' })

export const pages = z.object({ cursor, limit })

/** What anyone may read. */
export const readingRoutes: readonly ApiRoute[] = [
  route(
    {
      method: 'get',
      path: '/caller',
      access: 'anyone',
      summary: 'Whose token it is that comes with the request',
      status: 200,
      answer: z
        .strictObject({
          role: z.enum(['anonymous', 'contestant', 'host']),
          name: z.string().optional(),
          contest: z.string().optional(),
        })
        .openapi('Caller'),
    },
    async (_, { c, caller }) => {
      const { role } = caller
      const who = caller.role === 'contestant' ? { role, name: caller.name, contest: caller.contest } : { role }
      return answer(c, who, { own: true })
    },
  ),
  route(
    {
      method: 'get',
      path: '/games',
      access: 'anyone',
      summary: 'The games that can be played here',
      query: pages,
      status: 200,
      answer: list(gameSchema, 'Games'),
    },
    async ({ site }, { c, query }) => answer(c, paged(siteGames(site), query)),
  ),
  route(
    {
      method: 'get',
      path: '/contests',
      access: 'anyone',
      summary: 'The contests, live ones first, then the newest',
      query: pages,
      status: 200,
      answer: list(contestSchema, 'Contests'),
    },
    async ({ tables }, { c, query }) => answer(c, paged(await tables.contests(), query)),
  ),
  route(
    {
      method: 'get',
      path: '/contests/{id}',
      access: 'anyone',
      summary: 'A contest',
      params: contestId,
      status: 200,
      answer: contestSchema,
    },
    async ({ tables }, { c, params }) => answer(c, await tables.contest(params.id)),
  ),
  route(
    {
      method: 'get',
      path: '/contests/{id}/standings',
      access: 'anyone',
      summary: 'The table of a contest as it stands now',
      params: contestId,
      status: 200,
      answer: standingsSchema,
    },
    async ({ tables }, { c, params }) => answerShown(c, await tables.standings(params.id, addressOf(c))),
  ),
  route(
    {
      method: 'get',
      path: '/contests/{id}/matches',
      access: 'anyone',
      summary: 'Matches of a contest, the newest first',
      description:
        'With `bot`, a result and a fault are those of the bot; without it, `win` is a match with one winner, and a fault is any bot’s. A page looks at a limited number of matches: it may hold fewer items than its limit, or none, and have a next one.',
      params: contestId,
      query: z.object({
        bot: z.string().max(100).optional().openapi({ description: 'sat in the match' }),
        opponent: z.string().max(100).optional().openapi({ description: 'sat in the match, too' }),
        result: z.enum(['win', 'draw', 'loss']).optional(),
        fault: z.enum(['any', ...FAULT_KINDS]).optional(),
        least: z.coerce.number().int().min(0).optional().openapi({ description: 'turns' }),
        most: z.coerce.number().int().min(0).optional().openapi({ description: 'turns' }),
        cursor,
        limit,
      }),
      status: 200,
      answer: list(matchSchema, 'Matches'),
    },
    async ({ tables }, { c, params, query }) => {
      const { bot, opponent, result, fault, least, most, cursor: at, limit: size = LIMIT } = query
      const asked = {
        bot,
        opponent,
        result,
        fault,
        least,
        most,
        cursor: at,
        limit: size,
      }
      return answerShown(c, await tables.matches(params.id, asked, addressOf(c)))
    },
  ),
  route(
    {
      method: 'get',
      path: '/matches/{id}',
      access: 'anyone',
      summary: 'The record of a match',
      description:
        'A record that is shown whole never changes. What a bot printed of itself (`figures`) is shown to callers who may read its standard error.',
      params: matchId,
      status: 200,
      answer: recordSchema,
    },
    async ({ tables }, { c, params, caller }) => {
      const { text, tag, final, own } = await tables.record(Number(params.id), caller)
      return answerText(c, text, { tag, final, own })
    },
  ),
]

/** A page of a list that is short enough to be made whole. */
export function paged<T>(
  all: readonly T[],
  {
    cursor: at = 'n0',
    limit: most = LIMIT,
  }: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): { readonly items: readonly T[]; readonly next: string | null } {
  const from = Number(/^n(\d{1,9})$/.exec(at)?.[1] ?? Number.NaN)
  if (Number.isNaN(from)) throw new Refusal('invalid', 'this cursor is none: give what the page before it had as next')
  return { items: all.slice(from, from + most), next: from + most < all.length ? `n${from + most}` : null }
}
