import { createHash } from 'node:crypto'
import { BusyError, UserError, spelled, wordingOf } from '../../core/index.js'
import { distrust, removeTree } from '../../files/index.js'
import { type Exclusion, FullDisk } from '../../store/index.js'
import type { HostedContest, HostedState, SiteEntry } from '../db/site-store.js'
import { runParsed } from '../../app/run/run.js'
import { withFlags } from '../../app/run/parse.js'
import { shortSeed } from '../../app/run/notes.js'
import { jobsOf } from '../../app/jobs.js'
import type { RunOptions } from '../../app/run/options.js'
import { type LoadedHosted, contestFile, loadHosted, takenIn, termsHash } from '../hosted.js'
import { sentFolder } from './staged-versions.js'
import { withoutPlaces } from '../../app/workspace.js'
import type { SiteContext } from '../context.js'
import { HourlyLimiter } from './hourly-limiter.js'
import { meetingsBefore } from './taken-over.js'
import { formatOf } from '../../tournament/index.js'

/*
 * Theory of operation.
 *
 * The runner plays a site's contests, side by side in this process. Of each contest it plays one run after the other: each change of
 * who plays is a revision, and each revision a run of its own, with the contest's one seed. What was played before has the same keys in
 * the store, so a new run plays only what is missing. Which run counts, and in which state a contest is, stands in the site's file
 * before anything follows from it: the process that starts after a kill continues from there. A ladder never ends: where nothing is left to play,
 * it waits for the next entry.
 */

/** Milliseconds until a contest goes on that found the machine too busy, or its disk full. */
const CALM_MS = 60_000
const calmDown = (): Promise<void> => new Promise((done) => setTimeout(done, CALM_MS).unref())

/** Milliseconds between two looks whether all bots are there. */
const AWAY_MS = 250

/** A contest that is being played. */
interface Playing {
  readonly stop: AbortController
  /** Ends the run under way, and not the contest: another one follows. */
  turn: AbortController
  readonly done: Promise<void>
}

/** Where a site's contests are played. To be closed. */
export class ContestRunner {
  private readonly playing = new Map<string, Playing>()
  /** By contest: the last start or pause. */
  private readonly turns = new Map<string, Promise<void>>()
  /** Ladders that wait. */
  private readonly idle = new Set<string>()
  private readonly paces = new Map<string, HourlyLimiter>()
  private closed = false

  constructor(
    private readonly context: SiteContext,
    private readonly wishes: Pick<RunOptions, 'workersOnly'> = {},
    private readonly calm: () => Promise<void> = calmDown,
    private readonly run: typeof runParsed = runParsed,
  ) {}

  /** Continues the contests that were being played when the site ended, by a kill too. */
  async open(): Promise<void> {
    distrust(this.context.workspace)
    // A bot that comes may be one that a ladder waits for.
    this.context.seats.onChange((id) => this.idle.has(id) && this.playing.get(id)?.turn.abort())
    for (const { id, state } of await this.context.site.contests()) if (state === 'playing') this.keepPlaying(id)
  }

  /** Plays a contest from now on. */
  start(id: string): Promise<void> {
    return this.inTurn(id, async () => {
      // Its host may have ended it for good since this start was asked for.
      if (this.playing.has(id) || !(await this.setState(id, 'playing'))) return
      // What is asked for while the site ends is played once it begins again.
      if (!this.closed) this.keepPlaying(id)
    })
  }

  /** Ends the matches of a contest that are under way; resolves once none is played any more. */
  pause(id: string): Promise<void> {
    return this.inTurn(id, async () => {
      await this.setState(id, 'paused')
      const one = this.playing.get(id)
      one?.stop.abort()
      await one?.done
    })
  }

  /** Ends a contest for good, also one that has matches left; resolves once none is played any more. */
  finish(id: string): Promise<void> {
    return this.inTurn(id, async () => {
      await this.context.site.changeContest(id, { final: true, state: 'finished', why: null })
      await this.publish(id, 'state', { state: 'finished' })
      const one = this.playing.get(id)
      one?.stop.abort()
      await one?.done
      await this.settle(id, [...(await takenIn(this.context, id)).values()])
    })
  }

  /** A contest is begun once, and a request that comes while it is being paused waits until that is done. */
  private async inTurn(id: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.turns.get(id) ?? Promise.resolve()).then(work)
    const last = turn.catch(() => undefined)
    this.turns.set(id, last)
    await turn.finally(() => this.turns.get(id) === last && this.turns.delete(id))
  }

  /** Who plays has changed: a contest that is being played, or has ended, goes on with a run of its one for that. */
  async revise(id: string): Promise<void> {
    const contest = await this.context.site.contest(id)
    if (contest === undefined) return
    await this.context.site.changeContest(id, { revision: contest.revision + 1 })
    this.context.hub.touch(id)
    this.playing.get(id)?.turn.abort()
    if (contest.state === 'finished' || contest.state === 'failed') await this.start(id)
  }

  /** Puts an entrant out of a contest, in the run that counts and in all that follow. */
  async exclude(id: string, exclusion: Exclusion): Promise<void> {
    const { site, store, seats } = this.context
    await site.exclude(id, exclusion)
    seats.drop(id, exclusion.name, `it was ${exclusion.status}`)
    const run = (await site.contest(id))?.run
    const known = run === undefined ? undefined : await store.run(run)
    const isOut = async (of: string) => (await store.exclusions(of)).some(({ name }) => name === exclusion.name)
    if (known?.entrants.some(({ name }) => name === exclusion.name) && !(await isOut(known.id)))
      await store.exclude(known.id, exclusion)
    await this.publish(id, 'out', exclusion)
    // What is left to play without it may be more than nothing.
    const contest = await site.contest(id)
    if (contest?.state === 'finished') await this.start(id)
    if (this.idle.has(id)) this.playing.get(id)?.turn.abort()
  }

  /**
   * Ends the runs under way: a match that has not ended is given back, and the contests stay in their states. A start or a pause that was
   * asked for is stored first.
   */
  async close(): Promise<void> {
    this.closed = true
    for (const { stop } of this.playing.values()) stop.abort()
    while (this.turns.size > 0) await Promise.all(this.turns.values())
    await Promise.all([...this.playing.values()].map(({ done }) => done))
  }

  private keepPlaying(id: string): void {
    const stop = new AbortController()
    const one: Playing = {
      stop,
      turn: new AbortController(),
      done: Promise.resolve()
        .then(() => this.play(id, () => one))
        .catch(async (error: unknown) => this.fail(id, error))
        .finally(() => {
          if (this.playing.get(id) === one) this.playing.delete(id)
        }),
    }
    this.playing.set(id, one)
  }

  /** Plays a contest, run after run, until it has ended or is stopped. */
  private async play(id: string, one: () => Playing): Promise<void> {
    for (;;) {
      const turn = (one().turn = new AbortController())
      const { signal } = one().stop
      const contest = await this.context.site.contest(id)
      if (signal.aborted || contest === undefined) return
      const either = AbortSignal.any([signal, turn.signal])
      const { seats } = this.context
      const changes = seats.changes(id)
      try {
        const finished = await this.playRevision(contest, either)
        if (signal.aborted) return
        if (finished === 'idle') {
          // Who came meanwhile may not have been waited for.
          if (seats.changes(id) !== changes) continue
          this.idle.add(id)
          await until(either)
          this.idle.delete(id)
          continue
        }
        // A bot may have been entered just now.
        if (finished && (await this.setState(id, 'finished', contest.revision))) return
      } catch (error) {
        if (signal.aborted) return
        if (either.aborted) continue
        if (!isPassing(error)) throw error
        this.context.notice(`${id}: ${spelled(wordingOf(error), this.context.spell)}; it goes on in a minute`)
        await Promise.race([until(either), this.calm()])
      }
    }
  }

  /** True: nothing is left to play of this revision; idle: nor of a contest that never ends. */
  private async playRevision(contest: HostedContest, signal: AbortSignal): Promise<boolean | 'idle'> {
    const hosted = await loadHosted(this.context, contest)
    if (hosted.loaded.entries.length < 2) {
      await until(signal)
      return false
    }
    const finished = await this.context.staged.within(hosted.loaded.entries, () =>
      this.playRun(contest, hosted, signal),
    )
    return finished && formatOf(hosted.loaded.contest.format.kind).openEnded ? 'idle' : finished
  }

  private async playRun(
    contest: HostedContest,
    { loaded, playing }: LoadedHosted,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { id, revision } = contest
    const { context, wishes } = this
    const seed = runSeed(contest, loaded.contest.seed)
    const notice = (text: string): void => context.notice(`${id}: ${text}`)
    const out = `${contestFile(context, id).replace(/\.toml$/, '')}-${revision}`
    const resume = (await context.store.runs()).some((run) => run.out === out)
    // The run's own seed is long: it follows from this one.
    const short = resume ? undefined : shortSeed(loaded.contest.seed ?? seed, loaded.entries)
    if (short !== undefined) notice(short)
    const runContext = { ...context, notice, signal }
    const excluded = resume ? [] : await context.site.exclusions(id)
    const jobs = jobsOf(undefined, undefined, runContext)
    const own = formatOf(loaded.contest.format.kind).openEnded
      ? await this.ladderOptions(contest, loaded, playing, signal)
      : { pace: () => this.allThere(contest, loaded, signal) }
    const watched: RunOptions['watched'] = (underWay) => context.progress.begin(id, underWay)
    // The check of an entry has asked its first question, if the contest was as it is now.
    const now = termsHash(loaded.contest)
    const checked = new Set(playing.flatMap(({ name, terms }) => (terms === now ? [name] : [])))
    const options = { ...wishes, ...jobs, ...own, seed, out, resume, excluded, checked, results: false, watched }
    let begun: Promise<void> | undefined
    const { result } = await this.run(withFlags(loaded, options), options, runContext, context.store, (news) => {
      if (news.type === 'round') context.progress.plan(id, news.total)
      if (news.type === 'match') {
        if (!news.reused) context.progress.counted(id)
        context.hub.touch(id)
      }
      if (news.type !== 'began') return
      begun = this.begin(id, news.run, playing)
      // Who plays the run gets the error at its end.
      begun.catch(() => undefined)
    }).finally(() => context.progress.end(id))
    await begun
    if (result.finished) await this.settle(id, playing)
    return result.finished
  }

  /** Nothing is left to play for the bots of a run, nor for versions that others have replaced. */
  private async settle(id: string, played: readonly SiteEntry[]): Promise<void> {
    const newest = await takenIn(this.context, id)
    const old = (await this.context.site.entries(id)).filter(
      ({ id: entry, name, state }) => state === 'playing' && newest.get(name)?.id !== entry,
    )
    for (const { id: entry } of [...played, ...old]) await this.setEntry(entry, 'placed')
  }

  /** A ladder goes on with what its versions have played, and plays so many matches an hour. */
  private async ladderOptions(
    contest: HostedContest,
    { contest: { format }, entries }: LoadedHosted['loaded'],
    playing: readonly SiteEntry[],
    signal: AbortSignal,
  ): Promise<Pick<RunOptions, 'history' | 'pace' | 'isThere'>> {
    const history = await meetingsBefore(this.context, contest, playing)
    const { hourly } = format
    const { seats } = this.context
    const remote = new Map(entries.flatMap(({ spec, remote: bot }) => (bot === undefined ? [] : [[spec.name, bot]])))
    const isThere = (name: string): boolean => {
      const bot = remote.get(name)
      return bot === undefined || seats.isThere(bot)
    }
    if (hourly === undefined) return { history, isThere }
    const pace = this.paces.get(contest.id) ?? new HourlyLimiter(hourly)
    this.paces.set(contest.id, pace)
    this.context.progress.pace(contest.id, pace)
    return { history, isThere, pace: (matches) => pace.take(matches, signal) }
  }

  /** Waits until all bots are there that play on their authors' machines, but for those that are out. */
  private async allThere(
    { id }: HostedContest,
    { entries }: LoadedHosted['loaded'],
    signal: AbortSignal,
  ): Promise<void> {
    const { seats, site } = this.context
    const isAway = ({ remote }: LoadedHosted['loaded']['entries'][number]): boolean =>
      remote !== undefined && !seats.isThere(remote)
    while (!signal.aborted && entries.some(isAway)) {
      const out = new Set((await site.exclusions(id)).map(({ name }) => name))
      if (!entries.some((entry) => isAway(entry) && !out.has(entry.spec.name))) return
      await Promise.race([until(signal), new Promise((done) => setTimeout(done, AWAY_MS).unref())])
    }
  }

  /** From now on a run counts; each version that plays in it is known by its hash, and those that it left out are rejected. */
  private async begin(id: string, run: string, playing: readonly SiteEntry[]): Promise<void> {
    const { site, store } = this.context
    await site.changeContest(id, { run, why: null })
    const { entrants = [], mute = [] } = (await store.run(run)) ?? {}
    const hashes = new Map(entrants.map(({ name, hash }) => [name, hash]))
    const why = new Map(mute.map((one) => [one.name, one.why]))
    for (const { id: entry, name } of playing) {
      const hash = hashes.get(name)
      if (hash !== undefined) await site.changeEntry(entry, { hash })
      else {
        const log = await site.log(entry)
        const told = withoutPlaces(why.get(name) ?? 'it could not be built or started', this.context.workspace)
        await site.changeEntry(entry, { log: `${log}left out: ${told}\n` })
        await this.setEntry(entry, 'rejected')
        await removeTree(sentFolder(this.context, entry))
      }
    }
    await this.publish(id, 'run', { run })
  }

  private async setEntry(id: string, state: SiteEntry['state']): Promise<void> {
    const entry = await this.context.site.entry(id)
    if (entry === undefined || entry.state === state || entry.state === 'rejected') return
    await this.context.site.changeEntry(id, { state })
    const { contest, name, version } = entry
    await this.publish(contest, 'entry', { id, name, version, state })
  }

  /** A contest that cannot be played stands still until its host, or a new entry, starts it again. */
  private async fail(id: string, error: unknown): Promise<void> {
    const { notice, site } = this.context
    const text = error instanceof UserError ? error.text : undefined
    const why =
      text === undefined
        ? 'agon itself failed; its log says how'
        : withoutPlaces(spelled(text, this.context.spellOnPages), this.context.workspace)
    const shown = error instanceof Error ? (error.stack ?? error.message) : String(error)
    notice(`${id}: ${text === undefined ? shown : spelled(text, this.context.spell)}`)
    if (this.closed) return
    try {
      if (await site.changeContest(id, { state: 'failed', why })) await this.publish(id, 'state', { state: 'failed' })
    } catch (again) {
      notice(`${id}: ${String(again)}`)
    }
  }

  /** False: it stays as it is, as for `SiteStore.changeContest`. */
  private async setState(id: string, state: HostedState, revision?: number): Promise<boolean> {
    if (!(await this.context.site.changeContest(id, { state, why: null }, revision))) return false
    await this.publish(id, 'state', { state })
    return true
  }

  private async publish(id: string, kind: string, data: unknown): Promise<void> {
    await this.context.site.addEvent(id, kind, data)
    this.context.hub.touch(id)
  }
}

/**
 * The seed of a contest's runs. It depends on the contest: another one with the same text deals other luck, so that what a finished one has
 * shown gives nothing of the next away.
 */
const runSeed = ({ id, seed }: HostedContest, own = seed): string =>
  createHash('sha256')
    .update(JSON.stringify([id, own]))
    .digest('hex')

/** Whether it is this machine that was too busy or lacked room, which passes: the contest goes on by itself. */
const isPassing = (error: unknown): boolean =>
  error instanceof BusyError ||
  error instanceof FullDisk ||
  (error instanceof Error && 'code' in error && NO_ROOM.has(error.code))
const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

const until = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))
