import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type BotModule,
  type GameDefinition,
  type Options,
  UserError,
  below,
  botOf,
  message,
  messageOf,
  option,
} from '../../core/index.js'
import { chanceOf } from '../../bots/index.js'
import { houseBots, importFresh } from '../../contest/index.js'
import { type Knowledge, answersTo, sequenceForm } from '../../lab/index.js'

/** How much an opponent that knows a bot's policy could win from it. */
export interface MeasuredBot {
  readonly name: string
  /** What best answers gain against it above the game's value, on average of the two seats. */
  readonly exploitability: number
  /** False: its policy was found by asking it many times, and what it loses by is estimated, rather too high. */
  readonly exact: boolean
}

/**
 * Measures modules against their best answers. `bots`: house bots by name, or, where they are trusted, files. Throws UserError for a bot
 * whose policy cannot be asked for: a program, a module that does not load, throws, remembers, or answers what is not legal.
 */
export async function measured(
  definition: GameDefinition,
  options: Options,
  bots: readonly string[],
  trust: boolean,
): Promise<readonly MeasuredBot[]> {
  if (bots.length === 0) return []
  const form = sequenceForm(definition, options)
  const all: MeasuredBot[] = []
  for (const name of bots) {
    const bot = new AskedBot(name, await loaded(name, fileOf(definition, name, trust)))
    const policies = new Map<Knowledge, readonly number[]>()
    for (const knowledge of form.knowledge.flat()) policies.set(knowledge, await bot.policy(knowledge))
    const [most, least] = answersTo(form, (knowledge) => policies.get(knowledge) ?? [])
    all.push({ name, exploitability: Math.max(0, (most - least) / 2), exact: bot.exact })
  }
  return all
}

function fileOf(definition: GameDefinition, name: string, trust: boolean): string {
  const house = houseBots(definition).find(({ spec }) => spec.name === name)
  if (house?.spec.module !== undefined) {
    const source = resolve(house.base, house.spec.module)
    // In the package it lies compiled.
    return existsSync(source) ? source : source.replace(/\.ts$/, '.js')
  }
  if (house !== undefined) throw new UserError(`${name} is a program: only modules can be asked for their policy`)
  if (!/\.[cm]?[jt]s$/.test(name))
    throw new UserError(
      `no house bot ${JSON.stringify(name)}, and no module's file: name one, or a file such as ./mybot.ts`,
    )
  if (!trust) throw new UserError(message`${name} would run in agon's own process: only ${option('trust')} allows it`)
  return resolve(name)
}

/** Modules that were loaded: a file that has changed since it was measured before is loaded again. */
let loads = 0

async function loaded(name: string, file: string): Promise<BotModule> {
  if (!existsSync(file)) throw new UserError(`there is no file ${name}: give the path of a module`)
  try {
    return (await importFresh(file, `measured ${loads++}`)) as BotModule
  } catch (error) {
    throw unmeasured(name, `it does not load: ${messageOf(error)}`)
  }
}

const unmeasured = (name: string, why: string): UserError =>
  new UserError(`${name} cannot be measured: ${why.replace(/\s+/g, ' ')}`)

/** Questions to a bot that draws, for each thing that it may know. */
const ASKED = 1000

/** A module in this process, of which it is asked how it plays wherever it may come to: what it tells of itself (`policy`), or as it answers. */
class AskedBot {
  /** Whether all that was asked for is as the bot plays, and not estimated. */
  exact = true
  private readonly bot: ReturnType<typeof botOf>

  constructor(
    private readonly name: string,
    private readonly module: BotModule & { readonly policy?: unknown },
  ) {
    try {
      this.bot = botOf(module)
    } catch (error) {
      throw unmeasured(name, messageOf(error))
    }
  }

  /** How probable it makes each action. Throws UserError where that cannot be asked for. */
  async policy({ view, actions }: Knowledge): Promise<readonly number[]> {
    const { policy, parameters } = this.module
    // What it tells of itself knows nothing of parameters.
    if (typeof policy === 'function' && parameters === undefined) {
      const figures = await this.run(() => (policy as (view: unknown) => Readonly<Record<string, number>>)(view))
      return actions.map((action) => figures[action] ?? 0)
    }
    const first = await this.answer(view, actions, 0)
    if (!first.drew) {
      const again = await this.answer(view, actions, 1)
      if (again.at !== first.at)
        throw unmeasured(this.name, 'it answers the same view differently without using its random numbers')
      return actions.map((_, i) => Number(i === first.at))
    }
    this.exact = false
    const counts = actions.map(() => 0)
    for (let seed = 0; seed < ASKED; seed++) {
      const { at } = await this.answer(view, actions, seed)
      counts[at] = (counts[at] ?? 0) + 1
    }
    return counts.map((n) => n / ASKED)
  }

  private async answer(view: unknown, actions: readonly string[], seed: number) {
    let drew = false
    const chance = chanceOf(() => {
      drew = true
      // As in a match, where no two seeds are near each other.
      return below(2 ** 31, `measured/${seed}`)
    })
    const action = await this.run(() => this.bot(view, chance, actions))
    const at = actions.indexOf(action)
    if (at < 0)
      throw unmeasured(this.name, `it answers ${JSON.stringify(action)} where ${actions.join(', ')} are legal`)
    return { at, drew }
  }

  private async run<T>(call: () => T | Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      throw unmeasured(this.name, `it throws: ${messageOf(error)}`)
    }
  }
}
