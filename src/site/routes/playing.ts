import { z } from '@hono/zod-openapi'
import { addressOf } from '../http/address.js'
import { answer, done } from '../http/answers.js'
import { type ApiRoute, route } from '../http/route.js'
import { sittingSchema, trialSchema } from '../schemas.js'
import { contestId } from './reading.js'

const sittingId = z.object({ id: z.string().regex(/^[\w-]{1,40}$/, 'no match has such an id') })
const optionValue = z.union([z.number(), z.string(), z.boolean()])
const names = z.array(z.string().max(200)).max(100)

/** Matches that count for nothing: a person against bots, and a contestant's bot on trial. */
export const playingRoutes: readonly ApiRoute[] = [
  route(
    {
      method: 'post',
      path: '/sittings',
      access: 'anyone',
      summary: 'Sit down against bots',
      description:
        'Against house bots of a game, or against entrants of a contest, by its options. A client that knows the id plays the match; it shows what the person’s seat may know, and no more, until it is over.',
      body: z.object({
        game: z.string().max(100).optional(),
        contest: z.string().max(100).optional(),
        opponents: names,
        options: z
          .record(z.string().max(100), z.union([optionValue, z.array(optionValue)]))
          .optional()
          .openapi({ description: 'of the game; a contest has its own' }),
      }),
      status: 201,
      answer: sittingSchema,
    },
    async ({ sittings }, { c, body: { game, contest, opponents, options } }) => {
      const request = {
        game,
        contest,
        opponents,
        options,
      }
      return done(201, await sittings.sit(request, addressOf(c)))
    },
  ),
  route(
    {
      method: 'get',
      path: '/sittings/{id}',
      access: 'anyone',
      summary: 'A person’s match, as its seat may see it; with its record once it is over',
      params: sittingId,
      status: 200,
      answer: sittingSchema,
    },
    async ({ sittings }, { c, params }) => answer(c, await sittings.find(params.id, addressOf(c)), { own: true }),
  ),
  route(
    {
      method: 'post',
      path: '/sittings/{id}/moves',
      access: 'anyone',
      summary: 'Make a move; the answer comes once the next one is asked for',
      params: sittingId,
      body: z.object({ action: z.string().max(10_000) }),
      status: 200,
      answer: sittingSchema,
    },
    async ({ sittings }, { c, params, body }) => done(200, await sittings.move(params.id, body.action, addressOf(c))),
  ),
  route(
    {
      method: 'post',
      path: '/contests/{id}/trials',
      access: 'contestant',
      summary: 'Play one’s entry, or a draft, against bots of one’s choice; it counts for nothing',
      description: 'Against entrants of the contest, or house bots of its game.',
      params: contestId,
      body: z.object({
        entry: z.string().max(100).openapi({ description: 'the id of the entry, or of the draft' }),
        opponents: names,
      }),
      status: 201,
      answer: trialSchema,
    },
    async ({ trials }, { params, body, caller }) =>
      done(201, await trials.play(params.id, body.entry, body.opponents, caller)),
  ),
]
