import { z } from '@hono/zod-openapi'
import { type GameDefinition, type MatchRecord, didYouMean } from '../core/index.js'
import { games } from '../games/index.js'
import { paced } from '../files/index.js'
import { ownPartsFor } from '../match/index.js'
import { type ComputedMatch, computing } from '../results/index.js'
import type { StoredMatch, StoredRun } from '../store/index.js'
import type { SiteContext } from './context.js'
import { contestFile, type FoundContest } from './contests.js'
import { maySeeEntrant } from './entries.js'
import { answerText, invalid, notFound } from './http/answers.js'
import {
  type Infer,
  arrayOf,
  browsed,
  faultKind,
  get,
  list,
  nextOf,
  object,
  pages,
  said,
  time,
  typed,
} from './http/route.js'
import { siteGameOf, type Tables } from './standings.js'
import type { Caller } from './http/callers.js'

export const recordSchema = typed<MatchRecord>(
  z.looseObject({ agon: z.literal(1) }).openapi('Record', { description: 'docs/record.md describes it' }),
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

/** A game of the host's own: the page does not know it, and is sent texts. */
const strangeGame = (context: Pick<SiteContext, 'games'>, id: string): GameDefinition | undefined =>
  games.some(({ game }) => game.id === id) ? undefined : context.games.find(({ game }) => game.id === id)

/** A view as text, where the page cannot draw it. */
export function textOf(
  context: Pick<SiteContext, 'games'>,
  game: string,
  view: unknown,
  seat: number,
): string | undefined {
  return view === undefined ? undefined : strangeGame(context, game)?.text?.(view, seat)
}

/** The positions of a match as texts; undefined: the page draws them itself. `from`: the address of who asks. */
export async function positionsFor(
  context: Pick<SiteContext, 'games' | 'slow'>,
  record: MatchRecord,
  from: string,
): Promise<ComputedMatch | undefined> {
  const definition = strangeGame(context, record.game)
  return definition && context.slow.run(from, () => paced(computing(definition, record)))
}

export const matchSchema = object('Match', {
  id: z.int(),
  key: z.string().openapi({ description: 'its place in the tournament', example: '1/Ant-Bee/3' }),
  seats: arrayOf({
    name: z.string(),
    version: said(z.int().optional(), 'which version of a bot that was entered played'),
    place: z.int(),
    faults: z.array(faultKind),
  }),
  turns: z.int(),
  reason: said(z.string(), 'why it ended'),
  at: time,
})
export type Match = Infer<typeof matchSchema>

const matchQuery = z
  .object({
    bot: said(z.string().max(100).optional(), 'sat in the match'),
    opponent: said(z.string().max(100).optional(), 'sat in the match, too'),
    result: z.enum(['win', 'draw', 'loss']).optional(),
    fault: z.enum(['any', ...faultKind.options]).optional(),
    least: said(z.coerce.number().int().min(0).optional(), 'turns'),
    most: said(z.coerce.number().int().min(0).optional(), 'turns'),
  })
  .extend(pages.shape)

const matchesSchema = list(matchSchema, 'Matches')
export type MatchList = Infer<typeof matchesSchema>

export async function matchesOfContest(
  { store }: SiteContext,
  { run }: FoundContest,
  { bot, opponent, cursor, limit, ...filter }: z.infer<typeof matchQuery>,
): Promise<MatchList> {
  const asked = browsed({ cursor, limit })
  if (run === undefined) return { items: [], next: null }
  const indexOf = (name: string | undefined): number | undefined => {
    if (name === undefined) return undefined
    const names = run.entrants.map((entrant) => entrant.name)
    if (names.includes(name)) return names.indexOf(name)
    throw invalid(`no entrant ${JSON.stringify(name)}${didYouMean(name, names)}`)
  }
  const [entrant, other] = [indexOf(bot), indexOf(opponent)]
  const page = await store.browse(run.id, { ...filter, ...asked, entrant, opponent: other })
  return { items: page.matches.map((match) => matchFacts(run, match)), next: nextOf(page) }
}

export function matchFacts({ entrants }: StoredRun, match: StoredMatch): Match {
  const { id, key, seats, outcome, at, turns, faults } = match
  return {
    id,
    key,
    turns,
    seats: seats.map((entrant, seat) => {
      const { name = '', version } = entrants[entrant] ?? {}
      const own = faults.flatMap((one) => (one.seat === seat ? [one.fault] : []))
      return { name, version, place: outcome.place[seat] ?? 0, faults: own }
    }),
    reason: outcome.reason,
    at: new Date(at).toISOString(),
  }
}

/** What bots printed of themselves, and their parameters, are for callers that may read their standard error; `final`: all is shown, and never changes. */
async function recordOfMatch(context: SiteContext, id: number, caller: Caller) {
  const { store, site } = context
  const holding = await Promise.all((await store.runsHolding(id)).map((run) => store.run(run)))
  const runs = holding.flatMap((run) => run ?? [])
  const [run] = runs
  if (run === undefined) throw notFound('there is no such match')
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

/** For a page that does not know the game's rules. */
export async function positionsOfMatch(context: SiteContext, id: number): Promise<ComputedMatch> {
  const { record, run } = await recordOfMatch(context, id, { role: 'anonymous' })
  return paced(computing(await siteGameOf(context, run), record))
}

export const matchRoutes = (site: SiteContext, tables: Tables) => [
  get('/contests/{id}/matches', {
    summary: 'Matches of a contest, the newest first',
    description:
      'With `bot`, a result and a fault are those of the bot; without it, `win` is a match with one winner, and a fault is any bot’s. A page looks at a limited number of matches: it may hold fewer items than its limit, or none, and have a next one.',
    query: matchQuery,
    answer: matchesSchema,
  }).handler(async ({ c, id, query }) => {
    const { found, of } = await tables.look(id)
    return tables.answer(c, of, () => matchesOfContest(site, found, query))
  }),
  get('/matches/{id}', {
    summary: 'The record of a match',
    description:
      'A record that is shown whole never changes. What a bot printed of itself (`figures`) is shown to callers who may read its standard error.',
    answer: recordSchema,
  }).handler(async ({ c, id, caller }) => {
    const again = await tables.again(c)
    if (again !== undefined) return again
    const { record, final, own } = await recordOfMatch(site, Number(id), caller)
    return final ? tables.answer(c, '', async () => record, { final }) : answerText(c, JSON.stringify(record), { own })
  }),
  get('/matches/{id}/positions', {
    summary: 'The positions of a match as text',
    description: 'Before the first turn and after each, with the moves by turn and seat.',
    answer: positionsSchema,
  }).handler(async ({ c, id }) => tables.answer(c, '', () => positionsOfMatch(site, Number(id)), { final: true })),
]
