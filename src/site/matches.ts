import { z } from '@hono/zod-openapi'
import { type MatchRecord, didYouMean } from '../core/index.js'
import { paced } from '../files/index.js'
import { ownPartsFor } from '../match/index.js'
import { type ComputedMatch, computing } from '../results/index.js'
import type { StoredMatch, StoredRun } from '../store/index.js'
import type { SiteContext } from './context.js'
import { contestFile, type FoundContest } from './contests.js'
import { maySeeEntrant } from './entries.js'
import { answerText, Refusal } from './http/answers.js'
import {
  type ApiRoute,
  type Infer,
  LIMIT,
  cursor,
  cursorOf,
  get,
  limit,
  list,
  said,
  time,
  typed,
} from './http/route.js'
import { faultKind, siteGameOf } from './standings.js'
import type { Tables } from './tables.js'
import type { Caller } from './http/callers.js'

export const matchSchema = z
  .strictObject({
    id: z.int(),
    key: z.string().openapi({ description: 'its place in the tournament', example: '1/Ant-Bee/3' }),
    seats: z.array(
      z.strictObject({
        name: z.string(),
        version: said(z.int().optional(), 'which version of a bot that was entered played'),
        place: z.int(),
        faults: z.array(faultKind),
      }),
    ),
    turns: z.int(),
    reason: said(z.string(), 'why it ended'),
    at: time,
  })
  .openapi('Match')
export type Match = Infer<typeof matchSchema>

/** docs/record.md describes it. */
export const recordSchema = typed<MatchRecord>(
  z
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
      limits: z.looseObject({ bank: z.number() }).optional(),
      clock: z.array(z.array(z.number())).optional(),
      figures: z.array(z.tuple([z.int(), z.int(), z.string(), z.number()])).optional(),
      outcome: z.looseObject({ place: z.array(z.int()), reason: z.string() }),
    })
    .openapi('Record', {
      description: 'a match record, as docs/record.md describes it',
    }),
)

export const positionsSchema = typed<ComputedMatch>(
  z.strictObject({
    boards: z.array(z.string()),
    figures: said(z.array(z.array(z.string())).optional(), 'by position and seat, where the game has figures'),
    pictures: said(
      z.array(z.string()).optional(),
      'by position, where the game draws pictures: SVG or HTML of its designer, to be shown in a sandboxed frame',
    ),
    moves: z.array(z.array(z.union([z.string(), z.looseObject({ fault: faultKind })]).nullable())),
  }),
)

const matchQuery = z.object({
  bot: said(z.string().max(100).optional(), 'sat in the match'),
  opponent: said(z.string().max(100).optional(), 'sat in the match, too'),
  result: z.enum(['win', 'draw', 'loss']).optional(),
  fault: z.enum(['any', ...faultKind.options]).optional(),
  least: said(z.coerce.number().int().min(0).optional(), 'turns'),
  most: said(z.coerce.number().int().min(0).optional(), 'turns'),
  cursor,
  limit,
})

const matchesSchema = list(matchSchema, 'Matches')
export type MatchList = Infer<typeof matchesSchema>

/** Matches of a contest, the newest first. Throws a Refusal for a name or a cursor that is none. */
export async function matchesOfContest(
  context: SiteContext,
  { facts, run }: FoundContest,
  { bot, opponent, cursor: at, limit: most = LIMIT, ...filter }: z.infer<typeof matchQuery>,
): Promise<MatchList> {
  const before = at === undefined ? undefined : cursorOf('p', at)
  if (run === undefined) return { items: [], next: null }
  const entrant = bot === undefined ? undefined : entrantOf(run, bot)
  const other = opponent === undefined ? undefined : entrantOf(run, opponent)
  const page = await context.store.browse(run.id, { ...filter, entrant, opponent: other, before, limit: most })
  const versions = await versionsOf(context, facts.id, run)
  return {
    items: page.matches.map((match) => matchFacts(run, match, versions)),
    next: page.next === undefined ? null : `p${page.next}`,
  }
}

/** By name: which version of a bot that was entered plays in a run of the contest. */
export async function versionsOf(
  { site }: Pick<SiteContext, 'site'>,
  contest: string,
  run: StoredRun,
): Promise<ReadonlyMap<string, number>> {
  const hashes = new Map(run.entrants.map(({ name, hash }) => [name, hash]))
  const entered = site.entries(contest)
  return new Map(
    entered.flatMap(({ name, version, hash }) =>
      hash !== undefined && hashes.get(name) === hash ? [[name, version]] : [],
    ),
  )
}

export function matchFacts(
  { entrants }: StoredRun,
  { id, key, seats, outcome, at, turns, faults }: StoredMatch,
  versions: ReadonlyMap<string, number>,
): Match {
  return {
    id,
    key,
    turns,
    seats: seats.map((entrant, seat) => {
      const name = entrants[entrant]?.name ?? ''
      const own = faults.flatMap((one) => (one.seat === seat ? [one.fault] : []))
      return { name, version: versions.get(name), place: outcome.place[seat] ?? 0, faults: own }
    }),
    reason: outcome.reason,
    at: new Date(at).toISOString(),
  }
}

/**
 * The record of a match by its number, and a run that holds it. What a bot printed of itself, and its parameters, are left out for callers that
 * may not read its standard error. `final`: it is shown whole, and never changes; `own`: others may be shown less.
 */
async function recordOfMatch(context: SiteContext, id: number, caller: Caller) {
  const { store, site } = context
  const holding = await Promise.all((await store.runsHolding(id)).map((run) => store.run(run)))
  const runs = holding.flatMap((run) => run ?? [])
  const [run] = runs
  if (run === undefined) throw new Refusal('unknown', 'there is no such match')
  const record = await store.recordOf(id)
  if (record.figures === undefined && record.with === undefined) return { record, run, final: true, own: false }
  const files = new Set(runs.map(({ file }) => file))
  const contests = site.contests().filter((hosted) => files.has(contestFile(context, hosted.id)))
  const maySee = await Promise.all(
    record.seats.map(async ({ entrant }) => {
      for (const hosted of contests) if (await maySeeEntrant(context, hosted, entrant, caller)) return true
      return caller.role === 'host'
    }),
  )
  // Those of a bot are shown to more people once its contest is published.
  const shown = ownPartsFor(record, (seat) => maySee[seat] === true)
  return { record: shown, run, final: false, own: caller.role !== 'anonymous' }
}

/** The positions of a match as text, for a page that does not know its game's rules; they never change. Throws a Refusal where there is no such match. */
export async function positionsOfMatch(context: SiteContext, id: number): Promise<ComputedMatch> {
  const { record, run } = await recordOfMatch(context, id, { role: 'anonymous' })
  return paced(computing(await siteGameOf(context, run), record))
}

function entrantOf({ entrants }: StoredRun, name: string): number {
  const names = entrants.map((entrant) => entrant.name)
  const index = names.indexOf(name)
  if (index < 0) throw new Refusal('invalid', `no entrant ${JSON.stringify(name)}${didYouMean(name, names)}`)
  return index
}

export const matchRoutes = (site: SiteContext, tables: Tables): readonly ApiRoute[] => [
  get(
    '/contests/{id}/matches',
    'Matches of a contest, the newest first',
    {
      description:
        'With `bot`, a result and a fault are those of the bot; without it, `win` is a match with one winner, and a fault is any bot’s. A page looks at a limited number of matches: it may hold fewer items than its limit, or none, and have a next one.',
      query: matchQuery,
      answer: matchesSchema,
    },
    async ({ c, id, query }) => {
      const { found, of } = await tables.look(id)
      return tables.answer(c, of, () => matchesOfContest(site, found, query))
    },
  ),
  get(
    '/matches/{id}',
    'The record of a match',
    {
      description:
        'A record that is shown whole never changes. What a bot printed of itself (`figures`) is shown to callers who may read its standard error.',
      answer: recordSchema,
    },
    async ({ c, id, caller }) => {
      const again = await tables.again(c)
      if (again !== undefined) return again
      const { record, final, own } = await recordOfMatch(site, Number(id), caller)
      return final
        ? tables.answer(c, '', async () => record, { final })
        : answerText(c, JSON.stringify(record), { own })
    },
  ),
  get(
    '/matches/{id}/positions',
    'The positions of a match as text',
    {
      description: 'Before the first turn and after each, with the moves by turn and seat.',
      answer: positionsSchema,
    },
    async ({ c, id }) => tables.answer(c, '', () => positionsOfMatch(site, Number(id)), { final: true }),
  ),
]
