import { z } from '@hono/zod-openapi'
import { addContestant, contestantsOf, renewContestant, revokeContestant } from '../contestants.js'
import { putOut } from '../put-out.js'
import { enterBot, entriesOf, entryById, factsOfEntries } from '../entries.js'
import { sourcesOf } from '../sources.js'
import { answer, done } from '../http/answers.js'
import { UPLOAD } from '../http/bodies.js'
import { readForm } from '../http/form.js'
import { type ApiRoute, route } from '../http/route.js'
import { entrySchema, list, progressSchema } from '../schemas.js'
import { senderOf } from '../http/uploads.js'
import { contestId, paged, pages } from './reading.js'
import { formSchema, sentOf } from './sent.js'

const entryId = z.object({ id: z.string().regex(/^[\w-]{1,40}$/, 'no entry has such an id') })
const entrant = contestId.extend({ name: z.string().min(1).max(200) })
const outSchema = z.object({
  matches: z.enum(['void', 'lost']).optional().openapi({
    description:
      'void (the default): none of its matches counts; lost: what it had played stands, and the rest is lost (games of two)',
  }),
  why: z.string().max(500).optional(),
})

const contestantSchema = z
  .strictObject({
    name: z.string(),
    made: z.iso.datetime().openapi({ description: 'the token' }),
    revoked: z.iso.datetime().optional().openapi({ description: 'absent: the token is good' }),
    bots: z.array(z.string()).openapi({ description: 'that were entered' }),
  })
  .openapi('Contestant')

/** Entering a bot, and putting one out. */
export const enteringRoutes: readonly ApiRoute[] = [
  route(
    {
      method: 'post',
      path: '/contests/{id}/contestants',
      access: 'anyone',
      summary: 'Let a person enter bots',
      description:
        'The host may do it, and anyone where the contest has `signup = true`. The token is shown this once.',
      params: contestId,
      body: z.object({ name: z.string().max(200) }),
      status: 201,
      answer: z.strictObject({ name: z.string(), token: z.string() }),
    },
    async ({ site }, { params, body, caller }) => done(201, await addContestant(site, params.id, body.name, caller)),
  ),
  route(
    {
      method: 'get',
      path: '/contests/{id}/contestants',
      access: 'host',
      summary: 'Who may enter bots',
      params: contestId,
      query: pages,
      status: 200,
      answer: list(contestantSchema, 'Contestants'),
    },
    async ({ site }, { c, params, query }) =>
      answer(c, paged(await contestantsOf(site, params.id), query), { own: true }),
  ),
  route(
    {
      method: 'post',
      path: '/contests/{id}/contestants/{name}/renew',
      access: 'host',
      summary: 'Give a contestant another token',
      description: 'The one before is worth nothing from then on. The token is shown this once.',
      params: entrant,
      status: 201,
      answer: z.strictObject({ name: z.string(), token: z.string() }),
    },
    async ({ site }, { params }) => done(201, await renewContestant(site, params.id, params.name)),
  ),
  route(
    {
      method: 'post',
      path: '/contests/{id}/contestants/{name}/revoke',
      access: 'host',
      summary: 'Make a contestant’s token worth nothing',
      description: 'The bots stay in the contest; `renew` lets the contestant in again.',
      params: entrant,
      status: 200,
      answer: z.strictObject({ name: z.string() }),
    },
    async ({ site }, { params }) => {
      await revokeContestant(site, params.id, params.name)
      return done(200, { name: params.name })
    },
  ),
  route(
    {
      method: 'post',
      path: '/contests/{id}/entries',
      access: 'contestant',
      summary: 'Enter a bot, or a new version of it',
      description: `The files, or one archive of them (zip or tar.gz), with what starts the bot. It is built and checked in a sandbox after this; GET /entries/{id} shows how that goes. An upload has ${UPLOAD} bytes at most.`,
      params: contestId,
      form: formSchema,
      status: 202,
      answer: z.strictObject({ id: z.string(), version: z.int() }),
    },
    async ({ site, builder, uploads }, { c, params, caller }) =>
      uploads.within(senderOf(c, caller), async (place) =>
        done(
          202,
          await enterBot(
            site,
            builder,
            params.id,
            sentOf(await place.receive((slow) => readForm(c, UPLOAD, slow))),
            caller,
          ),
        ),
      ),
  ),
  route(
    {
      method: 'get',
      path: '/contests/{id}/entries',
      access: 'anyone',
      summary: 'The versions of the bots that were entered, the newest first',
      description:
        'Those that were taken. One that is being built, or was rejected, is listed for its owner and the host alone.',
      params: contestId,
      query: pages,
      status: 200,
      answer: list(entrySchema, 'Entries'),
    },
    async ({ site }, { c, params, query, caller }) => {
      const { items, next } = paged(await entriesOf(site, params.id, caller), query)
      const shown = { items: await factsOfEntries(site, params.id, items), next }
      return answer(c, shown, { own: caller.role !== 'anonymous' })
    },
  ),
  route(
    {
      method: 'get',
      path: '/entries/{id}',
      access: 'anyone',
      summary: 'How far an entry is',
      description:
        'For anyone who has its id: of a version that is being built, or was rejected, no more than that. Its owner and the host learn its name and read its log, too; all others its name once it is accepted.',
      params: entryId,
      status: 200,
      answer: z.union([entrySchema, progressSchema]),
    },
    async ({ site }, { c, params, caller }) =>
      answer(c, await entryById(site, params.id, caller), { own: caller.role !== 'anonymous' }),
  ),
  route(
    {
      method: 'get',
      path: '/entries/{id}/sources',
      access: 'anyone',
      summary: 'The files of an entry as they were sent',
      description:
        'For its owner and the host; for all once a contest is over that says `publish = true`. A file that is no text, or is long, has null in the place of its text.',
      params: entryId,
      query: pages,
      status: 200,
      answer: list(
        z.strictObject({ path: z.string(), bytes: z.int(), text: z.string().nullable() }).openapi('SourceFile'),
        'SourceFiles',
      ),
    },
    async ({ site }, { c, params, query, caller }) =>
      answer(c, paged(await sourcesOf(site, params.id, caller), query), { own: caller.role !== 'anonymous' }),
  ),
  ...(['withdraw', 'disqualify'] as const).map((verb) =>
    route(
      {
        method: 'post',
        path: `/contests/{id}/entrants/{name}/${verb}`,
        access: verb === 'withdraw' ? 'contestant' : 'host',
        summary: verb === 'withdraw' ? 'Take one’s bot out of a contest' : 'Put an entrant out of a contest',
        params: entrant,
        body: outSchema,
        bodyOptional: true,
        status: 200,
        answer: z.strictObject({ note: z.string() }),
      },
      async ({ site, runner }, { params, body, caller }) => {
        const { matches: treatment = 'void', why = '' } = body
        const status = verb === 'withdraw' ? 'withdrawn' : 'disqualified'
        return done(200, await putOut(site, runner, params.id, params.name, { status, treatment, why }, caller))
      },
    ),
  ),
]
