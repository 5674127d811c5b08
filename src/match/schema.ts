import * as z from 'zod'
import { FIGURE_NAME, TROUBLES } from '../core/index.js'

// Apart from text.ts: the package's declarations reach that file, and zod's types ask for those of Node.js.

const count = z.int().nonnegative()
const ms = z.number().nonnegative()
const output = z.strictObject({
  out: z.string().optional(),
  exit: z.int().optional(),
  file: z.string().optional(),
  trouble: z.enum(TROUBLES).optional(),
  why: z.string().optional(),
})
export const scalar = z.union([z.number(), z.string(), z.boolean()])
export const outcome = z.strictObject({
  place: z.array(z.int().positive()),
  score: z.array(z.number()).optional(),
  reason: z.string(),
  tally: z.record(z.string(), z.array(z.number())).optional(),
})
export const record = z.strictObject({
  agon: z.literal(1),
  key: z.string().optional(),
  game: z.string(),
  version: z.int(),
  options: z.record(z.string(), z.union([scalar, z.array(scalar)])),
  luck: z.strictObject({ seed: z.string(), at: count, tape: z.array(z.union([z.string(), z.number()])).optional() }),
  field: count,
  seats: z.array(z.strictObject({ entrant: z.string(), wire: z.string(), id: z.int() })),
  ready: z.array(z.tuple([count, output])),
  steps: z.array(z.array(z.tuple([count, z.union([z.string(), output])]))),
  times: z
    .array(z.array(z.union([z.tuple([count]), z.tuple([count, count]), z.tuple([count, count, count])])))
    .optional(),
  limits: z.strictObject({ turn: ms.optional(), bank: ms, increment: ms.optional() }).optional(),
  clock: z.array(z.array(count)).optional(),
  undrawn: z.array(count).optional(),
  figures: z.array(z.tuple([count, count, z.string().max(FIGURE_NAME), z.number()])).optional(),
  with: z.array(z.record(z.string(), scalar).nullable()).optional(),
  outcome,
})
