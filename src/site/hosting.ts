import { randomBytes } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import { type Contest, UserError } from '../core/index.js'
import { type LoadedContest, parseHosted } from '../contest/parse.js'
import { display } from '../contest/toml-file.js'
import { TERMS } from '../app/run/same.js'
import { secretSeed } from '../app/run/find.js'
import type { SiteContext } from './context.js'
import { contestFile, contestSchema, findContest, hostedContest, parsedContest } from './contests.js'
import { conflict, invalid, tooLarge } from './http/answers.js'
import { get, list, paged, pages, post } from './http/route.js'
import type { ContestRunner } from './play/contest-runner.js'
import type { Tables } from './standings.js'

const TEXT = 256 * 1024

/** Makes a contest of the text of a contest file; it is not started yet. Throws a Refusal with the line of a mistake. */
export async function createContest(context: SiteContext, toml: string): Promise<{ readonly id: string }> {
  const { contest, definition } = await parsedText(context, toml)
  const id = `${definition.game.id}-${randomBytes(5).toString('hex')}`
  const about = { id, toml, title: contest.title, game: definition.game.id, seed: secretSeed() }
  context.site.addContest(about)
  return { id }
}

/** Reads a contest's text. Its mistakes are Refusals with their line, and without the place that it is taken to lie at. */
async function parsedText(context: SiteContext, toml: string): Promise<LoadedContest> {
  if (toml.length > TEXT) throw tooLarge(`a contest has ${TEXT} characters at most`)
  const file = contestFile(context, 'contest')
  try {
    return await parseHosted(toml, file, context.games)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const text = error.text.replaceAll(display(file), 'contest.toml')
    const line = /^contest\.toml:(\d+): /.exec(String(text))?.[1]
    throw invalid(text, line === undefined ? {} : { line: Number(line) })
  }
}

/** What the host does with a contest, and what that is for. */
const CONTROLS = {
  start: 'Play a contest from now on',
  pause: 'Let a contest begin no more matches; those under way are given up and played again',
  resume: 'Go on with a paused contest',
  finish: 'End a contest or a ladder for good: no bot may enter it, and nothing of it is played any more',
} as const
type ControlVerb = keyof typeof CONTROLS

export async function controlContest(context: SiteContext, runner: ContestRunner, id: string, verb: ControlVerb) {
  const { state, final } = await hostedContest(context, id)
  if (final) throw conflict('it has ended for good: make another contest')
  if (verb === 'finish') return runner.finish(id)
  if (verb === 'pause') {
    if (state !== 'playing') throw conflict(`it is not being played: its state is ${state}`)
    return runner.pause(id)
  }
  if (verb === 'resume' && state !== 'paused' && state !== 'failed')
    throw conflict(`it is not paused: its state is ${state}`)
  if (verb === 'start' && state === 'paused') throw conflict('it is paused: resume it')
  if (verb === 'start' && state === 'finished') throw conflict('it has ended: a new entry starts it again')
  runner.start(id)
}

/** Gives a contest another text. Once it has begun, the settings that decide its matches stay as they are. Throws a Refusal. */
export async function changeContestText(context: SiteContext, runner: ContestRunner, id: string, toml: string) {
  const hosted = await hostedContest(context, id)
  if (hosted.final) throw conflict('it has ended for good: its text stays')
  const { contest, definition } = await parsedText(context, toml)
  const { contest: before } = await parsedContest(context, hosted)
  if (definition.game.id !== hosted.game)
    throw conflict(`its game stays ${hosted.game}: make another contest for another game`)
  const changed = TERMS.filter((name) => JSON.stringify(contest[name]) !== JSON.stringify(before[name]))
  if (hosted.run !== undefined && changed.length > 0)
    throw conflict(`it has begun, so its ${changed.join(', ')} can no longer change: make another contest for that`)
  const { title } = contest
  if (!context.site.changeContest(id, { toml, title }, hosted.revision))
    throw conflict('who plays has just changed: send it again')
  const names = (of: Contest): string => JSON.stringify(of.entrants.map(({ name }) => name))
  if (hosted.state !== 'created' && (hosted.run === undefined || names(contest) !== names(before))) runner.revise(id)
  else context.hub.emit('touch', id)
}

const text = z.strictObject({ toml: z.string() })

export const hostingRoutes = (site: SiteContext, tables: Tables, runner: ContestRunner) => [
  get('/contests', {
    summary: 'The contests, live ones first, then the newest',
    query: pages,
    answer: list(contestSchema, 'Contests'),
  }).handler(async ({ query }) => paged(await tables.contests(), query)),
  get('/contests/{id}', {
    summary: 'A contest',
    answer: contestSchema,
  }).handler(async ({ id }) => (await tables.look(id)).found.facts),
  post('/contests', {
    summary: 'Make a contest of a contest file',
    access: 'host',
    description:
      'The text is that of a contest file (docs/contest-file.md) that names house bots, or no entrants yet. A mistake is reported with its line.',
    body: z.object({ toml: z.string() }),
    status: 201,
    answer: z.strictObject({ id: z.string() }),
  }).handler(({ body }) => createContest(site, body.toml)),
  get('/contests/{id}/text', {
    summary: 'The text of a contest file',
    access: 'host',
    answer: text,
    own: 'each',
  }).handler(async ({ id }) => ({ toml: (await hostedContest(site, id)).toml })),
  post('/contests/{id}/text', {
    summary: 'Give a contest another text',
    access: 'host',
    description:
      'All of it may change before the contest begins; from then on the title, `notice`, `signup`, `sittings`, `publish`, `remote`, `reconnect`, `entries_per_author` and the house bots. A mistake is reported with its line.',
    body: z.object({ toml: z.string() }),
    answer: contestSchema,
  }).handler(async ({ id, body }) => {
    await changeContestText(site, runner, id, body.toml)
    return (await findContest(site, id)).facts
  }),
  ...(Object.keys(CONTROLS) as ControlVerb[]).map((verb) =>
    post(`/contests/{id}/${verb}`, {
      summary: CONTROLS[verb],
      access: 'host',
      answer: contestSchema,
    }).handler(async ({ id }) => {
      await controlContest(site, runner, id, verb)
      return (await findContest(site, id)).facts
    }),
  ),
]
