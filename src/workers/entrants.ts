import { botOf } from '../core/index.js'
import { type BotIsolation, type Prepared, freshLoads, runnerOf } from '../build/index.js'
import type { Entrant } from '../engine/index.js'
import { sandboxLimits } from '../sandbox/index.js'
import type { SandboxSetting } from '../bots/index.js'
import type { EntrantSetup, RunSetup, Workplace } from './messages.js'

/** An entrant as the engine seats it: programs in sandboxes, where this machine has them. */
export function entrantOf(
  { name, wire, memory, run, house, warm, strict, version }: Prepared,
  isolation: BotIsolation,
  limits: Readonly<Record<string, number>>,
  pool: Pick<SandboxSetting, 'from' | 'to'> = {},
): Entrant {
  const made = sandboxOf(isolation, limits, warm, strict)
  const sandbox = made && { ...made, ...pool }
  const given = run.kind === 'module' ? run.given : undefined
  const about = { name, wire, memory, version, given }
  if (run.kind === 'module' && !house && !isolation.trust && sandbox !== undefined && run.folder !== undefined)
    return { ...about, run: { kind: 'runner', ...runnerOf(run.file, run.given), source: run.folder, sandbox } }
  if (run.kind === 'process') {
    return {
      ...about,
      run: { kind: 'process', argv: run.argv, source: run.cwd, sandbox },
    }
  }
  const load = freshLoads(run.file)
  return { ...about, run: { kind: 'module', load: async () => botOf(await load(), run.given) } }
}

/** The options of a bot's sandbox; undefined: it has none. */
function sandboxOf(isolation: BotIsolation, limits: Readonly<Record<string, number>>, warm = true, strict = false) {
  return isolation.maker && { maker: isolation.maker, limits: sandboxLimits(limits), warm: warm && !strict, strict }
}

/** Splits entrants into what travels to workers and what is found where they were prepared. */
export function splitEntrants(prepared: readonly Prepared[]): Pick<RunSetup, 'entrants'> & Pick<Workplace, 'programs'> {
  const entrants: EntrantSetup[] = []
  const programs = new Map<string, Prepared['run']>()
  for (const { run, ...entrant } of prepared) {
    entrants.push(entrant)
    programs.set(entrant.name, run)
  }
  return { entrants, programs }
}
