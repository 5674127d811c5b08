import type { Bot } from '../core/index.js'
import { UserError } from '../core/index.js'
import { type Prepared, importFresh } from '../contest/index.js'
import type { Entrant } from '../engine/index.js'

/** An entrant as the engine seats it. */
export function entrantOf({ name, wire, memory, run }: Prepared): Entrant {
  if (run.kind === 'process') return { name, wire, memory, run: { kind: 'process', argv: run.argv, source: run.cwd } }
  return { name, wire, memory, run: { kind: 'module', load: () => loadBot(run.file) } }
}

let lives = 0

async function loadBot(file: string): Promise<Bot<unknown, string>> {
  const loaded = (await importFresh(file, String(lives++))) as { default?: unknown }
  if (typeof loaded.default !== 'function')
    throw new UserError(
      `${file}: a bot's default export is a function (view) => action; this one has ${typeof loaded.default}`,
    )
  return loaded.default as Bot<unknown, string>
}
