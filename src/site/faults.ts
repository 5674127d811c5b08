import { z } from '@hono/zod-openapi'
import { exchangesOf } from '../app/look/show.js'
import { withoutPlaces } from '../app/workspace.js'
import type { SiteContext } from './context.js'
import type { FoundContest } from './contests.js'
import { playingIn } from './entrants.js'
import { maySeeEntrant } from './entries.js'
import { answer } from './http/answers.js'
import { type ApiRoute, type Infer, entrantOf, get, said } from './http/route.js'
import { cursorOf } from './matches.js'
import { faultKind, siteGameOf } from './standings.js'
import type { Tables } from './tables.js'

const faultsSchema = z
  .strictObject({
    items: z.array(
      z.strictObject({
        match: z.int(),
        turn: said(z.int(), 'counted from 0'),
        kind: faultKind,
        why: z.string().optional(),
        at: z.iso.datetime(),
        exchange: said(
          z.array(z.string()).optional(),
          'what it was sent and what it answered, a line each; for its owner and the host',
        ),
      }),
    ),
    next: z.string().nullable(),
    stderr: said(z.string().optional(), 'the end of what it wrote to standard error; for its owner and the host'),
  })
  .openapi('Faults')
export type BotFaults = Infer<typeof faultsSchema>

/** Faults of one match that are shown. */
const SHOWN = 3

const faultQuery = z.object({
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(50).optional(),
})

/**
 * Faults of an entrant, the newest first; `whole`: with what is for its owner and the host alone. Throws a Refusal where no
 * entrant of the contest has that name.
 */
async function faultsOfEntrant(
  context: SiteContext,
  found: FoundContest,
  name: string,
  { cursor, limit = 10, whole }: z.infer<typeof faultQuery> & { readonly whole: boolean },
): Promise<BotFaults> {
  const { store, workspace } = context
  const { run, entrant } = playingIn(found, name)
  const before = cursor === undefined ? undefined : cursorOf(cursor)
  const page = await store.browse(run.id, { entrant, fault: 'any', limit, before })
  const judging = { definition: await siteGameOf(context, run), limits: run.contest.limits }
  const items: BotFaults['items'][number][] = []
  for (const { id: match, seats, faults, at } of page.matches) {
    const seat = seats.indexOf(entrant)
    const own = faults.filter((fault) => fault.seat === seat).slice(0, SHOWN)
    const turns = own.map(({ turn }) => turn)
    const exchanges = whole ? exchangesOf(judging, await store.recordOf(match), seat, turns) : []
    for (const { turn, fault: kind, why } of own) {
      const lines = exchanges.find((one) => one.turn === turn)?.lines
      const exchange = lines?.map((line) => withoutPlaces(line, workspace))
      items.push({ match, turn, kind, why, at: new Date(at).toISOString(), exchange })
    }
  }
  return {
    items,
    next: page.next === undefined ? null : `p${page.next}`,
    stderr: whole ? withoutPlaces(await store.stderr(run.id, name), workspace) : undefined,
  }
}

/** Where bots were at fault. */
export const faultRoutes = (site: SiteContext, tables: Tables): readonly ApiRoute[] => [
  get(
    '/contests/{id}/entrants/{name}/faults',
    'Faults of an entrant, the newest first',
    {
      description:
        'With what it was sent and answered, and the end of its standard error, for its owner and the host; for all once a contest that says `publish = true` has ended for good.',
      params: entrantOf,
      query: faultQuery,
      answer: faultsSchema,
    },
    async ({ c, params: { id, name }, query, caller, from }) => {
      const { found, of } = await tables.look(id)
      const whole = await maySeeEntrant(site, found.hosted, name, caller)
      const own = caller.role !== 'anonymous'
      const make = () => faultsOfEntrant(site, found, name, { ...query, whole })
      // The owner's view also changes without a new match.
      return whole ? answer(c, await site.slow.run(from, make), { own }) : tables.answer(c, of, make, { own })
    },
  ),
]
