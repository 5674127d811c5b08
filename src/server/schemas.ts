import { z } from '@hono/zod-openapi'
import { FAULT_KINDS } from '../core/index.js'
import { ENTRY_STATES, HOSTED_STATES } from '../core/site-facts.js'

/** What the API answers, as schemas: the OpenAPI document is made of them, and the tests hold every answer against them. */
const faultKind = z.enum(FAULT_KINDS)
const time = z.iso.datetime().openapi({ description: 'ISO 8601', example: '2024-05-01T10:00:00.000Z' })
const faultCounts = z.partialRecord(faultKind, z.int()).openapi({ description: 'how often each kind of fault' })
const contestState = z.enum(HOSTED_STATES)

export const list = <T extends z.ZodType>(item: T, name: string) =>
  z
    .strictObject({
      items: z.array(item),
      next: z.string().nullable().openapi({ description: 'the cursor of the next page; null: there is none' }),
    })
    .openapi(name)

export const gameSchema = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    summary: z.string(),
    version: z.int(),
    seats: z.strictObject({ min: z.int(), max: z.int() }),
    options: z.record(z.string(), z.unknown()),
    wires: z.array(z.string()),
    wire: z.string().openapi({ description: 'of a command that names none' }),
    house: z.array(z.string()).openapi({ description: 'the bots that come with it' }),
    actions: z.record(z.string(), z.string()).openapi({ description: 'what each action means' }),
  })
  .openapi('Game')

export const contestSchema = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    game: z.string(),
    state: contestState,
    why: z.string().optional().openapi({ description: 'what keeps it from being played' }),
    format: z.string().optional(),
    entrants: z.array(z.string()),
    matches: z.int().openapi({ description: 'that have been played' }),
    planned: z
      .int()
      .optional()
      .openapi({ description: 'all that it will have, those included; exact, or the most it can become' }),
    left: z.int().optional().openapi({ description: 'seconds until all are played, if it goes on as it did so far' }),
    idle: z
      .literal(true)
      .optional()
      .openapi({ description: 'a ladder on which nothing is left to play until another bot is entered' }),
    budget: z
      .strictObject({
        hourly: z.int().openapi({ description: 'matches that it begins in an hour at most' }),
        until: time,
      })
      .optional()
      .openapi({ description: 'a ladder that waits with its next match, as so many an hour are begun' }),
    series: z
      .strictObject({ playing: z.int(), matches: z.int().openapi({ description: 'of these series together' }) })
      .optional()
      .openapi({ description: 'of bots that remember: the matches of a series count once all are played' }),
    created: time,
    ended: time.optional(),
    hosted: z.boolean().openapi({ description: 'false: it was played from the command line, and is only shown here' }),
    signup: z.boolean().optional().openapi({ description: 'people may become contestants without asking the host' }),
    sittings: z.boolean().optional().openapi({ description: 'false: people cannot play against its entrants' }),
    revision: z.int().openapi({ description: 'raised with each change of who plays' }),
    waits: z.string().optional().openapi({ description: 'why no worker plays it on, where the store is on a server' }),
  })
  .openapi('Contest')

/** The end of a 95 % interval that has no other end. */
export const oneSided = z.union([z.strictObject({ below: z.number() }), z.strictObject({ above: z.number() })])

export const standingsSchema = z
  .strictObject({
    contest: z.string(),
    state: contestState,
    matches: z.int().openapi({ description: 'that the table counts' }),
    columns: z.array(z.string()).openapi({ description: 'headings of the cells of each row' }),
    rows: z.array(
      z.strictObject({
        rank: z.int(),
        name: z.string(),
        points: z.number(),
        cells: z.array(z.number().nullable()),
        bound: oneSided
          .optional()
          .openapi({ description: 'of the points, where matches bound them on one side only and there is no ±' }),
        matches: z.int(),
        wins: z.int(),
        draws: z.int(),
        losses: z.int(),
        faults: faultCounts,
        author: z.string().optional(),
      }),
    ),
    notes: z.array(z.string()),
  })
  .openapi('Standings')

export const matchSchema = z
  .strictObject({
    id: z.int(),
    key: z.string().openapi({ description: 'its place in the tournament', example: '1/Ant-Bee/3' }),
    seats: z.array(
      z.strictObject({
        name: z.string(),
        version: z.int().optional().openapi({ description: 'which version of a bot that was entered played' }),
        place: z.int(),
        faults: z.array(faultKind),
      }),
    ),
    turns: z.int(),
    reason: z.string().openapi({ description: 'why it ended' }),
    at: time,
  })
  .openapi('Match')

export const entrySchema = z
  .strictObject({
    id: z.string(),
    contest: z.string(),
    name: z.string(),
    version: z.int().openapi({ description: 'counted from 1 for each name' }),
    state: z
      .enum(ENTRY_STATES)
      .openapi({ description: 'rejected: the log says why; placed: all its matches have been played' }),
    contestant: z.string().optional().openapi({ description: 'who entered it; absent: the host' }),
    language: z.string().optional(),
    synopsis: z.string().optional(),
    created: time,
    log: z.string().optional().openapi({ description: 'of its build and check; for its owner and the host' }),
  })
  .openapi('Entry')

/** The same of a version that is not accepted, for a caller that has its id and is neither its owner nor the host. */
export const progressSchema = entrySchema
  .pick({ id: true, contest: true, state: true, created: true })
  .openapi('EntryProgress')

export const draftSchema = z
  .strictObject({
    id: z.string(),
    contest: z.string(),
    name: z.string(),
    state: z
      .enum(['building', 'rejected', 'ready'])
      .openapi({ description: 'rejected: the log says why; ready: it can be tried, and submitted' }),
    log: z.string().openapi({ description: 'of its build and check' }),
    until: time.openapi({ description: 'when it is removed' }),
  })
  .openapi('Draft')

export const workerSchema = z
  .strictObject({
    id: z.string(),
    host: z.string(),
    pid: z.int(),
    agon: z.string().openapi({ description: 'its version' }),
    cores: z.int(),
    slots: z.int().openapi({ description: 'jobs that it plays at once' }),
    labels: z.array(z.string()),
    toolchains: z.record(z.string(), z.string()).openapi({ description: 'programs by their versions' }),
    isolation: z.enum(['cells', 'none']).openapi({ description: 'how it holds strangers’ bots' }),
    playing: z.array(z.strictObject({ run: z.string(), contest: z.string(), title: z.string() })),
    matches: z.int().openapi({ description: 'that it has played' }),
    faults: z.int().openapi({ description: 'in these' }),
    since: time,
    heard: time,
    silent: z.number().openapi({ description: 'seconds since it was heard of' }),
    aside: z.string().optional().openapi({ description: 'why it gets no more to play' }),
    token: z.string().optional().openapi({ description: 'the name of its token' }),
  })
  .openapi('Worker')

/** docs/record.md describes it. */
export const recordSchema = z
  .looseObject({
    agon: z.literal(1),
    key: z.string().optional(),
    game: z.string(),
    version: z.int(),
    options: z.record(z.string(), z.unknown()),
    luck: z.looseObject({ seed: z.string(), at: z.int() }),
    field: z.int(),
    seats: z.array(z.strictObject({ entrant: z.string(), wire: z.string(), id: z.int() })),
    ready: z.array(z.unknown()),
    steps: z.array(z.array(z.unknown())),
    times: z.array(z.array(z.array(z.number()))).optional(),
    figures: z.array(z.tuple([z.int(), z.int(), z.string(), z.number()])).optional(),
    outcome: z.looseObject({ place: z.array(z.int()), reason: z.string() }),
  })
  .openapi('Record', { description: 'a match record, as docs/record.md describes it' })

const faultAt = z.strictObject({
  seat: z.int(),
  turn: z.int().openapi({ description: 'counted from 0' }),
  fault: faultKind,
  why: z.string().optional(),
  said: z.string().optional(),
})

const positionsSchema = z
  .looseObject({ boards: z.array(z.string()) })
  .openapi({ description: 'its positions, in a game that does not come with agon' })

export const trialSchema = z
  .strictObject({
    record: recordSchema,
    seat: z.int().openapi({ description: 'of the bot on trial' }),
    faults: z.array(faultAt),
    stderr: z.string().openapi({ description: 'the end of what the bot on trial wrote to its standard error' }),
    positions: positionsSchema.optional(),
  })
  .openapi('Trial')

const outcomeSchema = z.looseObject({ place: z.array(z.int()), reason: z.string() })

export const sittingSchema = z
  .strictObject({
    id: z.string(),
    game: z.string(),
    names: z.array(z.string()).openapi({ description: 'by seat' }),
    seat: z.int().openapi({ description: 'the person’s' }),
    over: z.boolean(),
    view: z.unknown().openapi({ description: 'what there is to decide on; null: nothing now' }),
    legal: z.union([z.array(z.string()), z.looseObject({})]).openapi({
      description: 'the actions that may be chosen, or a shape that describes them; an empty list: none is asked for',
    }),
    events: z
      .array(z.looseObject({ kind: z.enum(['began', 'asked', 'moved', 'fault', 'observed', 'ended']) }))
      .openapi({ description: 'all that the seat has seen and done, from the beginning' }),
    outcome: outcomeSchema.nullable(),
    text: z
      .string()
      .optional()
      .openapi({ description: 'what there is to decide on, in a game that does not come with agon' }),
    record: recordSchema.optional().openapi({ description: 'once it is over' }),
    positions: positionsSchema.optional(),
  })
  .openapi('Sitting')
