import { createHash } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { BusyError, UserError, spelled, wordingOf } from '../../core/index.js'
import { distrust, removeTree } from '../../files/index.js'
import { type Exclusion, FullDisk } from '../../store/index.js'
import { runParsed } from '../../app/run/run.js'
import { withFlags } from '../../app/run/parse.js'
import { meetingsIn, termsHash } from '../../app/run/same.js'
import { shortSeed } from '../../app/run/notes.js'
import { jobsOf } from '../../app/machine.js'
import type { RunOptions } from '../../app/run/options.js'
import { withoutPlaces } from '../../app/workspace.js'
import { HourlyLimiter } from '../../engine/index.js'
import { formatOf } from '../../tournament/index.js'
import { type SiteContext, announce, announceEntry } from '../context.js'
import type { HostedContest, HostedState, SiteEntry } from '../store.js'
import { type LoadedHosted, contestFile, loadHosted, takenIn } from '../contests.js'
import { fieldOf } from '../../app/flag.js'
import { sentFolder } from './staged-versions.js'

/*
 * A site's contests are played side by side in this process, each in one run after the other: each change of who plays is a revision, and
 * each revision a run of its own, with the contest's one seed. What was played before has the same keys in the store, so a new run plays
 * only what is missing. Which run counts, and in which state a contest is, stands in the site's file before anything follows from it.
 */

/** Milliseconds until a contest goes on that found the machine too busy, or its disk full. */
const CALM_MS = 60_000
/** Milliseconds between two looks whether all bots are there. */
const AWAY_MS = 250

interface Playing {
  readonly stop: AbortController
  /** Ends the run under way, and not the contest: another one follows. */
  turn?: AbortController
  /** Since its run began remote bots have come or gone, or one was put out: a ladder looks again for what is left to play. */
  stirred?: AbortController
  done?: Promise<void>
}

export class ContestRunner {
  private readonly playing = new Map<string, Playing>()
  /** By contest: they go on from run to run. */
  private readonly limiters = new Map<string, HourlyLimiter>()
  private closed = false

  constructor(
    private readonly context: SiteContext,
    private readonly wishes: Pick<RunOptions, 'workersOnly'> = {},
    private readonly calm: () => Promise<unknown> = () => after(CALM_MS, undefined, { ref: false }),
    private readonly run: typeof runParsed = runParsed,
  ) {}

  /** Continues the contests that were being played when the site ended, by a kill too. */
  open(): void {
    const { workspace, hub, site } = this.context
    distrust(workspace)
    hub.on('seats', (id) => this.playing.get(id)?.stirred?.abort())
    for (const { id, state } of site.contests()) if (state === 'playing') this.keepPlaying(id)
  }

  /** Plays a contest from now on. What is asked for while the site ends is played once it begins again. */
  start(id: string): void {
    if (this.context.site.contest(id)?.state === 'playing' || !this.setState(id, 'playing')) return
    this.keepPlaying(id)
  }

  /** Ends the matches of a contest that are under way; resolves once none is played any more. */
  async pause(id: string): Promise<void> {
    this.setState(id, 'paused')
    await this.stop(id)
  }

  /** Ends a contest for good, also one that has matches left; resolves once none is played any more. */
  async finish(id: string): Promise<void> {
    this.context.site.changeContest(id, { final: true, state: 'finished', why: null })
    announce(this.context, id, 'state', { state: 'finished' })
    await this.stop(id)
    this.settle(id, [...takenIn(this.context, id).values()])
  }

  /** Who plays has changed: a contest that is being played, or has ended, goes on with a run of its own for that. */
  revise(id: string): void {
    const contest = this.context.site.contest(id)
    if (contest === undefined) return
    this.context.site.changeContest(id, { revision: contest.revision + 1 })
    this.context.hub.emit('touch', id)
    this.playing.get(id)?.turn?.abort()
    if (contest.state === 'finished' || contest.state === 'failed') this.start(id)
  }

  /** Puts an entrant out of a contest, in the run that counts and in all that follow. */
  async exclude(id: string, exclusion: Exclusion): Promise<void> {
    const { site, store, seats } = this.context
    const { name, status } = exclusion
    site.exclude(id, exclusion)
    seats.drop(id, name, `it was ${status}`)
    const run = await store.run(site.contest(id)?.run ?? '')
    if (run?.entrants.some((one) => one.name === name))
      if (!(await store.exclusions(run.id)).some((one) => one.name === name)) await store.exclude(run.id, exclusion)
    announce(this.context, id, 'out', exclusion)
    // What is left to play without it may be more than nothing.
    if (site.contest(id)?.state === 'finished') this.start(id)
    this.playing.get(id)?.stirred?.abort()
  }

  /** Ends the runs under way: a match that has not ended is given back, and the contests stay in their states. */
  async close(): Promise<void> {
    this.closed = true
    for (const { stop } of this.playing.values()) stop.abort()
    await Promise.all([...this.playing.values()].map(async ({ done }) => done))
  }

  private async stop(id: string): Promise<void> {
    const one = this.playing.get(id)
    one?.stop.abort()
    await one?.done
  }

  private keepPlaying(id: string): void {
    // It may have been started again while it ended: then it goes on after that.
    if (this.closed || this.playing.has(id)) return
    const one: Playing = { stop: new AbortController() }
    this.playing.set(id, one)
    one.done = this.play(id, one)
      .catch((error: unknown) => this.fail(id, error, one.stop.signal))
      .finally(() => {
        this.playing.delete(id)
        if (!this.closed && this.context.site.contest(id)?.state === 'playing') this.keepPlaying(id)
      })
  }

  private async play(id: string, one: Playing): Promise<void> {
    const { site, staged, notice, spell } = this.context
    for (;;) {
      const turn = (one.turn = new AbortController())
      const stirred = (one.stirred = new AbortController())
      const contest = site.contest(id)
      if (one.stop.signal.aborted || contest === undefined) return
      const signal = AbortSignal.any([one.stop.signal, turn.signal])
      try {
        const hosted = await loadHosted(this.context, contest)
        const { entries, contest: terms } = hosted.loaded
        if (entries.length < 2) {
          await until(signal)
          continue
        }
        const isOver = await staged.within(entries, () => this.playRun(contest, hosted, signal))
        if (one.stop.signal.aborted) return
        if (!isOver) continue
        // Who came meanwhile may not have been waited for.
        if (formatOf(terms.format.kind).openEnded) await until(AbortSignal.any([signal, stirred.signal]))
        // A bot may have been entered just now.
        else if (this.setState(id, 'finished', contest.revision)) return
      } catch (error) {
        if (one.stop.signal.aborted) return
        if (signal.aborted) continue
        if (!isPassing(error)) throw error
        notice(`${id}: ${spelled(wordingOf(error), spell)}; it goes on in a minute`)
        await Promise.race([until(signal), this.calm()])
      }
    }
  }

  /** Plays what is left of a revision. False: it was ended before its end. */
  private async playRun(contest: HostedContest, hosted: LoadedHosted, signal: AbortSignal): Promise<boolean> {
    const { id, revision } = contest
    const { loaded, playing } = hosted
    const { store, site, progress, hub } = this.context
    const context = { ...this.context, signal, notice: (text: string) => this.context.notice(`${id}: ${text}`) }
    const own = loaded.contest.seed ?? contest.seed
    const out = `${contestFile(context, id).replace(/\.toml$/, '')}-${revision}`
    const resume = (await store.runs()).some((run) => run.out === out)
    // The run's own seed is long: it follows from this one.
    const short = resume ? undefined : shortSeed(own, loaded.entries)
    if (short !== undefined) context.notice(short)
    // The check of an entry has asked its first question, if the contest was as it is now.
    const now = termsHash(loaded.contest)
    const { hourly } = loaded.contest.format
    const limiter = hourly === undefined ? undefined : (this.limiters.get(id) ?? new HourlyLimiter(hourly))
    if (limiter !== undefined) this.limiters.set(id, limiter)
    const options: RunOptions & ReturnType<typeof jobsOf> = {
      ...this.wishes,
      ...jobsOf(undefined, undefined, context),
      ...(await this.pacing(contest, hosted, limiter, signal)),
      seed: runSeed(id, own),
      out,
      resume,
      excluded: resume ? [] : site.exclusions(id),
      checked: new Set(playing.flatMap(({ name, terms }) => (terms === now ? [name] : []))),
      results: false,
      watched: (underWay) => progress.begin(id, underWay, limiter),
    }
    let begun: Promise<void> | undefined
    const { result } = await this.run(withFlags(loaded, options), options, context, (news) => {
      if (news.type === 'round') progress.advance(id, news.total)
      if (news.type === 'match' && !news.reused) progress.advance(id)
      if (news.type === 'match') hub.emit('touch', id)
      if (news.type !== 'began') return
      begun = this.begin(id, news.run.id, playing)
      // Who plays the run gets the error at its end.
      begun.catch(() => undefined)
    }).finally(() => progress.end(id))
    await begun
    if (result.finished) this.settle(id, playing)
    return result.finished
  }

  /** Nothing is left to play for the bots of a run, nor for versions that others have replaced. */
  private settle(id: string, played: readonly SiteEntry[]): void {
    const newest = takenIn(this.context, id)
    const old = this.context.site
      .entries(id)
      .filter((one) => one.state === 'playing' && newest.get(one.name)?.id !== one.id)
    for (const { id: entry } of [...played, ...old]) this.setEntry(entry, 'placed')
  }

  /** Matches wait until all bots of their authors' machines are there; those of a ladder go on without, so many an hour. */
  private async pacing(
    contest: HostedContest,
    { loaded: { entries, contest: terms }, playing }: LoadedHosted,
    limiter: HourlyLimiter | undefined,
    signal: AbortSignal,
  ): Promise<Pick<RunOptions, 'history' | 'pace' | 'isThere'>> {
    const { seats, site, store } = this.context
    const remotes = new Map(entries.flatMap(({ spec, remote }) => (remote === undefined ? [] : [[spec.name, remote]])))
    if (formatOf(terms.format.kind).openEnded) {
      const isThere = (name: string): boolean => seats.isThere(remotes.get(name) ?? '') || !remotes.has(name)
      const pace: RunOptions['pace'] = limiter && ((matches) => limiter.take(matches, signal))
      const before = await store.run(contest.run ?? '')
      return { history: before && (await meetingsIn(store, before, playing)), isThere, pace }
    }
    const isAway = ([name, bot]: readonly [string, string]): boolean =>
      !seats.isThere(bot) && !site.exclusions(contest.id).some((one) => one.name === name)
    const pace = async (): Promise<void> => {
      while (!signal.aborted && [...remotes].some(isAway))
        await Promise.race([until(signal), after(AWAY_MS, undefined, { ref: false })])
    }
    return { pace }
  }

  /** From now on a run counts; each version that plays in it is known by its hash, and those that it left out are rejected. */
  private async begin(id: string, run: string, playing: readonly SiteEntry[]): Promise<void> {
    const { site, store, workspace } = this.context
    site.changeContest(id, { run, why: null })
    const { entrants = [], mute = [] } = (await store.run(run)) ?? {}
    for (const { id: entry, name } of playing) {
      const hash = entrants.find((one) => one.name === name)?.hash
      if (hash !== undefined) site.changeEntry(entry, { hash })
      else {
        const why = mute.find((one) => one.name === name)?.why ?? 'it could not be built or started'
        site.changeEntry(entry, { log: `${site.log(entry)}left out: ${withoutPlaces(why, workspace)}\n` })
        this.setEntry(entry, 'rejected')
        await removeTree(sentFolder(this.context, entry))
      }
    }
    announce(this.context, id, 'run', { run })
  }

  private setEntry(id: string, state: 'placed' | 'rejected'): void {
    const entry = this.context.site.entry(id)
    if (entry === undefined || entry.state === state || entry.state === 'rejected') return
    this.context.site.changeEntry(id, { state })
    announceEntry(this.context, entry, state)
  }

  /** A contest that cannot be played stands still until its host, or a new entry, starts it again. */
  private async fail(id: string, error: unknown, stop: AbortSignal): Promise<void> {
    const { notice, spell, workspace } = this.context
    let why = 'agon itself failed; its log says how'
    if (error instanceof UserError) {
      why = withoutPlaces(spelled(error.text, fieldOf), workspace)
      notice(`${id}: ${spelled(error.text, spell)}`)
    } else notice(`${id}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    if (this.closed) return
    try {
      if (this.context.site.changeContest(id, { state: 'failed', why }))
        announce(this.context, id, 'state', { state: 'failed' })
    } catch (again) {
      notice(`${id}: ${String(again)}`)
      await Promise.race([until(stop), this.calm()])
    }
  }

  /** False: it stays as it is, as for `SiteStore.changeContest`. */
  private setState(id: string, state: HostedState, revision?: number): boolean {
    if (!this.context.site.changeContest(id, { state, why: null }, revision)) return false
    announce(this.context, id, 'state', { state })
    return true
  }
}

/** Another contest with the same text deals other luck: what a finished one has shown gives nothing of the next away. */
const runSeed = (id: string, seed: string): string =>
  createHash('sha256')
    .update(JSON.stringify([id, seed]))
    .digest('hex')

/** This machine was too busy or lacked room: the contest goes on by itself. */
const isPassing = (error: unknown): boolean =>
  error instanceof BusyError ||
  error instanceof FullDisk ||
  (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'))

const until = (signal: AbortSignal): Promise<void> =>
  signal.aborted
    ? Promise.resolve()
    : new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))
