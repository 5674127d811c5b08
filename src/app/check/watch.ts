import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { type GameDefinition, UserError, spelled, visible, visibleLines, wordingOf } from '../../core/index.js'
import { LEFT_OUT } from '../../build/source-files.js'
import { TreeFault, copyTree, hashTree, kindOf, namesIn, paced, readPlain, sha256 } from '../../files/index.js'
import { signed } from '../../text/index.js'
import { type Duel, USUAL, hostDuel } from '../compare/duel.js'
import type { Context } from '../context.js'
import type { Jobs } from '../machine.js'
import type { MatchTerms } from '../match-host.js'
import { type CheckResult, checkBot } from './check.js'
import type { StepReport } from './trial.js'

/** `budget`: matches of a duel at most; `tell` receives what happens, a line or a few for people. */
type WatchOptions = MatchTerms & Jobs & { readonly budget: number; readonly tell: (text: string) => void }

const LOOK_EVERY_MS = 250
const MOST_BYTES = 64 * 1024 ** 2

interface Known {
  /** Of the version that was looked at last. */
  hash: string
  /** Of the files at the last look: one that is being written changes between looks. */
  seen: string
  /** A copy of the version that the next one plays against. */
  rival: string
}

/**
 * Watches a bot (folder, bot.toml or file) or a folder of bots until the signal: a saved one is checked, and plays its version of before. A version
 * that does not play is no rival. Throws UserError if there is no bot.
 */
export async function watchBots(
  definition: GameDefinition,
  path: string,
  { tell, ...terms }: WatchOptions,
  context: Context,
): Promise<void> {
  // A bot.toml describes a bot; its author saves the files beside it.
  const watched = basename(path) === 'bot.toml' ? dirname(resolve(path)) : resolve(path)
  const { signal } = context
  const bots = botsAt(watched)
  if (bots.length === 0)
    throw new UserError(`${path} is no bot: name its file, its folder with a bot.toml, or a folder of such folders`)
  const known = new Map<string, Known>()
  const copies = mkdtempSync(join(tmpdir(), 'agon-watch-'))
  let made = 0

  async function copyOf(bot: string): Promise<string> {
    const to = join(copies, String(made++), basename(bot))
    if (kindOf(bot) === 'file') cpSync(bot, to)
    else await paced(copyTree(bot, to, { bytes: MOST_BYTES, leaveOut: LEFT_OUT }))
    return to
  }

  async function judge(bot: string, before: Known): Promise<void> {
    const checked = await checkBot({ definition, word: bot, terms, context }, (step) => {
      if (!step.ok) tell(failedText(step))
    })
    tell(checkedText(checked))
    if (!checked.plays) return
    const copy = await copyOf(bot)
    const quiet = { ...context, notice: () => undefined }
    const test = { ...USUAL, alpha: 0.05, beta: 0.05 }
    tell(`  ${duelLine(await hostDuel(definition, [copy, before.rival], { ...terms, test }, quiet))}`)
    before.rival = copy
  }

  /** Looks at a bot: one that is seen first counts as complete as it is. */
  async function look(bot: string): Promise<void> {
    const name = visible(basename(bot))
    try {
      const hash =
        kindOf(bot) === 'file' ? sha256(readPlain(bot, MOST_BYTES) ?? '') : await paced(hashTree(bot, LEFT_OUT))
      const before = known.get(bot)
      if (before === undefined) {
        known.set(bot, { hash, seen: hash, rival: await copyOf(bot) })
        return
      }
      const settled = before.seen === hash
      before.seen = hash
      if (!settled || before.hash === hash) return
      before.hash = hash
      tell(`\n${name} was saved`)
      await judge(bot, before)
    } catch (error) {
      if (signal?.aborted) return
      if (!(error instanceof UserError || error instanceof TreeFault)) throw error
      // Its author can mend what keeps it from playing.
      tell(`  ${name}: ${visibleLines(spelled(wordingOf(error), context.spell))}`)
    }
  }

  try {
    for (const bot of bots) await look(bot)
    const names = bots.map((bot) => visible(basename(bot)))
    tell(`watching ${names.join(', ')}: save a bot, and it is checked and plays its version of before; Ctrl-C ends`)
    while (!signal?.aborted) {
      await after(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
      for (const bot of botsAt(watched)) if (!signal?.aborted) await look(bot)
    }
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
}

function botsAt(path: string): readonly string[] {
  const isBot = (folder: string): boolean => kindOf(folder) === 'folder' && namesIn(folder).includes('bot.toml')
  if (kindOf(path) === 'file' || isBot(path)) return [path]
  const within = namesIn(path).sort()
  return within.map((name) => join(path, name)).filter(isBot)
}

const failedText = ({ name, lines }: StepReport): string =>
  [`  FAILED ${name}`, ...lines.map((line) => `    ${line}`)].join('\n')

function checkedText({ ok, plays, covered }: CheckResult): string {
  if (ok) return `  speaks the wire: ${covered.questions} questions in ${covered.matches} matches, no fault`
  return plays ? '  plays, with the faults above' : '  does not play: its version of before stays the one to beat'
}

export function duelLine({ score: [won, drawn, lost], fixed, elo }: Pick<Duel, 'score' | 'fixed' | 'elo'>): string {
  const compared = (lead: number, level: string): string => (lead > 0 ? 'better' : lead < 0 ? 'worse' : level)
  const verdict = fixed
    ? `${compared(won - lost, 'no difference')}: each game is the same again`
    : `${compared(Math.max(elo.low, 0) + Math.min(elo.high, 0), 'not distinguishable yet')} (${eloWords(elo)})`
  return `against its version of before: ${won} won, ${drawn} drawn, ${lost} lost: ${verdict}`
}

/** With its interval. Where one side lost no game, games bound it on one side only: the bound, and no estimate. */
function eloWords({ rating, low, high }: Duel['elo']): string {
  if (low === -Infinity && high === Infinity) return 'Elo unknown'
  if (low === -Infinity) return `below ${signed(high)} Elo, 95 %`
  if (high === Infinity) return `above ${signed(low)} Elo, 95 %`
  return `${signed(rating)} Elo, 95 %: ${signed(low)} to ${signed(high)}`
}
