import type { RandomGenerator } from 'pure-rand/types/RandomGenerator'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import {
  type Answer,
  type Bot,
  type Chance,
  type BotOutput,
  type PrintedFigure,
  type Question,
  lentView,
  returnedText,
  takesLegal,
  flooded,
  isList,
} from '../core/index.js'
import { EXHAUSTED, NO_START, codeOf, deadline, hostError } from '../sandbox/index.js'
import { printsOf } from './prints.js'
import { type SeatedBot, type BotLife, CLOSED, outlivesMatch } from './life.js'

/** Milliseconds of a call of a module that keep this thread from reading what programs print. */
const LONG_MS = 20
let kept = 0

/** Milliseconds that modules kept this thread since it last read its pipes: what it reads was printed within them. */
export const keptByModules = (): number => kept

function keep(ms: number): void {
  if (ms < LONG_MS) return
  kept += ms
  // The first turn of the loop may be past its pipes: after a second all are read.
  setImmediate(() => setImmediate(() => (kept -= ms)))
}

/** A function in this process, only for trusted bots: nothing stops it while it computes. */
export class ModuleBot implements SeatedBot {
  private bot: Bot<unknown, string> | undefined
  private chance: Chance = chanceOf(() => 0)
  private closed = false
  private wantsLegal = false
  private unloadable: BotOutput | undefined

  constructor(
    private readonly life: BotLife,
    /** Loads the module afresh, and gives its function. */
    private readonly load: () => Promise<Bot<unknown, string>>,
  ) {}

  begin(key: string): Promise<void> | void {
    const outlives = outlivesMatch(this.life.memory)
    this.life.figures?.begin()
    if (this.bot !== undefined && outlives) return
    this.chance = chanceOf(() => this.life.seed(outlives ? this.life.key : key))
    this.unloadable = undefined
    return this.reload()
  }

  private async reload(): Promise<void> {
    try {
      this.bot = await printsOf(this.life.stderr, this.load)
      this.wantsLegal = takesLegal(this.bot)
    } catch (error) {
      if (EXHAUSTED.has(codeOf(error))) throw hostError('a module could not be loaded', error)
      // As of a program that cannot start, every answer is a crash.
      this.bot = undefined
      this.unloadable = { trouble: 'crash', why: `${NO_START}: ${inWords(error)}` }
    }
  }

  async ready(): Promise<Answer> {
    return { output: {}, wallUs: 0 }
  }

  send(): void {
    // It sees all it needs in the next view.
  }

  ask(question: Question): Promise<Answer> | Answer {
    if (this.closed) return { output: CLOSED, wallUs: 0 }
    if (this.unloadable !== undefined) return { output: this.unloadable, wallUs: 0 }
    const { bot, chance, life } = this
    const { view, limit } = question
    life.figures?.asked(question.number)
    const actions = (this.wantsLegal && question.legal?.(view)) || []
    // A bot of a game whose actions have a shape says so in its own type.
    const legal = (isList(actions) ? [...actions] : actions) as readonly string[]
    const seen = lentView(view)
    const began = performance.now()
    try {
      const returned: unknown = printsOf(life.stderr, bot as Bot<unknown, string>, seen, chance, legal)
      if (returned instanceof Promise) return this.answerLater(returned, limit, began)
      return answerOf(asOutput(returned, life.outputBytes), limit, began)
    } catch (error) {
      return answerOf(thrown(error), limit, began)
    } finally {
      keep(performance.now() - began)
    }
  }

  figures(): readonly PrintedFigure[] {
    return this.life.figures?.figures() ?? []
  }

  dismiss(): void {
    // Nothing of it runs between questions.
  }
  end(): void {
    // Its variables live on, or load afresh at the next start.
  }
  async close(): Promise<void> {
    this.closed = true
    this.bot = undefined
  }

  private async answerLater(returned: Promise<unknown>, limit: number, began: number): Promise<Answer> {
    const output = within(returned, limit).then((value) => asOutput(value, this.life.outputBytes))
    return answerOf(await output.catch(thrown), limit, began)
  }
}

const thrown = (error: unknown): BotOutput => ({ trouble: 'crash', why: `threw ${inWords(error)}` })

function answerOf(output: BotOutput, limit: number, began: number): Answer {
  const wallUs = (performance.now() - began) * 1000
  if (wallUs <= limit * 1000 || output.trouble !== undefined) return { output, wallUs }
  return { output: { trouble: 'timeout', why: `no answer within ${limit} ms` }, wallUs }
}

const inWords = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

const LATE = Symbol('late')

function within(answer: Promise<unknown>, limit: number): Promise<unknown> {
  return new Promise((done, failed) => {
    const callOff = deadline(limit, () => done(LATE))
    answer.then(done, failed).finally(callOff)
  })
}

function asOutput(returned: unknown, most: number): BotOutput {
  if (returned === LATE) return { trouble: 'timeout', why: 'no answer in time' }
  if (returned === undefined || returned === null) return {}
  const out = returnedText(returned)
  if (out === undefined) return { trouble: 'crash', why: `returned ${typeof returned}, not a text` }
  return out.length > most ? flooded(`returned more than ${most} characters`) : { out }
}

/** A bot's own chance from its AGON_SEED, a hash: computed once the bot wants any, as many never do. */
export function chanceOf(seedOf: () => number): Chance {
  let seed: number | undefined
  let made: RandomGenerator | undefined
  const known = (): number => (seed ??= seedOf())
  const generator = (): RandomGenerator => (made ??= xoroshiro128plus(known()))
  return {
    get seed() {
      return known()
    },
    random: () => uniformInt(generator(), 0, 2 ** 30 - 1) / 2 ** 30,
    below: (n) => uniformInt(generator(), 0, n - 1),
  }
}
