import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import {
  type Answer,
  type Bot as BotFunction,
  type Chance,
  type Heard,
  type Player,
  type Question,
  moduleWire,
} from '../core/index.js'
import { NO_START, StderrTail, deadline } from '../sandbox/index.js'
import { printsOf } from './prints.js'
import { type Bot, type BotLife, CLOSED, OUTPUT_BYTES, livesOn } from './life.js'

/** A function in this process. Only for bots that the host trusts: it cannot be stopped while it computes. */
export class ModuleBot implements Bot {
  private bot: BotFunction<unknown, string> | undefined
  private chance: Chance = chanceOf(0)
  private closed = false
  /** Why its module could not be loaded. */
  private unloadable: Heard | undefined

  constructor(
    private readonly life: BotLife,
    /** Loads the module with fresh variables, and gives its function. */
    private readonly load: () => Promise<BotFunction<unknown, string>>,
  ) {}

  async begin(key: string): Promise<void> {
    const lives = livesOn(this.life.memory)
    if (this.bot !== undefined && lives) return
    this.chance = chanceOf(this.life.seed(lives ? this.life.key : key))
    this.unloadable = undefined
    try {
      this.bot = await printsOf(this.life.stderr, this.load)
    } catch (error) {
      // As with a program that cannot be started, every answer it owes is a crash.
      this.bot = undefined
      this.unloadable = { trouble: 'crash', why: `${NO_START}: ${inWords(error)}` }
    }
  }

  async ready(): Promise<Answer> {
    return { heard: {}, wallUs: 0 }
  }

  tell(): void {
    // It sees all it needs in the next view.
  }

  async ask(question: Question): Promise<Answer> {
    const began = performance.now()
    const heard = await this.answer(question)
    const wallUs = (performance.now() - began) * 1000
    const late = wallUs > question.limit * 1000 && heard.trouble === undefined
    return { heard: late ? { trouble: 'timeout', why: `no answer within ${question.limit} ms` } : heard, wallUs }
  }

  dismiss(): void {
    // Nothing of it runs between questions.
  }
  async end(): Promise<void> {
    // Its variables live on, or are loaded afresh at the next beginning.
  }
  async close(): Promise<void> {
    this.closed = true
    this.bot = undefined
  }
  disturbed(): undefined {
    return undefined
  }
  snapshot(): undefined {
    return undefined
  }
  restore(): void {
    // It keeps nothing on disk.
  }
  amend(): void {
    // Nor does it here.
  }

  private async answer({ view, limit }: Question): Promise<Heard> {
    if (this.closed) return CLOSED
    if (this.unloadable !== undefined) return this.unloadable
    try {
      const { stderr, output } = this.life
      const said: unknown = printsOf(stderr, () => this.bot?.(view, this.chance))
      return asHeard(said instanceof Promise ? await within(said, limit) : said, output)
    } catch (error) {
      return { trouble: 'crash', why: `threw ${inWords(error)}` }
    }
  }
}

/** A seat for a function in this process, for those who use agon as a library; `seed` is what its chance comes from. */
export function modulePlayer(bot: BotFunction<unknown, string>, seed = 0): Player {
  const life = {
    name: 'bot',
    wire: moduleWire(),
    memory: 'tournament',
    key: '',
    seed: () => seed,
    output: OUTPUT_BYTES,
    told: 0,
    stderr: new StderrTail(),
    note: () => undefined,
  } as const
  return new ModuleBot(life, async () => bot)
}

const inWords = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

const LATE = Symbol('late')

function within(answer: Promise<unknown>, limit: number): Promise<unknown> {
  return new Promise((done, failed) => {
    const callOff = deadline(limit, () => done(LATE))
    answer.then(done, failed).finally(callOff)
  })
}

function asHeard(said: unknown, most: number): Heard {
  if (said === LATE) return { trouble: 'timeout', why: 'no answer in time' }
  if (typeof said === 'string' && said.length > most)
    return { trouble: 'flood', why: `returned more than ${most} characters` }
  if (typeof said === 'string') return { out: said }
  if (typeof said === 'number') return { out: String(said) }
  return said === undefined || said === null ? {} : { trouble: 'crash', why: `returned ${typeof said}, not a text` }
}

/** A bot's own chance from its AGON_SEED. */
export function chanceOf(seed: number): Chance {
  const generator = xoroshiro128plus(seed)
  return {
    seed,
    random: () => uniformInt(generator, 0, 2 ** 30 - 1) / 2 ** 30,
    below: (n) => uniformInt(generator, 0, n - 1),
  }
}
