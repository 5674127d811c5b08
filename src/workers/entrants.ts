import { Console } from 'node:console'
import { Writable } from 'node:stream'
import { type Bot, UserError } from '../core/index.js'
import { StderrTail } from '../sandbox/index.js'
import { importFresh } from '../contest/index.js'
import { type Prepared, runnerOf } from '../build/index.js'
import type { Entrant } from '../engine/index.js'
import type { CellSetting } from '../bots/index.js'
import { type Holding, cellOf } from '../app/holding.js'
import { tell, visibleLines } from '../cli/terminal.js'

/** An entrant as the engine seats it: programs in cells, where this machine has them. */
export function entrantOf(
  { name, wire, memory, run, house, warm, strict }: Prepared,
  holding: Holding,
  limits: Readonly<Record<string, number>>,
  vacancies: Pick<CellSetting, 'from' | 'to'> = {},
): Entrant {
  const made = cellOf(holding, limits, warm, strict)
  const cell = made && { ...made, ...vacancies }
  if (run.kind === 'module' && !house && !holding.trust && cell !== undefined && run.folder !== undefined)
    return { name, wire, memory, run: { kind: 'runner', ...runnerOf(run.file), source: run.folder, cell } }
  if (run.kind === 'process') {
    return { name, wire, memory, run: { kind: 'process', argv: run.argv, source: run.cwd, ...(cell && { cell }) } }
  }
  return { name, wire, memory, run: { kind: 'module', load: () => loadBot(name, run.file) } }
}

/** What the modules of entrants printed while they were asked, its end; processes have their standard error. */
export const printedBy = (name: string): string => printed.get(name)?.read() ?? ''

const printed = new Map<string, StderrTail>()
let speaking: StderrTail | undefined
let lives = 0

async function loadBot(name: string, file: string): Promise<Bot<unknown, string>> {
  catchPrints()
  const loaded = (await importFresh(file, String(lives++))) as { default?: unknown }
  if (typeof loaded.default !== 'function') {
    throw new UserError(
      `${file}: a bot's default export is a function (view) => action; this one has ${typeof loaded.default}`,
    )
  }
  const bot = loaded.default as Bot<unknown, string>
  const log = printed.get(name) ?? new StderrTail()
  printed.set(name, log)
  return (view, chance) => {
    speaking = log
    try {
      return bot(view, chance)
    } finally {
      speaking = undefined
    }
  }
}

/**
 * What a module prints shares this process's console with agon's own results. It is kept like the standard error of a program;
 * what comes at other times, as when a module is loaded, goes to standard error with its control characters written out.
 */
function catchPrints(): void {
  if (caught) return
  caught = true
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (speaking) speaking.add(chunk)
      else tell(visibleLines(chunk.toString().trimEnd()))
      done()
    },
  })
  globalThis.console = new Console({ stdout: sink, stderr: sink })
}
let caught = false
