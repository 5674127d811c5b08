import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Bot } from '../core/index.js'
import { chanceOf } from '../bots/index.js'
import { importFresh } from '../contest/load-module.js'

/*
 * The process that a stranger's module runs in, in its sandbox: a line of JSON for each question, {"view": …}, and one for its
 * answer, {"said": text} or {"threw": text}. The first question, {}, is answered when the module has been loaded. What the module
 * prints goes to standard error.
 */

/** Standard output is ours alone. */
function answer(what: Readonly<Record<string, unknown>>): void {
  const text = JSON.stringify(what).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  writeSync(1, `${text}\n`)
}

const inWords = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

async function load(file: string): Promise<Bot<unknown, string> | string> {
  try {
    const loaded = (await importFresh(file, 'cell')) as { default?: unknown }
    if (typeof loaded.default === 'function') return loaded.default as Bot<unknown, string>
    return `its default export is ${typeof loaded.default}, not a function (view) => action`
  } catch (error) {
    return inWords(error)
  }
}

async function serve(file: string): Promise<void> {
  Object.defineProperty(process, 'stdout', { value: process.stderr })
  const bot = await load(file)
  const chance = chanceOf(Number(process.env['AGON_SEED']))
  for await (const line of createInterface({ input: process.stdin })) {
    const question = JSON.parse(line) as { view?: unknown }
    if (typeof bot === 'string') answer({ unloadable: bot })
    else if (!('view' in question)) answer({ loaded: true })
    else {
      try {
        const said: unknown = await bot(question.view, chance)
        if (said === undefined || said === null) answer({})
        else if (typeof said === 'string' || typeof said === 'number') answer({ said: String(said) })
        else answer({ threw: `returned ${typeof said}, not a text` })
      } catch (error) {
        answer({ threw: `threw ${inWords(error)}` })
      }
    }
  }
}

await serve(process.argv[2] ?? '')
process.exit()
