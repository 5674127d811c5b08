import * as z from 'zod'
import { FACTS, MEMORIES, UserError } from '../core/index.js'
import { outcome, scalar } from '../match/schema.js'
import { FORMAT_KINDS } from '../tournament/index.js'
import { EXCLUSIONS, type RunDump, RUN_STATES, isBelow } from '../store/index.js'

const key = z.string().regex(/^[0-9a-f]{32}$/)
const count = z.int().nonnegative()
const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'no time')
/** A text that every store's columns return: SQLite's ends at a NUL, and half a surrogate pair is no character. */
const whole = z.string().refine((text) => !/\0|\p{Cs}/u.test(text), 'has a NUL, or half of a surrogate pair')

export const digestSchema = z.strictObject({
  run: z.string(),
  seed: z.string(),
  tournament: key,
  matches: count,
  /** SHA-256 over its files' names and contents, in hexadecimal. */
  digest: z.string().regex(/^[0-9a-f]{64}$/),
})
export type Digest = z.infer<typeof digestSchema>

/** A bot's files: names below its folder, contents in base64. Every key is checked, also one called __proto__. */
const snapshot = z.custom<Record<string, string>>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(value).every(
      ([path, text]) => isBelow(path) && typeof text === 'string' && /^[A-Za-z0-9+/]*={0,2}$/.test(text),
    ),
  'not files below a folder',
)

const names = z.array(z.string())
/** A contest's format and scoring, as far as they are computed with. */
export const format = z.looseObject({
  kind: z.enum(FORMAT_KINDS),
  repetitions: count,
  swap: z.boolean(),
  playoff: count,
  size: count.optional(),
  rounds: count.optional(),
  places: count.optional(),
  placing: count.optional(),
  challengers: names.optional(),
  seeding: z.enum(['order', 'lot']).optional(),
  self: z.boolean().optional(),
  settle: z
    .looseObject({ top: count.optional(), confidence: z.number().optional(), budget: count.optional() })
    .optional(),
})
export const scoring = z.looseObject({
  by: z.enum(['wins', 'score']).optional(),
  per: z.enum(['match', 'turn']).optional(),
  of: z.enum(['mean', 'total']).optional(),
  points: z.array(z.number()).optional(),
  win: z.number(),
  draw: z.number(),
  loss: z.number(),
  ties: z.array(z.looseObject({ tally: z.string(), of: z.enum(['all', 'won']), name: z.string() })),
})
export const exclusion = z.strictObject({
  name: z.string(),
  status: z.enum(EXCLUSIONS),
  treatment: z.enum(['void', 'lost']),
  why: z.string(),
})

/** A contest's rules, as far as they are computed with. */
const contest = z.looseObject({
  title: whole,
  options: z.record(z.string(), z.union([scalar, z.array(scalar)])),
  format,
  scoring,
  limits: z.record(z.string(), z.number()),
  only: names.optional(),
  against: names.optional(),
  maxFaults: count.optional(),
})

const game = z.strictObject({
  id: whole,
  version: z.int(),
  file: whole.optional(),
  source: whole.optional(),
  seats: z.strictObject({ min: z.int().positive(), max: z.int().positive() }),
  scores: z.strictObject({ min: z.number(), max: z.number() }).optional(),
  chanceless: z.boolean().optional(),
})

const entrant = z.strictObject({
  name: whole.min(1),
  version: count.optional(),
  facts: z.partialRecord(z.enum(FACTS), z.string()),
  hash: whole,
  house: z.boolean(),
  source: whole,
  build: whole,
  command: whole,
  toolchain: whole,
  output: whole.optional(),
  wire: whole,
  memory: z.enum(MEMORIES),
  strict: z.boolean().optional(),
  warm: z.boolean().optional(),
  with: z.record(z.string(), scalar).optional(),
  labels: names.optional(),
  remote: z.literal(true).optional(),
})

const dumpSchema = z.strictObject({
  agonArchive: z.int(),
  run: z.strictObject({
    id: z.string().regex(/^[\w.-]{1,100}$/),
    agon: whole,
    file: whole,
    contest,
    game,
    seed: whole,
    tournament: key,
    out: whole,
    began: time,
    ended: time.optional(),
    state: z.enum(RUN_STATES),
    mute: z.array(z.strictObject({ name: z.string(), why: z.string(), hash: z.string() })).optional(),
    history: z.array(z.tuple([z.string(), z.string(), z.number()])).optional(),
    asked: z.record(z.string(), scalar).optional(),
  }),
  entrants: z.array(entrant),
  exclusions: z.array(exclusion),
  rulings: z.array(z.strictObject({ place: z.string(), outcome, why: z.string() })),
  ratings: z.array(
    z.strictObject({ entrant: count, kind: z.string(), value: z.number(), low: z.number(), high: z.number() }),
  ),
  log: z.array(
    z.strictObject({ at: time, agon: z.string(), what: z.string(), detail: z.record(z.string(), z.unknown()) }),
  ),
  kept: z.array(
    z.strictObject({
      tournament: key,
      entrant: z.string(),
      kept: z.strictObject({ now: snapshot, start: snapshot.optional() }),
    }),
  ),
  stderr: z.custom<Record<string, string>>(
    (value) =>
      typeof value === 'object' && value !== null && Object.values(value).every((text) => typeof text === 'string'),
    'not texts by name',
  ),
})

/** Reads run.json. Throws UserError or Error, in words for a person, for what `agon export` does not write. */
export function dumpOf(data: unknown, version: number): RunDump {
  const form: unknown =
    typeof data === 'object' && data !== null && 'agonArchive' in data ? data.agonArchive : undefined
  if (typeof form === 'number' && form !== version)
    throw new UserError(`the archive has format ${form}; this agon reads format ${version}`)
  const parsed = dumpSchema.safeParse(data)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new Error(`run.json: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}`)
  }
  // Not the checker's copy, which would lack a bot or a file called __proto__.
  const { agonArchive: _form, ...dump } = data as RunDump & { agonArchive: number }
  return dump
}
