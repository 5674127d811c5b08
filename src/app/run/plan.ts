import type { Run } from '../../core/index.js'
import type { BotIsolation } from '../../build/index.js'
import { type ResolvedContest, gameFile } from '../../contest/index.js'
import { isChanceless } from '../../match/index.js'
import { createTournament } from '../../tournament/index.js'
import { clearResults, openResults, reserveResults } from '../../results/write.js'
import { VERSION } from '../version.js'
import { type Admitted, admitEntrants } from './admit.js'
import { type FoundRun, acquireRunLease, findRun } from './find.js'
import { firstLookText, keptText, mendedText, otherGameText, ownDealsText, shortSeed } from './notes.js'
import { ASKED, type LeftOut, type RunOptions, type RunWork } from './options.js'
import { entrantChanges, isSameGame, sourceOf, tournamentOf } from './same.js'
import { specOf } from './spec.js'

/** A run that the store has, and that may be played: its entrants were built here. */
export interface PlannedRun extends RunWork {
  readonly run: Run
  readonly leftOut: readonly LeftOut[]
  readonly isolation: BotIsolation
  readonly isNew: boolean
}

/** Finds the run that is meant, admits its entrants, and makes it known to the store. A format that does not fit throws before anything is begun. */
export async function planRun(work: RunWork): Promise<PlannedRun> {
  const { resolved, options, context, store, note, on } = work
  const found = await findRun(store, resolved, options)
  const { before, other } = found
  reserveResults([found.out])
  await acquireRunLease(store, found.id)
  const short = before === undefined ? shortSeed(found.seed, resolved.entries) : undefined
  if (resolved.fullRepetitions !== undefined) note(firstLookText(resolved.contest, resolved.fullRepetitions))
  if (short !== undefined) note(short)
  if (other !== undefined) note(otherGameText(other))
  if (options.resume && before === undefined) note('nothing to resume: a new run begins')
  context.signal?.throwIfAborted()
  const admitted = await admitEntrants(work, found)
  context.signal?.throwIfAborted()
  on({ type: 'admitted' })
  const run = runOf(resolved, found, admitted, options)
  createTournament(specOf(run))
  await enroll(run, found, work)
  const names = new Set(run.entrants.map(({ name }) => name))
  for (const one of options.excluded ?? []) if (names.has(one.name)) await store.exclude(run.id, one)
  if (options.results !== false) await openResults(run.out, contestFacts(resolved, run))
  const { leftOut, isolation } = admitted
  return { ...work, run, leftOut, isolation, isNew: before === undefined }
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
  const now = { id: game.id, version: game.version, file: gameFile(definition) }
  const chanceless = contest.format.playoff > 0 && isChanceless(definition, contest.options, 2) ? true : undefined
  const mute = leftOut.flatMap(({ name, why, mute: hash }) => (hash === undefined ? [] : [{ name, why, hash }]))
  const run = {
    id,
    agon: VERSION,
    file,
    contest,
    game: before
      ? { ...before.game, ...now }
      : { ...now, source: sourceOf(definition), seats: game.seats, scores: game.scores, chanceless },
    seed,
    out,
    began: before?.began ?? new Date().toISOString(),
    entrants,
    mute: mute.length > 0 ? mute : undefined,
    history: before ? before.history : options.history,
    asked: Object.fromEntries(
      ASKED.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const])),
    ),
  }
  return { ...run, tournament: tournamentOf(run) }
}

async function enroll(run: Run, found: FoundRun, { resolved, options, store, note }: RunWork): Promise<void> {
  const { before } = found
  const { contest, definition } = resolved
  if (before === undefined) {
    const ownDeals = ownDealsText(contest, definition, run.entrants)
    if (ownDeals !== undefined) note(ownDeals)
    // Matches of the same game stay in the store.
    const { replaced } = found
    if (replaced !== undefined) await store.removeRun(replaced.id, isSameGame(replaced, run) ? 'keep' : undefined)
    if (options.fresh) clearResults(run.out)
    return store.addRun(run)
  }
  const changes = entrantChanges(before, run)
  note(await keptText(store, before, changes))
  if (before.game.source !== sourceOf(definition)) note(mendedText(before))
  await store.note(run.id, 'went on', {})
  const isMoved = options.out !== undefined && run.out !== before.out
  if (changes === undefined && !isMoved) await store.setState(run.id, 'open')
  else await store.changeRun(run, { ...changes })
}

/** contest.json: what was played, for people and for `agon verify`. */
export const contestFacts = (
  { contest, file }: Pick<ResolvedContest, 'contest' | 'file'>,
  { agon, game, seed, entrants }: Pick<Run, 'agon' | 'game' | 'seed' | 'entrants'>,
): Readonly<Record<string, unknown>> => ({
  agon,
  ...contest,
  // A language that an entrant does not name is told by its files, which were looked at since.
  entrants: contest.entrants.map((spec) => {
    return { ...spec, language: spec.language ?? entrants.find(({ name }) => name === spec.name)?.facts.language }
  }),
  game: game.id,
  version: game.version,
  seed,
  contestFile: file,
  // A game that does not come with agon is loaded again to judge its records.
  gameFile: game.file,
})
