import { readSync, writeSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { StringDecoder } from 'node:string_decoder'
import { type Bot, type BotParameters, type Chance, returnedText, takesLegal } from '../core/index.js'
import { MARK, chanceOf } from '../bots/index.js'
import { NoScript } from './module-script.js'
import { type Realm, realmsOf } from './realms.js'

/*
 * The process in which many lives of a stranger's module are led, side by side. It is sent frames: a line with the number of lines
 * that follow, and these. `+ID SEED` opens a life, `-ID` closes one, `?ID {"view":…,"legal":…}` asks one. It answers each frame
 * with a line of JSON, an entry for each `+` and `?` in order: [microseconds, text], [microseconds] where it returned nothing or
 * a life was opened, [microseconds, null, what went wrong]; a fourth part, where there is one, has the lines `agon:name=value` that the
 * life printed while it was asked. One is asked at a time, so what is printed meanwhile is its own. The first frame is empty: its answer is {"legal": whether it takes the
 * legal actions}, or {"unloadable": why it can share no process}.
 *
 * Input is read by blocking: between two frames there is nothing to do.
 */

interface Life extends Realm {
  readonly chance: Chance
}
type Entry = readonly [us: number, text?: string | null, trouble?: string | null, printed?: readonly string[]]

/** An error of any realm. */
export const inWords = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error && 'message' in error
    ? `${String(error.name)}: ${String(error.message)}`
    : String(error)

/** Writes a line of JSON to standard output, in ASCII by escapes, as the other side reads bytes. */
export function answer(value: unknown): void {
  const text = JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  for (let rest = Buffer.from(`${text}\n`, 'latin1'); rest.length > 0; rest = rest.subarray(writeSync(1, rest)));
}

export async function serveFrames(file: string, given: BotParameters): Promise<void> {
  const input = new Input()
  const bots = await botsOf(file, given)
  while (true) {
    const lines = input.frame()
    if (lines === undefined) return
    if (typeof bots === 'string') answer({ unloadable: bots })
    else answer(lines.length === 0 ? { legal: bots.legal } : await bots.serve(lines))
    // What a bot has left to run later gets a turn.
    await new Promise((done) => setImmediate(done))
  }
}

/** A text is why the module can share no process. */
async function botsOf(file: string, given: BotParameters): Promise<Bots | string> {
  try {
    const open = await realmsOf(file, given)
    const { bot, close } = open()
    close()
    return new Bots(open, takesLegal(bot))
  } catch (error) {
    return error instanceof NoScript ? error.message : inWords(error)
  }
}

/** Lines that an answer brings along at most, and characters of one. */
const PRINTED = { lines: 32, characters: 128 }

/** The figures among what is printed in this process, from one question to the next. */
class Printed {
  private readonly lines: string[] = []
  private rest = ''

  constructor() {
    const { stderr } = process
    const print = stderr.write.bind(stderr) as (...words: unknown[]) => boolean
    stderr.write = (chunk: string | Uint8Array, ...words: unknown[]) => {
      this.add(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1'))
      return print(chunk, ...words)
    }
  }

  take(): readonly string[] {
    this.rest = ''
    return this.lines.splice(0)
  }

  private add(text: string): void {
    const lines = (this.rest + text).split('\n')
    this.rest = (lines.pop() ?? '').slice(0, PRINTED.characters)
    for (const line of lines)
      if (line.startsWith(MARK) && line.length <= PRINTED.characters) {
        // The last value of a name counts.
        if (this.lines.length === PRINTED.lines) this.lines.shift()
        this.lines.push(line)
      }
  }
}

class Bots {
  private readonly open = new Map<string, Life>()
  private readonly printed = new Printed()

  constructor(
    private readonly openRealm: () => Realm,
    readonly legal: boolean,
  ) {}

  async serve(lines: readonly string[]): Promise<readonly Entry[]> {
    const entries: Entry[] = []
    for (const line of lines) {
      const space = line.indexOf(' ')
      const id = space < 0 ? line.slice(1) : line.slice(1, space)
      if (line.startsWith('-')) {
        this.open.get(id)?.close()
        this.open.delete(id)
      } else {
        const began = performance.now()
        const entry = line.startsWith('+')
          ? this.begin(id, Number(line.slice(space + 1)))
          : await this.ask(id, line.slice(space + 1))
        const us = Math.round((performance.now() - began) * 1000)
        const printed = this.printed.take()
        const [text = null, trouble = null] = entry
        entries.push(printed.length === 0 ? [us, ...entry] : [us, text, trouble, printed])
      }
    }
    return entries
  }

  private begin(id: string, seed: number): [] | [null, string] {
    try {
      this.open.set(id, { ...this.openRealm(), chance: chanceOf(() => seed) })
      return []
    } catch (error) {
      return [null, inWords(error)]
    }
  }

  private ask(id: string, text: string): Returned | PromiseLike<Returned> {
    const life = this.open.get(id)
    if (life === undefined) return [null, 'was never opened']
    return askBot(life.bot, life.parse(text) as BotQuestion, life.chance)
  }
}

/** The rest of an entry: what a bot returned, or what went wrong. */
export type Returned = [] | [string] | [null, string]

export interface BotQuestion {
  readonly view?: unknown
  readonly legal?: readonly string[]
}

/** Asks a bot. `threw`: what stands for an error. */
export function askBot(
  bot: Bot<unknown, string>,
  { view, legal = [] }: BotQuestion,
  chance: Chance,
  threw = thrown,
): Returned | PromiseLike<Returned> {
  try {
    const returned: unknown = bot(view, chance, legal)
    return isThenable(returned) ? returned.then(entryOf, threw) : entryOf(returned)
  } catch (error) {
    return threw(error)
  }
}

export const thrown = (error: unknown): Returned => [null, `threw ${inWords(error)}`]

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

function entryOf(returned: unknown): Returned {
  if (returned === undefined || returned === null) return []
  const text = returnedText(returned)
  return text === undefined ? [null, `returned ${typeof returned}, not a text`] : [text]
}

class Input {
  private readonly buffer = Buffer.allocUnsafe(65_536)
  private readonly decoder = new StringDecoder('utf8')
  private text = ''

  /** The lines of the next frame; undefined: there are no more. */
  frame(): readonly string[] | undefined {
    const head = this.line()
    if (head === undefined) return undefined
    const lines: string[] = []
    for (let left = Number(head); left > 0; left--) {
      const line = this.line()
      if (line === undefined) return undefined
      lines.push(line)
    }
    return lines
  }

  private line(): string | undefined {
    for (let from = 0; ;) {
      const end = this.text.indexOf('\n', from)
      if (end >= 0) {
        const line = this.text.slice(0, end)
        this.text = this.text.slice(end + 1)
        return line
      }
      from = this.text.length
      const read = readSync(0, this.buffer)
      if (read === 0) return undefined
      this.text += this.decoder.write(this.buffer.subarray(0, read))
    }
  }
}
