import { type Contest, type GameKit, type Result, type Standings, visible } from '../core/index.js'
import { UserError } from '../core/index.js'
import type { ResolvedContest } from '../contest/index.js'
import { type RunEvent, type RunResult, runTournament } from '../engine/index.js'
import { FileJournal, runFolder, saveRun } from '../store/index.js'
import { type Crosstable, createTournament, crosstable } from '../tournament/index.js'
import { admitEntrants } from './admitted.js'
import { claimArchive, writeArchive } from './archive.js'
import { claim } from './claim.js'
import { contestFacts, runDocument } from './document.js'
import { type FaultCount, countFaults } from './faults.js'
import { VERSION } from './manifest.js'
import { type RunOptions, differences, identityOf, idsOf, narrowed, specOf } from './plan.js'
import { Progress } from './progress.js'
import { tell } from './terminal.js'
import { roomsFolder } from './workspace.js'

/** What came of a run. */
export interface Hosted {
  readonly contest: Contest
  readonly kit: GameKit
  readonly seed: string
  /** The archive's folder. */
  readonly out: string
  readonly result: RunResult
  readonly standings: Standings
  readonly crosstable: Crosstable
  readonly faults: FaultCount
  /** The document that --json prints. */
  readonly document: unknown
  /** Milliseconds, set-up included. */
  readonly took: number
}

/** Runs a contest to its end, or to where the signal ends it, and writes its archive. What was done before is not played again. */
export async function hostContest(
  resolved: ResolvedContest,
  options: RunOptions & { jobs: number },
  workspace: string,
  signal: AbortSignal,
): Promise<Hosted> {
  const began = performance.now()
  const { kit } = resolved
  const { contest, entries, wanted } = narrowed(resolved.contest, resolved.entries, options)
  const { id, seed, out, before, nothing } = claim(workspace, resolved.file, kit.game.id, contest.seed, options)
  if (nothing) tell('nothing to go on with: a new run begins')
  const rooms = roomsFolder(workspace)
  try {
    const { entrants, hashes } = await admitEntrants(
      { ...resolved, contest, entries },
      seed,
      workspace,
      rooms.folder,
      options.jobs,
    )
    const spec = specOf(contest, kit, entrants, seed, wanted)
    const tournament = createTournament(spec)
    const identity = identityOf(contest, kit, seed, hashes, options)
    const changed = before === undefined ? [] : differences(before.identity, identity)
    if (changed.length > 0) {
      throw new UserError(
        `${out} cannot be gone on with, as this has changed since it began: ${changed.join(', ')}; put it back, or start again with --fresh`,
      )
    }
    const info = {
      id,
      agon: VERSION,
      contest: resolved.file,
      game: kit.game.id,
      seed,
      out,
      began: before?.began ?? new Date().toISOString(),
      identity,
    }
    saveRun(workspace, { ...info, finished: before?.finished ?? false })
    const facts = contestFacts(resolved, contest, seed)
    claimArchive(out, facts)
    const journal = new FileJournal(runFolder(workspace, id))
    try {
      const watch = new Watch(
        contest.title,
        kit,
        (results) => tournament.standings(results),
        tournament.total(new Map()),
      )
      const result = await runTournament({
        kit,
        options: contest.options,
        tournament,
        entrants,
        ids: idsOf(seed, entrants),
        seed,
        limits: contest.limits,
        jobs: options.jobs,
        journal,
        rooms: rooms.folder,
        signal,
        on: (event) => watch.see(event),
      }).finally(() => watch.end())
      const { faults } = watch
      const standings = tournament.standings(result.results)
      const table = crosstable(
        spec.names,
        contest.scoring,
        result.results.values(),
        standings.rows.map(({ entrant }) => entrant),
      )
      const document = runDocument(contest, kit.game.id, seed, result, standings, faults)
      writeArchive(out, {
        title: contest.title,
        contest: facts,
        document,
        standings,
        crosstable: table,
        faults,
        stderr: result.stderr,
        units: result.units,
        journal,
      })
      if (result.finished) saveRun(workspace, { ...info, finished: true })
      return {
        contest,
        kit,
        seed,
        out,
        result,
        standings,
        crosstable: table,
        faults,
        document,
        took: performance.now() - began,
      }
    } finally {
      journal.close()
    }
  } finally {
    rooms.remove()
  }
}

/** Follows a run: counts faults, and shows how far it is. */
class Watch {
  readonly faults: FaultCount = new Map()
  private readonly results = new Map<string, Result>()
  private readonly progress: Progress
  private reused = 0
  private label = ''

  constructor(
    title: string,
    private readonly kit: GameKit,
    private readonly standings: (results: ReadonlyMap<string, Result>) => Standings,
    private total: number,
  ) {
    this.progress = new Progress(title, () => ({
      done: this.results.size,
      total: this.total,
      reused: this.reused,
      leaders: this.leaders(),
    }))
  }

  see(event: RunEvent): void {
    if (event.type === 'note') return this.progress.note(visible(event.text))
    if (event.type === 'round') {
      this.total = event.total
      this.label = event.round.label
      return
    }
    this.results.set(event.result.key, event.result)
    if (event.reused) this.reused++
    countFaults(this.faults, this.kit, event.record)
  }

  end(): void {
    this.progress.end()
  }

  private leaders(): string {
    const leaders = this.standings(this.results)
      .rows.slice(0, 3)
      .map(({ name, points }) => `${visible(name)} ${points}`)
    return [this.label, leaders.join(', ')].filter((part) => part !== '').join('; ')
  }
}
