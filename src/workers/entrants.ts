import { type Bot, UserError } from '../core/index.js'
import { importFresh } from '../contest/index.js'
import { type Hold, type Prepared, runnerOf } from '../build/index.js'
import type { Entrant } from '../engine/index.js'
import { sandboxLimits } from '../sandbox/index.js'
import type { SandboxSetting } from '../bots/index.js'
import type { EntrantSetup, RunSetup, Workplace } from './messages.js'

/** An entrant as the engine seats it: programs in sandboxes, where this machine has them. */
export function entrantOf(
  { name, wire, memory, run, house, warm, strict, version }: Prepared,
  holding: Hold,
  limits: Readonly<Record<string, number>>,
  pool: Pick<SandboxSetting, 'from' | 'to'> = {},
): Entrant {
  const made = sandboxOf(holding, limits, warm, strict)
  const sandbox = made && { ...made, ...pool }
  const about = { name, wire, memory, ...(version !== undefined && { version }) }
  if (run.kind === 'module' && !house && !holding.trust && sandbox !== undefined && run.folder !== undefined)
    return { ...about, run: { kind: 'runner', ...runnerOf(run.file), source: run.folder, sandbox } }
  if (run.kind === 'process') {
    return {
      ...about,
      run: { kind: 'process', argv: run.argv, source: run.cwd, ...(sandbox && { sandbox }) },
    }
  }
  return { ...about, run: { kind: 'module', load: () => loadBot(run.file) } }
}

/** What a bot's sandbox is made with, where it lives in one. */
function sandboxOf(holding: Hold, limits: Readonly<Record<string, number>>, warm = true, strict = false) {
  return holding.maker && { maker: holding.maker, limits: sandboxLimits(limits), warm: warm && !strict, strict }
}

let loads = 0

async function loadBot(file: string): Promise<Bot<unknown, string>> {
  const loaded = (await importFresh(file, String(loads++))) as { default?: unknown }
  if (typeof loaded.default !== 'function') {
    throw new UserError(
      `${file}: a bot's default export is a function (view) => action; this one has ${typeof loaded.default}`,
    )
  }
  return loaded.default as Bot<unknown, string>
}

/** Splits entrants into what travels to workers and what is found where they were prepared. */
export function splitEntrants(prepared: readonly Prepared[]): Pick<RunSetup, 'entrants'> & Pick<Workplace, 'programs'> {
  const entrants: EntrantSetup[] = []
  const programs: Record<string, Prepared['run']> = {}
  for (const { run, ...entrant } of prepared) {
    entrants.push(entrant)
    programs[entrant.name] = run
  }
  return { entrants, programs }
}
