import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { type GameDefinition, UserError, spelled, wordingOf, visible, visibleLines } from '../../core/index.js'
import { LEFT_OUT } from '../../build/source-files.js'
import { TreeFault, copyTree, hashTree, kindOf, namesIn, paced, readPlain, sha256 } from '../../files/index.js'
import { type CheckResult, checkBot } from './check.js'
import type { StepReport } from './trial.js'
import type { Context } from '../context.js'
import { type Duel, USUAL, hostDuel } from '../compare/duel.js'
import type { Jobs } from '../jobs.js'
import type { MatchTerms } from '../terms.js'
import { signed } from '../../text/index.js'

/** What happens while bots are watched. `bot`: a folder or a file, as it was named. */
export type WatchEvent =
  | { readonly type: 'watching'; readonly bots: readonly string[] }
  | { readonly type: 'new'; readonly bot: string }
  | { readonly type: 'saved'; readonly bot: string }
  | { readonly type: 'step'; readonly step: StepReport }
  | { readonly type: 'checked'; readonly bot: string; readonly checked: CheckResult }
  /** The new version was the first of the two. */
  | { readonly type: 'duelled'; readonly bot: string; readonly duel: Duel }
  /** Something that its author can mend keeps it from playing. */
  | { readonly type: 'trouble'; readonly bot: string; readonly why: string }

export interface WatchOptions extends MatchTerms, Jobs {
  /** Matches of a duel at most. */
  readonly budget: number
}

/** Milliseconds between two looks at the files. */
const LOOK_MS = 250
/** Bytes of a bot. */
const BYTES = 64 * 1024 ** 2

/** A bot as it is known. */
interface Known {
  /** Of the version that was looked at last. */
  hash: string
  /** Of the files at the last look: a file that is still being written changes from one look to the next. */
  seen: string
  /** The version that the next one plays against: a copy of it. */
  rival: string
}

/**
 * Watches a bot (its folder, its bot.toml or its file) or a folder of bots, until the context's signal ends it: each time that one is saved it is checked,
 * and plays against its version of before. A version that does not play is no rival. Throws UserError where there is no bot.
 */
export async function watchBots(
  definition: GameDefinition,
  path: string,
  options: WatchOptions,
  context: Context,
  on: (news: WatchEvent) => void,
): Promise<void> {
  const watched = new BotWatcher(definition, watchedAt(path), options, context, on)
  if (watched.bots().length === 0)
    throw new UserError(`${path} is no bot: name its file, its folder with a bot.toml, or a folder of such folders`)
  try {
    await watched.look(true)
    on({ type: 'watching', bots: watched.bots().map((bot) => basename(bot)) })
    while (!context.signal?.aborted) {
      await after(LOOK_MS, undefined, context.signal && { signal: context.signal }).catch(() => undefined)
      if (!context.signal?.aborted) await watched.look(false)
    }
  } finally {
    watched.close()
  }
}

class BotWatcher {
  private readonly known = new Map<string, Known>()
  private readonly copies = mkdtempSync(join(tmpdir(), 'agon-watch-'))
  private made = 0

  constructor(
    private readonly definition: GameDefinition,
    private readonly path: string,
    private readonly options: WatchOptions,
    private readonly context: Context,
    private readonly on: (news: WatchEvent) => void,
  ) {}

  /** The bots that are there now. */
  bots(): readonly string[] {
    const { path } = this
    if (kindOf(path) === 'file' || isBot(path)) return [path]
    return namesIn(path)
      .sort()
      .map((name) => join(path, name))
      .filter(isBot)
  }

  /** Looks at all of them; `first`: files count as complete as they are. */
  async look(first: boolean): Promise<void> {
    for (const bot of this.bots()) {
      try {
        await this.lookAt(bot, first)
      } catch (error) {
        if (this.context.signal?.aborted) return
        if (!(error instanceof UserError || error instanceof TreeFault)) throw error
        this.on({ type: 'trouble', bot: basename(bot), why: spelled(wordingOf(error), this.context.spell) })
      }
    }
  }

  close(): void {
    rmSync(this.copies, { recursive: true, force: true })
  }

  private async lookAt(bot: string, first: boolean): Promise<void> {
    const hash = await hashOfBot(bot)
    const known = this.known.get(bot)
    if (known === undefined) {
      this.known.set(bot, { hash, seen: hash, rival: await this.copy(bot) })
      if (!first) this.on({ type: 'new', bot: basename(bot) })
      return
    }
    const settled = known.seen === hash
    known.seen = hash
    if (!settled || known.hash === hash) return
    known.hash = hash
    this.on({ type: 'saved', bot: basename(bot) })
    await this.judge(bot, known)
  }

  private async judge(bot: string, known: Known): Promise<void> {
    const { definition, options, context, on } = this
    const name = basename(bot)
    const checked = await checkBot(definition, bot, options, context, (step) => on({ type: 'step', step }))
    on({ type: 'checked', bot: name, checked })
    if (!checked.plays) return
    const copy = await this.copy(bot)
    const quiet = { ...context, notice: () => undefined }
    const test = { ...USUAL, alpha: 0.05, beta: 0.05 }
    const duel = await hostDuel(definition, [copy, known.rival], { ...options, test }, quiet)
    on({ type: 'duelled', bot: name, duel })
    known.rival = copy
  }

  /** A copy of a bot under its own name, which stays as it is. */
  private async copy(bot: string): Promise<string> {
    const to = join(this.copies, String(this.made++), basename(bot))
    if (kindOf(bot) === 'file') cpSync(bot, to)
    else await paced(copyTree(bot, to, { bytes: BYTES, leaveOut: LEFT_OUT }))
    return to
  }
}

/** A bot.toml describes a bot; its author saves the files beside it. */
const watchedAt = (path: string): string => (basename(path) === 'bot.toml' ? dirname(resolve(path)) : resolve(path))

const isBot = (path: string): boolean => kindOf(path) === 'folder' && namesIn(path).includes('bot.toml')

const hashOfBot = async (bot: string): Promise<string> =>
  kindOf(bot) === 'file' ? sha256(readPlain(bot, BYTES) ?? '') : paced(hashTree(bot, LEFT_OUT))

/** What is printed of a watched bot, for people; undefined: nothing. */
export function watchText(news: WatchEvent): string | undefined {
  switch (news.type) {
    case 'watching':
      return `watching ${news.bots.map(visible).join(', ')}: save a bot, and it is checked and plays its version of before; Ctrl-C ends`
    case 'new':
      return `${visible(news.bot)} is new`
    case 'saved':
      return `\n${visible(news.bot)} was saved`
    case 'step':
      return news.step.ok
        ? undefined
        : [`  FAILED ${news.step.name}`, ...news.step.lines.map((line) => `    ${line}`)].join('\n')
    case 'checked': {
      const { ok, plays, covered } = news.checked
      if (ok) return `  speaks the wire: ${covered.questions} questions in ${covered.matches} matches, no fault`
      return plays ? '  plays, with the faults above' : '  does not play: its version of before stays the one to beat'
    }
    case 'duelled':
      return `  ${duelLine(news.duel)}`
    case 'trouble':
      return `  ${visible(news.bot)}: ${visibleLines(news.why)}`
  }
}

/** 'against its version of before: 12 won, 3 drawn, 5 lost: better (+40 Elo, 95 %: +10 to +71)'. */
function duelLine({ score: [won, drawn, lost], fixed, elo }: Duel): string {
  const verdict = fixed
    ? `${compared(won - lost, 'no difference')}: each game is the same again`
    : `${compared(Math.max(elo.low, 0) + Math.min(elo.high, 0), 'not distinguishable yet')} (${eloWords(elo)})`
  return `against its version of before: ${won} won, ${drawn} drawn, ${lost} lost: ${verdict}`
}

const compared = (lead: number, level: string): string => (lead > 0 ? 'better' : lead < 0 ? 'worse' : level)

/** The difference with its interval. Where one side lost no game, games bound it on one side only: the bound alone, and no estimate. */
function eloWords({ rating, low, high }: Duel['elo']): string {
  if (low === -Infinity && high === Infinity) return 'Elo unknown'
  if (low === -Infinity) return `below ${signed(high)} Elo, 95 %`
  if (high === Infinity) return `above ${signed(low)} Elo, 95 %`
  return `${signed(rating)} Elo, 95 %: ${signed(low)} to ${signed(high)}`
}
