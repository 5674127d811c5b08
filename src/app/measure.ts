import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type Bot,
  type BotModule,
  type GameDefinition,
  type Options,
  UserError,
  below,
  botOf,
  message,
  option,
  messageOf,
} from '../core/index.js'
import { chanceOf } from '../bots/index.js'
import { houseBots, importFresh } from '../contest/index.js'
import { type Knowledge, answersTo, sequenceForm } from '../solve/index.js'

/** How much a best answer wins of a bot. */
export interface MeasuredBot {
  readonly name: string
  /** What best answers gain against it above the game's value, on average of the two seats. */
  readonly exploitability: number
  /** False: its policy was found by asking it many times, and what it loses by is estimated, rather too high. */
  readonly exact: boolean
}

/** Questions to a bot that draws, for each thing that it may know. */
const ASKED = 1000

/**
 * Measures modules against their best answers. `bots`: house bots by name, or, where they are trusted, files. Throws UserError for a bot
 * whose policy cannot be asked for: a program, a module that remembers, one that answers what is not legal.
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
    const file = fileOf(definition, name, trust)
    const asked = new Policy(name, (await importFresh(file, `measured ${all.length}`)) as BotModule)
    const policies = new Map<Knowledge, readonly number[]>()
    for (const knowledge of form.knowledge.flat()) policies.set(knowledge, await asked.policy(knowledge))
    const [most, least] = answersTo(form, (knowledge) => policies.get(knowledge) ?? [])
    all.push({ name, exploitability: (most - least) / 2, exact: asked.exact })
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

/** What a bot plays in each case: as it tells itself, or as it answers. */
class Policy {
  exact = true
  private readonly bot: Bot<unknown, string>

  constructor(
    private readonly name: string,
    private readonly module: BotModule & { readonly policy?: unknown },
  ) {
    try {
      this.bot = botOf(module)
    } catch (error) {
      throw new UserError(`${name} cannot be measured: ${messageOf(error)}`)
    }
  }

  async policy({ view, actions }: Knowledge): Promise<readonly number[]> {
    const { policy } = this.module
    if (typeof policy === 'function') {
      const figures = (policy as (view: unknown) => Readonly<Record<string, number>>)(view)
      return actions.map((action) => figures[action] ?? 0)
    }
    const first = await this.answer(view, actions, 0)
    if (!first.drew) {
      const again = await this.answer(view, actions, 1)
      if (again.at !== first.at)
        throw new UserError(
          `${this.name} cannot be measured: it answers the same view otherwise without drawing from its chance`,
        )
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

  private async answer(
    view: unknown,
    actions: readonly string[],
    seed: number,
  ): Promise<{ at: number; drew: boolean }> {
    let drew = false
    const chance = chanceOf(() => {
      drew = true
      // As in a match, where no two seeds are near each other.
      return below(2 ** 31, `measured/${seed}`)
    })
    const action = await this.bot(view, chance, actions)
    const at = actions.indexOf(action)
    if (at < 0)
      throw new UserError(
        `${this.name} cannot be measured: it answers ${JSON.stringify(action)} where ${actions.join(', ')} are legal`,
      )
    return { at, drew }
  }
}
