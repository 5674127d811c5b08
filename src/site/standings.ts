import { z } from '@hono/zod-openapi'
import type { MiddlewareHandler, Context } from 'hono'
import { gameOf, standingsOfRun } from '../app/stored.js'
import { VERSION } from '../app/version.js'
import { withoutPlaces } from '../app/workspace.js'
import { FACTS, type GameDefinition } from '../core/index.js'
import { type ReportDocument, liveDocument } from '../results/index.js'
import type { StoredRun } from '../store/index.js'
import { cellText, csv, escaped, htmlPage, htmlTable, number } from '../text/index.js'
import { OPPONENTS } from '../tournament/index.js'
import { type FoundContest, type Contest, findContest, listContests } from './contests.js'
import type { SiteContext } from './context.js'
import { respondWith, type Keep, answerText, tagOf } from './http/answers.js'
import type { Env } from './http/callers.js'
import { type Infer, faultKind, get, said, object } from './http/route.js'
import type { RatedRun } from '../app/look/rating-worker.js'
import { HOSTED_STATES, isTaken } from './store.js'

/** The end of a 95 % interval that has no other end. */
export const oneSided = z.union([z.strictObject({ below: z.number() }), z.strictObject({ above: z.number() })])

export const standing = z.strictObject({
  name: z.string(),
  points: z.number(),
  matches: z.int(),
  wins: z.int(),
  draws: z.int(),
  losses: z.int(),
  faults: said(z.partialRecord(faultKind, z.int()), 'how often each kind of fault'),
  ...(Object.fromEntries(FACTS.map((fact) => [fact, z.string().optional()])) as FactShape),
  remote: said(z.literal(true).optional(), 'it plays on its author’s machine'),
})
type FactShape = { readonly [fact in (typeof FACTS)[number]]: z.ZodOptional<z.ZodString> }

const standingsSchema = object('Standings', {
  contest: z.string(),
  state: z.enum(HOSTED_STATES),
  matches: said(z.int(), 'that the table counts'),
  columns: said(z.array(z.string()), 'headings of the cells of each row'),
  rows: z.array(
    standing.extend({
      rank: z.int(),
      cells: z.array(z.number().nullable()),
      bound: said(oneSided.optional(), 'of the points, where matches bound them on one side only and there is no ±'),
    }),
  ),
  notes: z.array(z.string()),
})
export type Standings = Infer<typeof standingsSchema>

export async function standingsOfContest(
  { store }: Pick<SiteContext, 'store'>,
  { facts, run }: FoundContest,
): Promise<Standings> {
  const about = { contest: facts.id, state: facts.state }
  if (run === undefined) return { ...about, matches: 0, columns: [], rows: [], notes: [] }
  const { standings, matches: counted } = await standingsOfRun(store, run)
  const counts = new Map((await store.leaderboard(run.id)).map((row) => [row.entrant, row]))
  return {
    ...about,
    matches: counted,
    columns: standings.columns,
    rows: standings.rows.map(({ entrant, ...row }) => {
      const { matches = 0, wins = 0, draws = 0, losses = 0, faults = {} } = counts.get(entrant) ?? {}
      const { rank, name, points, cells, bound } = row
      const { facts: own, remote } = run.entrants[entrant] ?? {}
      return { rank, name, points, cells, bound, matches, wins, draws, losses, faults, ...own, remote }
    }),
    notes: standings.notes,
  }
}

/** The document of a contest's report as it stands, with the ratings that are known; null: nothing has been played. */
export async function reportOfContest(
  source: Pick<SiteContext, 'store' | 'games' | 'workspace'>,
  { run, facts }: FoundContest,
  rated?: RatedRun,
): Promise<ReportDocument | null> {
  if (run === undefined || run.matches === 0) return null
  // A contest of the site may go on with its seed: from it all that is hidden could be computed.
  const seed = facts.hosted || run.state !== 'finished' ? '' : run.seed
  const { standings, crosstable, faults } = await standingsOfRun(source.store, run)
  const entrants = run.entrants.map(({ name, facts: own, remote }) => ({ name, ...own, remote }))
  const { options, format, scoring, limits } = run.contest
  const { id: game } = run.game
  return liveDocument(
    {
      contest: { agon: VERSION, title: facts.title, game, seed, options, format, scoring, limits, entrants },
      standings,
      over: facts.state === 'finished',
      crosstable: crosstable(OPPONENTS),
      rated,
      faults,
      matches: run.matches,
      leftOut: run.mute?.map(({ name, why }) => ({ name, why: withoutPlaces(why, source.workspace) })),
    },
    await siteGameOf(source, run),
  )
}

/** The table of a contest for a spreadsheet: a line an entrant, with when its newest version was sent. */
async function resultsCsv(site: SiteContext, found: FoundContest): Promise<string> {
  const { rows } = await standingsOfContest(site, found)
  const sent = new Map(
    site.site.entries(found.facts.id).map(({ name, created, state }) => [isTaken(state) ? name : '', created]),
  )
  const lines = rows.map((row) => [
    cellText(row.name),
    ...FACTS.map((fact) => cellText(row[fact] ?? '')),
    ...[row.wins, row.draws, row.losses, row.points, row.rank].map(String),
    String(Object.values(row.faults).reduce((sum, n) => sum + n, 0)),
    sent.get(row.name) ?? '',
  ])
  return csv([['name', ...FACTS, 'wins', 'draws', 'losses', 'points', 'rank', 'faults', 'last upload'], ...lines])
}

/** The game of a run, which may be one of the host's own. */
export const siteGameOf = async ({ games }: Pick<SiteContext, 'games'>, run: StoredRun): Promise<GameDefinition> =>
  games.find(({ game }) => game.id === run.game.id) ?? (await gameOf(run, undefined))

const PLAIN = '/api/v1/tables'

const plainPage = (title: string, body: string): Response =>
  respondWith(htmlPage(title, body), 'text/html; charset=utf-8')

function plainTable({ facts }: FoundContest, { rows, columns, notes, matches }: Standings): Response {
  const column = (head: string, cell: (row: Standings['rows'][number]) => number | null | undefined) => ({
    head,
    cells: rows.map((row) => number(cell(row) ?? null)),
    right: true,
  })
  const table = htmlTable([
    column('#', ({ rank }) => rank),
    { head: 'Name', cells: rows.map(({ name }) => name), right: false },
    { head: 'By', cells: rows.map(({ author = '' }) => author), right: false },
    column('Points', ({ points }) => points),
    ...columns.map((head, i) => column(head, ({ cells }) => cells[i])),
    column('Won', ({ wins }) => wins),
    column('Drawn', ({ draws }) => draws),
    column('Lost', ({ losses }) => losses),
  ])
  const lines = [facts.notice ?? '', ...notes].map((text) => `<p>${escaped(text)}</p>\n`)
  const head = `<p><a href="${PLAIN}">Contests</a> · ${facts.state}, ${matches} matches</p>\n`
  return plainPage(facts.title, head + table + lines.join(''))
}

/** Leads to such a table whoever asks for a page with `?plain`. */
export const plainPlace: MiddlewareHandler<Env> = async (c, next) => {
  if (c.req.query('plain') === undefined) return next()
  const [, id] = /^\/contests\/([^/]+)/.exec(c.req.path) ?? []
  return c.redirect(id === undefined ? PLAIN : `${PLAIN}/${id}`)
}

export const standingsRoutes = (site: SiteContext, tables: Tables) => [
  get('/contests/{id}/standings', {
    summary: 'The table of a contest as it stands now',
    answer: standingsSchema,
  }).handler(async ({ c, id }) => {
    const { found, of } = await tables.look(id)
    return tables.answer(c, of, () => standingsOfContest(site, found))
  }),
  get('/contests/{id}/results.csv', {
    summary: 'The table of a contest for a spreadsheet',
    description:
      'A line an entrant: its name, what is said of it, its results, its faults, and when its newest version was sent.',
    media: 'text/csv',
  }).handler(async ({ id, from }) => {
    const { found } = await tables.look(id)
    const text = await site.slow.run(from, () => resultsCsv(site, found))
    return respondWith(text, 'text/csv; charset=utf-8', `${found.facts.id}.csv`)
  }),
  get('/contests/{id}/report', {
    summary: 'The tables of a contest: standings, crosstable, ratings and rounds',
    description:
      'The document of a report, as it stands now; null where nothing has been played. Ratings, chances and rounds are computed aside, while matches are played at most every five seconds: `matches.rated` says on how many of the `matches.total` they rest (0: on none yet, and they are not there).',
    answer: z.strictObject({ report: z.looseObject({ report: z.literal(1) }).nullable() }),
  }).handler(async ({ c, id }) => {
    const { found, of, ratedOf } = await tables.look(id)
    const { run, facts } = found
    const over = facts.state !== 'playing' || run?.state !== 'open'
    const rated = run && site.ratings.of(run, ratedOf, over)
    const sources = JSON.stringify([of, rated?.of])
    return tables.answer(c, sources, async () => ({ report: await reportOfContest(site, found, rated) }))
  }),
  get('/tables', {
    summary: 'The contests as a page without scripts',
    media: 'text/html',
  }).handler(async () => {
    const items = (await tables.contests()).map(
      ({ id, title, state }) => `<li><a href="${PLAIN}/${id}">${escaped(title)}</a> (${state})</li>\n`,
    )
    return plainPage('Contests', `<ul>\n${items.join('')}</ul>\n`)
  }),
  get('/tables/{id}', {
    summary: 'The table of a contest as a page without scripts',
    media: 'text/html',
  }).handler(async ({ id, from }) => {
    const { found } = await tables.look(id)
    return plainTable(found, await site.slow.run(from, () => standingsOfContest(site, found)))
  }),
]

/** Milliseconds for which a look at a contest holds, unless something happens to it, and one at all of them: other processes may play them. */
const LOOK_MS = 250
const LIST_MS = 1000
/** Looks that are kept. */
const LOOKS = 1000
/** Characters of answers after which all that are kept are made anew. */
const KEPT = 64 * 1024 ** 2

interface Look {
  readonly found: FoundContest
  /** A text that changes with all that its tables are made of, and with what its ratings are computed of. */
  readonly of: string
  readonly ratedOf: string
}

/** What takes long to answer: it is made once for all who ask, until what it is made of changes. That is also what its ETag is made of. */
export class Tables {
  private readonly looks = new Map<string, { readonly at: number; readonly look: Promise<unknown> }>()
  /** By address. */
  private readonly kept = new Map<string, { readonly tag: string; readonly text: Promise<string> }>()
  private size = 0

  constructor(private readonly context: SiteContext) {
    context.hub.on('touch', (id) => this.looks.delete(id))
  }

  /** All contests, live ones first. Those that another process plays may be some moments old. */
  contests(): Promise<readonly Contest[]> {
    const hosted = this.context.site.contests().map(({ id, title, state, why, run }) => [id, title, state, why, run])
    return this.within(LIST_MS, JSON.stringify(hosted), () => listContests(this.context))
  }

  /** A contest. One that another process plays may be some moments old. Throws a Refusal where there is none. */
  look(id: string): Promise<Look> {
    return this.within(LOOK_MS, id, async () => {
      const { store } = this.context
      const found = await findContest(this.context, id)
      const { facts, run } = found
      const changes = run && [run.id, run.matches, await store.exclusions(run.id), [...(await store.ruled(run.id))]]
      const ratedOf = JSON.stringify(changes ?? [])
      return { found, of: JSON.stringify([facts.title, facts.state, facts.revision, run?.state, ratedOf]), ratedOf }
    })
  }

  /** Answers with what is made when its turn comes, or was made of the same before. `of`: a text that changes with what it is made of. */
  async answer(c: Context<Env>, of: string, make: () => Promise<unknown>, keep: Keep = {}): Promise<Response> {
    const asked = askedIn(c)
    const tag = tagOf(JSON.stringify([VERSION, asked, of]))
    if (c.req.header('if-none-match')?.includes(tag)) return answerText(c, '', { ...keep, tag })
    const known = this.kept.get(asked)
    if (known?.tag === tag) return answerText(c, await known.text, { ...keep, tag })
    const text = this.context.slow.run(c.get('address'), async () => JSON.stringify(await make()))
    this.kept.set(asked, { tag, text })
    text.catch(() => this.kept.delete(asked))
    this.size += (await text).length
    if (this.size > KEPT) {
      this.kept.clear()
      this.size = 0
    }
    return answerText(c, await text, { ...keep, tag })
  }

  /** Answers with what was made before, and never changes; undefined: it is not kept. */
  async again(c: Context<Env>): Promise<Response | undefined> {
    const kept = this.kept.get(askedIn(c))
    return kept && answerText(c, await kept.text, { tag: kept.tag, final: true })
  }

  /** What was made under this name so many milliseconds ago at most, or is made now. */
  private within<T>(ms: number, name: string, make: () => Promise<T>): Promise<T> {
    const now = performance.now()
    const known = this.looks.get(name)
    if (known !== undefined && now - known.at < ms) return known.look as Promise<T>
    if (this.looks.size >= LOOKS) this.looks.clear()
    const look = make()
    this.looks.set(name, { at: now, look })
    look.catch(() => this.looks.delete(name))
    return look
  }
}

/** What is asked for: a path, and those words of a query that its route knows. */
const askedIn = (c: Context<Env>): string => `${c.req.path}?${JSON.stringify(c.req.valid('query' as never) ?? {})}`
