import { type ReportDocument, type ComputedMatch, liveDocument, computedMatch } from '../../report/index.js'
import type { GameDefinition } from '../../core/index.js'
import type { RunSummary } from '../../store/index.js'
import { gameOf, standOf } from '../stored.js'
import { VERSION } from '../version.js'
import { findContest } from './contests.js'
import type { SiteContext } from './context.js'
import { recordOfMatch } from './matches.js'
import { Refusal } from './refusal.js'

/** A report that was made, and how long that took. */
interface Made {
  /** Of what: the run, its matches, who is out. */
  readonly of: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Milliseconds. */
  readonly took: number
  readonly report: Promise<ReportDocument>
}

/** The share of time that may go into making one run's report again and again. */
const SHARE = 0.1
/** Runs whose reports are kept. */
const KEPT = 20

/** Makes reports of runs while they are played, and keeps them: each is made once for all who look. */
export class LiveReports {
  private readonly made = new Map<string, Made>()

  /**
   * The document of a contest's report as it stands; null: nothing has been played. Where many matches land it may be some seconds
   * old, so that most of the machine is left to the bots. Throws a Refusal where there is no such contest.
   */
  async of(context: SiteContext, id: string): Promise<ReportDocument | null> {
    const { run, facts } = await findContest(context, id)
    if (run === undefined || run.matches === 0) return null
    const exclusions = await context.store.exclusions(run.id)
    const of = JSON.stringify([run.id, run.matches, run.state, exclusions.map(({ name }) => name)])
    const kept = this.made.get(id)
    const now = Date.now()
    if (kept?.of === of || (kept && run.state !== 'finished' && now - kept.at < kept.took / SHARE)) return kept.report
    // A contest of the site may go on with its seed: from it all that is hidden could be computed.
    const seed = facts.hosted || run.state !== 'finished' ? '' : run.seed
    const report = reportOf(context, run, facts.title, seed)
    this.made.delete(id)
    this.made.set(id, { of, at: now, took: 0, report })
    for (const old of [...this.made.keys()].slice(0, -KEPT)) this.made.delete(old)
    report.then(
      () => this.made.set(id, { of, at: Date.now(), took: Date.now() - now, report }),
      () => this.made.delete(id),
    )
    return report
  }
}

async function reportOf(context: SiteContext, run: RunSummary, title: string, seed: string): Promise<ReportDocument> {
  const { store } = context
  const { standings, counting, faults } = await standOf(store, run)
  const { plan, game } = run
  const entrants = plan.names.map((name) => {
    const author = Object.entries(plan.authors ?? {}).find(([one]) => one === name)?.[1]
    return { name, ...(author !== undefined && { author }) }
  })
  const { options, format, scoring, limits } = plan
  return liveDocument(
    {
      contest: { agon: VERSION, title, game, seed, options, format, scoring, limits, entrants },
      standings,
      results: counting,
      faults,
      matches: run.matches,
      ...(plan.leftOut && { leftOut: plan.leftOut.map(({ name, why }) => ({ name, why })) }),
    },
    await siteGameOf(context, run),
  )
}

/**
 * The positions of a match as text, for a page that does not know its game's rules. Throws a Refusal where there is no such match, or
 * others still play with its luck.
 */
export async function positionsOfMatch(context: SiteContext, id: number): Promise<ComputedMatch> {
  const { record } = await recordOfMatch(context, id)
  const { luck } = record
  if (luck === undefined)
    throw new Refusal('forbidden', 'the luck of this match is still played with: look again later')
  const [holding = ''] = await context.store.runsHolding(id)
  const run = await context.store.run(holding)
  if (run === undefined) throw new Refusal('unknown', 'there is no such match')
  const definition = await siteGameOf(context, run)
  return computedMatch(definition, { ...record, luck })
}

/** The game of a run: one that the site was given, or that comes with agon. */
const siteGameOf = async ({ games }: SiteContext, run: RunSummary): Promise<GameDefinition> =>
  games.find(({ game }) => game.id === run.game) ?? (await gameOf(run, undefined))
