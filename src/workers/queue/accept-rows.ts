import { z } from 'zod'
import { type Lane, MOST_SLOTS, type WorkerSeen } from './board-rows.js'

/* Rows of workers and lanes. Anyone with access to the tables could have written them: rows of a shape that agon does not write are left out. */

const NAME = z.string().min(1).max(200)
const NAMES = z.array(z.string().max(200)).max(1000)
const COUNT = z.int().min(0)

const worker = z.object({
  id: NAME,
  host: z.string().max(300),
  pid: z.int(),
  agon: z.string().max(100),
  cores: COUNT,
  // Batches are made so small that all slots get some: one worker does not say for how many.
  slots: COUNT.transform((slots) => Math.min(slots, MOST_SLOTS)),
  labels: NAMES,
  toolchains: z.record(z.string().max(200), z.string().max(2000)),
  isolation: z.enum(['cells', 'none']),
  playing: z.array(z.object({ run: z.string().max(200) })).max(1000),
  matches: COUNT,
  faults: COUNT,
  aside: z.string().max(2000).nullable(),
  since: z.date(),
  heard: z.date(),
  silent: z.number(),
})

/** Workers as others see them. */
export const acceptWorkers = (rows: readonly unknown[]): WorkerSeen[] =>
  rows.flatMap((row) => {
    const { success, data } = worker.safeParse(row)
    if (!success) return []
    const { since, heard, aside, ...rest } = data
    const times = { since: since.toISOString(), heard: heard.toISOString() }
    return { ...rest, ...times, aside: aside ?? undefined }
  })

const lane = z.object({
  queue: z.string().regex(/^[\w.-]{1,200}$/),
  run: NAME,
  needs: NAMES,
  urgent: z.boolean(),
  cap: COUNT.nullable(),
  paused: z.boolean(),
  ended: z.boolean(),
  ready: z.boolean(),
  active: COUNT,
})

/** Queues of runs. */
export const acceptLanes = (rows: readonly unknown[]): (Omit<Lane, 'cap'> & { readonly cap: number | null })[] =>
  rows.flatMap((row) => lane.safeParse(row).data ?? [])
