import { z } from '@hono/zod-openapi'
import { findContest } from '../contests.js'
import { positionOf } from '../feed.js'
import { liveMatches } from '../watched.js'
import { answer } from '../http/answers.js'
import { type ApiRoute, route } from '../http/route.js'
import { list } from '../schemas.js'
import { contestId, paged, pages } from './reading.js'

const liveSchema = z
  .strictObject({
    key: z
      .string()
      .openapi({ description: 'its place in the tournament, that of its series, or of the first match of its deal' }),
    seats: z.array(z.strictObject({ name: z.string(), version: z.int().optional() })),
    matches: z.int().openapi({ description: 'of its series or deal; 1: it stands alone' }),
    began: z.iso.datetime(),
  })
  .openapi('LiveMatch')

/** What happens to a contest, as it happens. */
export const eventRoutes: readonly ApiRoute[] = [
  route(
    {
      method: 'get',
      path: '/contests/{id}/events',
      access: 'anyone',
      summary: 'What happens to a contest, as server-sent events',
      description:
        'First comes `contest`, the contest as it is; then `matches` (count: how many were played since the event before; items: the newest of them), and what happens to the contest and its entries: `entry` has the `id`, `name` and `version` of one that was taken, and of one that was not only its `state`. Each has an id: a client that sends the last one back as `Last-Event-ID` misses nothing.',
      params: contestId,
      status: 200,
      media: 'text/event-stream',
    },
    async ({ site, channels, streams }, { c, params }) => {
      await findContest(site, params.id)
      const last = c.req.header('last-event-id')
      const since = last === undefined || last === '' ? undefined : positionOf(last)
      const channel = channels.of(params.id)
      return streams.answer(c, {
        join: (listener) => channel.join(listener, since),
        leave: (listener) => channel.leave(listener),
      })
    },
  ),
  route(
    {
      method: 'get',
      path: '/contests/{id}/live',
      access: 'anyone',
      summary: 'The matches of a contest that are being played, the longest first',
      description:
        'Those that this server plays itself, 50 at most; `/contests/{id}/live/events` shows one move by move.',
      params: contestId,
      query: pages,
      status: 200,
      answer: list(liveSchema, 'LiveMatches'),
    },
    async ({ site }, { c, params, query }) => answer(c, paged(await liveMatches(site, params.id), query)),
  ),
  route(
    {
      method: 'get',
      path: '/contests/{id}/live/events',
      access: 'anyone',
      summary: 'A match move by move while it is played, as server-sent events',
      description:
        'First `began`: the record so far, without luck; then `steps` (from: the number of the first of them). `sealed` (why: hidden or chance) says that nothing is shown until it is stored, with all matches that share its luck. `ended` (match: its number) comes once it is stored. `gone`: it is neither played nor stored. Of a series or a deal the next match follows, with a `began` of its own. Each has an id: a client that sends the last one back as `Last-Event-ID` misses nothing. In a game that did not come with agon `positions` has the positions as text.',
      params: contestId,
      query: z.object({ match: z.string().min(1).max(1000).openapi({ description: 'its key, as the list has it' }) }),
      status: 200,
      media: 'text/event-stream',
    },
    async ({ site, live, streams }, { c, params, query }) => {
      await findContest(site, params.id)
      return streams.answer(c, live.of(params.id, query.match))
    },
  ),
]
