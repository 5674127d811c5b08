import { type Run, spelled } from '../../core/index.js'
import type { BotIsolation } from '../../build/index.js'
import { type ResolvedContest, gameFile } from '../../contest/index.js'
import { isChanceless } from '../../match/index.js'
import type { Store } from '../../store/index.js'
import { createTournament } from '../../tournament/index.js'
import { openResults, reserveResults } from '../../results/write.js'
import type { Context } from '../context.js'
import type { Jobs } from '../jobs.js'
import { VERSION } from '../version.js'
import { type Admitted, type LeftOut, admitEntrants, muteOf } from './admit.js'
import { contestFacts } from './document.js'
import { type FoundRun, acquireRunLease, clearReplaced, findRun } from './find.js'
import { keptText, mendedText, noteBeginning, ownDealsText } from './notes.js'
import { ASKED, type RunOptions, type RunPlace } from './options.js'
import { entrantChanges, sourceOf, tournamentOf } from './same.js'
import { specOf } from './spec.js'

/** A run that the store has, and that may be played: its entrants were built here. */
export interface PlannedRun {
  readonly run: Run
  readonly leftOut: readonly LeftOut[]
  readonly isolation: BotIsolation
  /** Nothing of it was there before. */
  readonly isNew: boolean
}

/**
 * Finds the run that is meant, admits its entrants, and makes it known to the store and its results folder its own. `onAdmitted`: it is
 * settled who plays. A format that does not fit throws before anything is begun.
 */
export async function planRun(
  resolved: ResolvedContest,
  options: RunOptions & Jobs,
  place: RunPlace,
  context: Context,
  onAdmitted: () => void,
): Promise<PlannedRun> {
  const { store } = place
  const found = await findRun(store, resolved, options)
  reserveResults([found.out])
  await acquireRunLease(store, found.id)
  noteBeginning(resolved, found, context)
  context.signal?.throwIfAborted()
  const admitted = await admitEntrants(resolved, { found, options, place }, context)
  context.signal?.throwIfAborted()
  onAdmitted()
  const run = runOf(resolved, found, admitted, options)
  createTournament(specOf(run))
  await enroll(run, found, resolved, store, context)
  const names = new Set(run.entrants.map(({ name }) => name))
  for (const one of options.excluded ?? []) if (names.has(one.name)) await store.exclude(run.id, one)
  if (options.results !== false) await openResults(run.out, contestFacts(resolved, run))
  const { leftOut, isolation } = admitted
  return { run, leftOut, isolation, isNew: found.before === undefined }
}

/** The run of a contest. One that goes on is of the game, and by the schedule, with which it began. */
function runOf(
  { contest: whole, definition, file }: ResolvedContest,
  { id, seed, out, before }: FoundRun,
  { entrants, leftOut }: Admitted,
  options: RunOptions,
): Run {
  // Those that were admitted stand beside it.
  const { entrants: _, ...contest } = whole
  const { game } = definition
  const own = gameFile(definition)
  const chanceless = contest.format.playoff > 0 && isChanceless(definition, contest.options, 2)
  const asked = Object.fromEntries(
    ASKED.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  )
  const mute = muteOf(leftOut)
  const run = {
    id,
    agon: VERSION,
    file,
    contest,
    game: before
      ? { ...before.game, version: game.version, file: own }
      : {
          id: game.id,
          version: game.version,
          file: own,
          source: sourceOf(definition),
          seats: game.seats,
          scores: game.scores,
          chanceless: chanceless ? true : undefined,
        },
    seed,
    out,
    began: before?.began ?? new Date().toISOString(),
    entrants,
    mute: mute.length > 0 ? mute : undefined,
    history: before ? before.history : options.history,
    asked,
  }
  return { ...run, tournament: tournamentOf(run) }
}

/** Makes a run known to the store: a new one, or one that goes on, as it was or with others. */
async function enroll(
  run: Run,
  found: FoundRun,
  { contest, definition }: ResolvedContest,
  store: Store,
  { notice, spell }: Context,
): Promise<void> {
  const { before } = found
  if (before === undefined) {
    const ownDeals = ownDealsText(contest, definition, run.entrants)
    if (ownDeals !== undefined) notice(ownDeals)
    await clearReplaced(store, run, found)
    return store.addRun(run)
  }
  const changes = entrantChanges(before, run)
  notice(await keptText(store, before, changes))
  if (before.game.source !== sourceOf(definition)) notice(spelled(mendedText(before), spell))
  await store.note(run.id, 'went on', {})
  if (changes === undefined && found.moved !== true) await store.setState(run.id, 'open')
  else await store.changeRun(run, { ...changes })
}
