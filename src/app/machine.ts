import { availableParallelism } from 'node:os'
import { UserError, message, option, spelled } from '../core/index.js'
import type { BotIsolation } from '../build/index.js'
import { distrust } from '../files/index.js'
import { findIsolation, findings } from '../sandbox/index.js'
import type { Context } from './context.js'

export { allowed } from '../sandbox/index.js'

export interface IsolationOptions {
  /** All bots run among the host's own processes. */
  readonly noIsolation?: boolean
  /** Strangers' modules run in agon's own process. */
  readonly trust?: boolean
}

/** Looks at the machine. House bots among `bots` are not refused: a notice says what is lacking. Throws UserError if what it has does not work. */
export async function findBotIsolation(
  { noIsolation, trust = false }: IsolationOptions,
  bots: readonly { readonly house: boolean }[],
  { workspace, notice, spell, sandboxesOnly }: Context,
): Promise<BotIsolation> {
  if (noIsolation) {
    if (bots.some(({ house }) => !house)) notice('no isolation: these bots can read your files and use your network')
    return { trust }
  }
  distrust(workspace)
  const { launcher, program, lacks, remedy, trouble } = await findIsolation()
  if (trouble) throw new UserError(`this machine lacks ${lacks}; mend it: ${remedy}`)
  if (launcher !== undefined && program !== undefined) return { maker: { launcher, bubblewrap: program }, trust }
  if (bots.some(({ house }) => house))
    notice(`house bots run without sandboxes: this machine lacks ${lacks} (${remedy})`)
  const needs = `it is a stranger's bot, and its sandbox needs ${lacks ?? ''}, which`
  const refusal = sandboxesOnly
    ? `${needs} the machine of this site lacks: its host can mend that (${remedy ?? ''})`
    : message`${needs} this machine lacks: ${remedy ?? ''}, or ${option('unsafeNoIsolation')} for a bot that you trust`
  return { trust, refusal: spelled(refusal, spell) }
}

/** What this machine has to isolate bots with, and what it lacks; `isolates`: the bots of strangers can be run here. */
export async function examineMachine() {
  const found = await findings()
  return { findings: found, isolates: !found.some(({ ok }) => ok === false) }
}

export interface Jobs {
  /** Matches, or pairs of them. */
  readonly jobs: number
  /** Bots whose clocks run: as many as there are cores, or as were asked for. */
  readonly timed: number
  /** As many as the user asked for, if he did: of all workers together, where workers play. */
  readonly asked?: number | undefined
}

/** As many jobs as asked for, else one a core. More wait with their clocks running: noted, unless timing is `strict` (undefined: no such option). */
export function jobsOf(asked: number | undefined, strict: boolean | undefined, { notice, spell }: Context): Jobs {
  const cores = availableParallelism()
  const jobs = asked ?? cores
  if (strict) return { jobs, timed: cores }
  if (jobs > cores) {
    const remedy = strict === undefined ? '' : message`; ${option('strictTiming')} times as many as there are`
    const warning = message`${option('jobs', jobs)}: more bots are timed at once than there are cores (${cores}), and wait for each other${remedy}`
    notice(spelled(warning, spell))
  }
  return { jobs, timed: Math.max(cores, jobs) }
}
