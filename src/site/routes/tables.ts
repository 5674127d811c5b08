import { z } from '@hono/zod-openapi'
import { FAULT_KINDS } from '../../core/index.js'
import { ENTRY_STATES } from '../../core/site-facts.js'
import { addressOf } from '../http/address.js'
import { answerShown, answerText } from '../http/answers.js'
import { type ApiRoute, route } from '../http/route.js'
import { matchSchema, oneSided } from '../schemas.js'
import { contestId, matchId } from './reading.js'

const times = z.strictObject({
  n: z.int(),
  median: z.number(),
  p99: z.number(),
  max: z.number(),
  limit: z.number().nullable().openapi({ description: 'milliseconds that an answer may take' }),
  classes: z.array(z.strictObject({ below: z.number(), n: z.int() })),
})
const versionSchema = z
  .strictObject({
    id: z.string().openapi({ description: 'of the entry' }),
    version: z.int(),
    state: z.enum(ENTRY_STATES),
    at: z.iso.datetime(),
    matches: z.int().optional().openapi({ description: 'in the last run in which it played' }),
    points: z.number().optional(),
    rating: z.int().optional().openapi({ description: 'Elo, around the average of that run’s field' }),
    half: z
      .int()
      .optional()
      .openapi({ description: 'of the 95 % interval of the rating; absent where an end is open' }),
    bound: oneSided.optional().openapi({ description: 'of the rating, where its interval has one end only' }),
    change: z.int().optional().openapi({ description: 'of the rating beside the version before' }),
  })
  .openapi('Version')
const faultsSchema = z
  .strictObject({
    items: z.array(
      z.strictObject({
        match: z.int(),
        turn: z.int().openapi({ description: 'counted from 0' }),
        kind: z.enum(FAULT_KINDS),
        why: z.string().optional(),
        at: z.iso.datetime(),
        exchange: z
          .array(z.string())
          .optional()
          .openapi({ description: 'what it was sent and what it answered, a line each; for its owner and the host' }),
      }),
    ),
    next: z.string().nullable(),
    stderr: z
      .string()
      .optional()
      .openapi({ description: 'the end of what it wrote to standard error; for its owner and the host' }),
  })
  .openapi('Faults')
const entrantSchema = z
  .strictObject({
    name: z.string(),
    rank: z.int().nullable(),
    points: z.number(),
    matches: z.int(),
    wins: z.int(),
    draws: z.int(),
    losses: z.int(),
    faults: z.partialRecord(z.enum(FAULT_KINDS), z.int()),
    author: z.string().optional(),
    opponents: z.array(z.strictObject({ name: z.string(), ahead: z.int(), level: z.int(), behind: z.int() })),
    best: z
      .array(matchSchema)
      .openapi({ description: 'the newest win of each of the strongest that it beat; worst: the reverse' }),
    worst: z.array(matchSchema),
    versions: z.array(versionSchema).openapi({ description: 'the oldest first; empty: it was not entered' }),
    times: times.optional().openapi({ description: 'microseconds of wall time, over its newest matches' }),
  })
  .openapi('Entrant')

/** What the page shows beside the standings: all that a report has, and an entrant's own page. */
export const tableRoutes: readonly ApiRoute[] = [
  route(
    {
      method: 'get',
      path: '/contests/{id}/report',
      access: 'anyone',
      summary: 'The tables of a contest: standings, crosstable, ratings and rounds',
      description:
        'The document of a report, as it stands now; null where nothing has been played. Ratings, chances and rounds are computed aside, while matches are played at most every five seconds: `matches.rated` says on how many of the `matches.total` they rest (0: on none yet, and they are not there).',
      params: contestId,
      status: 200,
      answer: z.strictObject({ report: z.looseObject({ report: z.literal(1) }).nullable() }),
    },
    async ({ tables }, { c, params }) => answerShown(c, await tables.report(params.id, addressOf(c))),
  ),
  route(
    {
      method: 'get',
      path: '/contests/{id}/entrants/{name}',
      access: 'anyone',
      summary: 'An entrant: how it fares against whom, and how long it takes',
      params: contestId.extend({ name: z.string().max(200) }),
      status: 200,
      answer: entrantSchema,
    },
    async ({ tables }, { c, params }) => answerShown(c, await tables.entrant(params.id, params.name, addressOf(c))),
  ),
  route(
    {
      method: 'get',
      path: '/contests/{id}/entrants/{name}/faults',
      access: 'anyone',
      summary: 'Faults of an entrant, the newest first',
      description:
        'With what it was sent and answered, and the end of its standard error, for its owner and the host; for all once a contest is over that says `publish = true`.',
      params: contestId.extend({ name: z.string().max(200) }),
      query: z.object({
        cursor: z.string().max(100).optional(),
        limit: z.coerce.number().int().min(1).max(50).optional(),
      }),
      status: 200,
      answer: faultsSchema,
    },
    async ({ tables }, { c, params, query, caller }) => {
      const { cursor, limit = 10 } = query
      const { text, tag, own } = await tables.faults(params.id, params.name, { cursor, limit }, caller, addressOf(c))
      return answerText(c, text, { tag, own })
    },
  ),
  route(
    {
      method: 'get',
      path: '/matches/{id}/positions',
      access: 'anyone',
      summary: 'The positions of a match as text',
      description: 'Before the first turn and after each, with the moves by turn and seat.',
      params: matchId,
      status: 200,
      answer: z.strictObject({
        boards: z.array(z.string()),
        figures: z
          .array(z.array(z.string()))
          .optional()
          .openapi({ description: 'by position and seat, where the game has figures' }),
        pictures: z.array(z.string()).optional().openapi({
          description:
            'by position, where the game draws pictures: SVG or HTML of its designer, to be shown in a sandboxed frame',
        }),
        moves: z.array(z.array(z.union([z.string(), z.looseObject({ fault: z.enum(FAULT_KINDS) })]).nullable())),
      }),
    },
    async ({ tables }, { c, params }) => {
      const { text, tag } = await tables.positions(Number(params.id), addressOf(c))
      return answerText(c, text, { tag, final: true })
    },
  ),
]
