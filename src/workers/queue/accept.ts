import { z } from 'zod'
import { type EntrantSpec, type GameDefinition, MEMORIES, UserError } from '../../core/index.js'
import { refuseLimit, refuseOption } from '../../contest/index.js'
import type { StrangerParcel } from '../../build/index.js'
import type { EntrantSetup, RunSetup } from '../messages.js'
import type { PastJob } from '../../engine/index.js'
import type { BatchData, BatchOutcome, ChainPlace, PostedRun } from './messages.js'

/*
 * Validates what comes from the server's tables, which anyone with access to them could have written: its shape, its options and
 * limits (those that a contest file may give), and that nothing in it is a path of this machine.
 */

/** A schema for each key, those that may be absent too: a key without one does not compile. */
type Keys<Of> = Record<keyof Of, z.ZodType>

const NAME = z.string().max(1000)
const TEXT = z.string().max(100_000)
const LINES = z.array(TEXT).max(1000)
const HASH = z.string().max(200)
const COUNT = z.int().min(0)
const ENTRANTS = 10_000
const JOBS = 10_000
const PAIRINGS = 1_000_000
const LIVED = 2_000_000

const scalar = z.union([z.number(), TEXT, z.boolean()])
const given = z.record(NAME, scalar)

const entrant = z.strictObject({
  name: NAME,
  house: z.boolean(),
  language: TEXT.optional(),
  synopsis: TEXT.optional(),
  warm: z.boolean().optional(),
  version: z.int().optional(),
  strict: z.literal(true).optional(),
  labels: LINES.optional(),
  admitted: z.literal(true),
  wire: NAME,
  memory: z.enum(MEMORIES),
  hash: HASH,
  make: z.strictObject({ build: TEXT, command: TEXT, toolchain: TEXT, output: HASH.optional() }),
} satisfies Keys<EntrantSetup>)

const spec = z.strictObject({
  name: NAME,
  command: LINES.optional(),
  module: TEXT.optional(),
  with: given.optional(),
  class: TEXT.optional(),
  house: NAME.optional(),
  wire: NAME.optional(),
  language: TEXT.optional(),
  build: z.array(LINES).max(100).optional(),
  folder: TEXT.optional(),
  memory: z.enum(MEMORIES).optional(),
  author: TEXT.optional(),
  synopsis: TEXT.optional(),
  deterministic: z.boolean().optional(),
  warm: z.boolean().optional(),
  version: z.int().optional(),
  labels: LINES.optional(),
} satisfies Keys<EntrantSpec>)

const parcel = z.union([
  z.strictObject({ house: NAME, with: given.optional() }),
  z.strictObject({
    spec,
    root: TEXT,
    bases: LINES.min(1),
    main: TEXT.optional(),
    sources: z.array(TEXT).max(5000).optional(),
  } satisfies Keys<StrangerParcel>),
])

const postedRun = z.object({
  agon: NAME,
  setup: z.strictObject({
    game: z.strictObject({ id: NAME, version: z.number() }),
    options: z.record(NAME, z.union([scalar, z.array(scalar).max(100_000)])),
    entrants: z.array(entrant).max(ENTRANTS),
    ids: z.array(z.number()).max(ENTRANTS),
    seed: TEXT,
    source: NAME.optional(),
    limits: z.record(NAME, z.number()),
    steps: z.int().min(1).optional(),
  } satisfies Keys<RunSetup>),
  tournament: HASH,
  hashes: z.array(HASH).max(ENTRANTS),
  parcels: z.array(parcel).max(ENTRANTS),
  strictTiming: z.boolean(),
  trust: z.boolean(),
  mixed: z.literal(true).optional(),
  gameFile: z.strictObject({ name: TEXT, hash: z.string().regex(/^[0-9a-f]{64}$/) }).optional(),
} satisfies Keys<PostedRun>)

const pairing = z.strictObject({ key: TEXT, seats: z.array(COUNT).min(1).max(ENTRANTS), deal: z.int() })
const job = z.strictObject({
  key: TEXT,
  pairings: z.array(pairing).min(1).max(PAIRINGS),
  probe: z.strictObject({ matches: COUNT, declared: z.array(COUNT).max(ENTRANTS) }).optional(),
})
const KEY = z.string().regex(/^[0-9a-f]{32}$/)
const lived = z.strictObject({ key: KEY, entrants: z.array(COUNT).max(ENTRANTS) } satisfies Keys<PastJob>)
const chain = z.strictObject({
  of: NAME,
  count: COUNT,
  last: KEY.or(z.literal('')),
  history: z.array(lived).max(LIVED).optional(),
} satisfies Keys<ChainPlace>)
const batchData = z.object({
  run: NAME,
  jobs: z.array(z.strictObject({ job, disturbed: COUNT })).max(JOBS),
  compare: z.literal(true).optional(),
  chain: chain.optional(),
})

const outcome = z.union([
  z.object({ key: KEY, before: z.literal(true).optional() }),
  z.object({ failure: z.enum(['disturbed', 'busy', 'host', 'mistake', 'fault']), why: TEXT }),
  z.object({ courses: z.array(TEXT).max(2) }),
  z.object({ lost: TEXT }),
  z.object({ back: z.literal(true) }),
])
/** Milliseconds that a batch may say it took: what is far longer would count for ever. */
const TOOK_MS = 7 * 24 * 3_600_000
const batchOutcome = z.object({
  worker: NAME.min(1),
  ms: z.number().min(0).max(TOOK_MS),
  jobs: z.array(outcome).max(JOBS),
})

/** A run as it was posted. Throws UserError for what no agon posts. */
export function acceptRun(posted: unknown): PostedRun {
  const { success, error } = postedRun.safeParse(posted)
  if (success) return posted as PostedRun
  const [issue] = error.issues
  throw new UserError(`the stored run is not valid: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}

/** The data of a batch; undefined: no agon wrote this. */
export const acceptBatch = (data: unknown): BatchData | undefined =>
  batchData.safeParse(data).success ? (data as BatchData) : undefined

/** The outcome of a batch of so many jobs; undefined: no agon wrote this. */
export function acceptOutcome(output: unknown, jobs: number): BatchOutcome | undefined {
  const { success, data } = batchOutcome.safeParse(output)
  return success && data.jobs.length === jobs ? (output as BatchOutcome) : undefined
}

/** Throws UserError for options and limits that no contest file of the game may have. */
export function refuseSetup(definition: GameDefinition, { options, limits }: RunSetup): void {
  const odd = [
    ...Object.entries(options).map(([name, value]) => refuseOption(definition, name, value)),
    ...Object.entries(limits).map(([name, value]) => refuseLimit(definition, name, value)),
  ].find((why) => why !== undefined)
  if (odd !== undefined) throw new UserError(`the run cannot be played as it was posted: ${odd}`)
}
