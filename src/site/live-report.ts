import { type ComputedMatch, type ReportDocument, computing, liveDocument } from '../results/index.js'
import type { GameDefinition } from '../core/index.js'
import { paced } from '../files/index.js'
import type { StoredRun } from '../store/index.js'
import { OPPONENTS } from '../tournament/index.js'
import { gameOf, standingsOfRun } from '../app/stored.js'
import { VERSION } from '../app/version.js'
import type { FoundContest } from './found-contest.js'
import type { SiteContext } from './context.js'
import { recordOfMatch } from './matches.js'
import type { RatedRun } from './play/rate-run.js'
import { Refusal } from './refusal.js'

/** The document of a contest's report as it stands, with the ratings that are known; null: nothing has been played. */
export async function reportOfContest(
  source: Pick<SiteContext, 'store' | 'games'>,
  { run, facts }: FoundContest,
  rated?: RatedRun,
): Promise<ReportDocument | null> {
  if (run === undefined || run.matches === 0) return null
  // A contest of the site may go on with its seed: from it all that is hidden could be computed.
  const seed = facts.hosted || run.state !== 'finished' ? '' : run.seed
  const { standings, crosstable, faults } = await standingsOfRun(source.store, run)
  const entrants = run.entrants.map(({ name, facts: { author } }) => ({ name, author }))
  const { options, format, scoring, limits } = run.contest
  const { id: game } = run.game
  return liveDocument(
    {
      contest: { agon: VERSION, title: facts.title, game, seed, options, format, scoring, limits, entrants },
      standings,
      crosstable: crosstable(OPPONENTS),
      rated,
      faults,
      matches: run.matches,
      leftOut: run.mute?.map(({ name, why }) => ({ name, why })),
    },
    await siteGameOf(source, run),
  )
}

/**
 * The positions of a match as text, for a page that does not know its game's rules; they never change. Throws a Refusal where there is no
 * such match.
 */
export async function positionsOfMatch(context: SiteContext, id: number): Promise<ComputedMatch> {
  const { record } = await recordOfMatch(context, id, { role: 'anonymous' })
  const [holding = ''] = await context.store.runsHolding(id)
  const run = await context.store.run(holding)
  if (run === undefined) throw new Refusal('unknown', 'there is no such match')
  const definition = await siteGameOf(context, run)
  return paced(computing(definition, record))
}

/** The game of a run: one that the site was given, or that comes with agon. */
export const siteGameOf = async ({ games }: Pick<SiteContext, 'games'>, run: StoredRun): Promise<GameDefinition> =>
  games.find(({ game }) => game.id === run.game.id) ?? (await gameOf(run, undefined))
