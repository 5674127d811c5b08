import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { type Bot, type BotModule, type BotParameters, botOf, takesLegal } from '../core/index.js'
import { SIDE_BY_SIDE, chanceOf } from '../bots/index.js'
import { importFresh } from '../contest/load-module.js'
import { type BotQuestion, type Returned, answer, askBot, inWords, serveFrames, thrown } from './frames.js'

/*
 * The process that a stranger's module runs in, in its sandbox: a line of JSON for each question, {"view": …}, and one for its
 * answer, as of a frame of one question. The first question, {}, is answered when the module has been loaded, like the first frame: it
 * shows whether it wants the legal actions, too: {"view": …, "legal": […]}. What the module prints goes to standard error.
 * For many matches at once it is asked in frames: frames.ts.
 */

/** Errors whose places were written to standard error: once each, as it may have only so many bytes. */
const told = new Set<string>()
const MOST_TOLD = 20

function tell(error: unknown, file: string): void {
  const words = inWords(error)
  if (!(error instanceof Error) || told.has(words) || told.size >= MOST_TOLD) return
  told.add(words)
  const own = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line) && line.includes(dirname(file)))
  const places = own.map((line) => line.replace(/file:\/\/|\?life=\w+/g, ''))
  process.stderr.write(`${[words, ...places].join('\n')}\n`)
}

async function load(file: string, given: BotParameters): Promise<Bot<unknown, string> | string> {
  let module: BotModule
  try {
    module = (await importFresh(file, 'sandbox')) as BotModule
  } catch (error) {
    // Errors of a transpiler have lines.
    return inWords(error).replaceAll(/\s*\n\s*/g, ' ')
  }
  try {
    return botOf(module, given)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function serve(file: string, given: BotParameters): Promise<void> {
  const bot = await load(file, given)
  const chance = chanceOf(() => Number(process.env['AGON_SEED']))
  const threw = (error: unknown): Returned => {
    tell(error, file)
    return thrown(error)
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const question = JSON.parse(line) as BotQuestion
    if (typeof bot === 'string') answer({ unloadable: bot })
    else if (!('view' in question)) answer({ legal: takesLegal(bot) })
    else answer([[0, ...(await askBot(bot, question, chance, threw))]])
  }
}

const [, , file = '', ...rest] = process.argv
const mode = rest.at(-1)
const given = JSON.parse(rest.find((word) => word !== SIDE_BY_SIDE) ?? '{}') as BotParameters
Object.defineProperty(process, 'stdout', { value: process.stderr })
await (mode === SIDE_BY_SIDE ? serveFrames(file, given) : serve(file, given))
process.exit()
