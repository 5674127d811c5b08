import { z } from '@hono/zod-openapi'
import { findContest } from '../contests.js'
import { CONTROLS, controlContest, createContest } from '../hosting.js'
import { workersOfSite } from '../workers.js'
import { changeContestText, contestText } from '../contest-text.js'
import { answer, done } from '../http/answers.js'
import { type ApiRoute, route } from '../http/route.js'
import { contestSchema, workerSchema } from '../schemas.js'
import { contestId, paged, pages } from './reading.js'

const SUMMARIES = {
  start: 'Play a contest from now on',
  pause: 'Let a contest begin no more matches; those under way are given up and played again',
  resume: 'Go on with a paused contest',
} as const

/** What a host does to contests. */
export const hostingRoutes: readonly ApiRoute[] = [
  route(
    {
      method: 'post',
      path: '/contests',
      access: 'host',
      summary: 'Make a contest of a contest file',
      description:
        'The text is that of a contest file (docs/contest-file.md) that names house bots, or no entrants yet. A mistake is reported with its line.',
      body: z.object({ toml: z.string() }),
      status: 201,
      answer: z.strictObject({ id: z.string() }),
    },
    async ({ site }, { body }) => done(201, await createContest(site, body.toml)),
  ),
  route(
    {
      method: 'get',
      path: '/workers',
      access: 'host',
      summary: 'Who plays for the store, where it is on a server',
      description: 'The workers that were heard of within the last hour, the oldest first.',
      query: pages,
      status: 200,
      answer: z
        .strictObject({
          items: z.array(workerSchema),
          next: z.string().nullable(),
          server: z.boolean().openapi({ description: 'false: the store is a file, and has no workers' }),
        })
        .openapi('Workers'),
    },
    async ({ site }, { c, query }) => {
      const workers = await workersOfSite(site)
      return answer(c, { ...paged(workers ?? [], query), server: workers !== undefined }, { own: true })
    },
  ),
  route(
    {
      method: 'get',
      path: '/contests/{id}/text',
      access: 'host',
      summary: 'The text of a contest file',
      params: contestId,
      status: 200,
      answer: z.strictObject({ toml: z.string() }),
    },
    async ({ site }, { c, params }) => answer(c, await contestText(site, params.id), { own: true }),
  ),
  route(
    {
      method: 'post',
      path: '/contests/{id}/text',
      access: 'host',
      summary: 'Give a contest another text',
      description:
        'All of it may change before the contest begins; from then on the title, `signup`, `sittings`, `publish`, `entries_per_author` and the house bots. A mistake is reported with its line.',
      params: contestId,
      body: z.object({ toml: z.string() }),
      status: 200,
      answer: contestSchema,
    },
    async ({ site, runner }, { params, body }) => {
      await changeContestText(site, runner, params.id, body.toml)
      return done(200, (await findContest(site, params.id)).facts)
    },
  ),
  ...CONTROLS.map((verb) =>
    route(
      {
        method: 'post',
        path: `/contests/{id}/${verb}`,
        access: 'host',
        summary: SUMMARIES[verb],
        params: contestId,
        status: 200,
        answer: contestSchema,
      },
      async ({ site, runner }, { params }) => {
        await controlContest(site, runner, params.id, verb)
        return done(200, (await findContest(site, params.id)).facts)
      },
    ),
  ),
]
