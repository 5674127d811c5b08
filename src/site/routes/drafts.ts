import { z } from '@hono/zod-openapi'
import { answer, done } from '../http/answers.js'
import { UPLOAD } from '../http/bodies.js'
import { readForm } from '../http/form.js'
import { type ApiRoute, route } from '../http/route.js'
import { draftSchema } from '../schemas.js'
import { senderOf } from '../http/uploads.js'
import { contestId } from './reading.js'
import { formSchema, sentOf } from './sent.js'

const draftId = z.object({ id: z.string().regex(/^[\w-]{1,40}$/, 'no draft has such an id') })

/** A bot that is tried before it is entered. */
export const draftRoutes: readonly ApiRoute[] = [
  route(
    {
      method: 'post',
      path: '/contests/{id}/drafts',
      access: 'contestant',
      summary: 'Send a bot to try it before it is entered',
      description: `As an entry is sent, and built and checked in the same way; \`POST /contests/{id}/trials\` plays it against a bot of one's choice. Only its owner and the host can see it. It is removed after an hour, and a contestant has one in a contest: another takes its place. An upload has ${UPLOAD} bytes at most.`,
      params: contestId,
      form: formSchema,
      status: 202,
      answer: z.strictObject({ id: z.string() }),
    },
    async ({ drafts, uploads }, { c, params, caller }) =>
      uploads.within(senderOf(c, caller), async (place) =>
        done(
          202,
          await drafts.add(params.id, sentOf(await place.receive((slow) => readForm(c, UPLOAD, slow))), caller),
        ),
      ),
  ),
  route(
    {
      method: 'get',
      path: '/drafts/{id}',
      access: 'contestant',
      summary: 'How far a draft is',
      params: draftId,
      status: 200,
      answer: draftSchema,
    },
    async ({ drafts }, { c, params, caller }) => answer(c, drafts.facts(params.id, caller), { own: true }),
  ),
  route(
    {
      method: 'post',
      path: '/drafts/{id}/submit',
      access: 'contestant',
      summary: 'Enter a draft in its contest, as it was checked',
      description: 'Its files are not sent again. The entry has the same id, and plays from then on.',
      params: draftId,
      status: 201,
      answer: z.strictObject({ id: z.string(), version: z.int() }),
    },
    async ({ drafts }, { params, caller }) => done(201, await drafts.submit(params.id, caller)),
  ),
  route(
    {
      method: 'post',
      path: '/drafts/{id}/discard',
      access: 'contestant',
      summary: 'Remove a draft with its files',
      params: draftId,
      status: 200,
      answer: z.strictObject({ id: z.string() }),
    },
    async ({ drafts }, { params, caller }) => {
      drafts.discard(params.id, caller)
      return done(200, { id: params.id })
    },
  ),
]
