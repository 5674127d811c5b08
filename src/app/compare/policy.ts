import { type Bot, type BotModule, type BotParameters, UserError, below, botOf, messageOf } from '../../core/index.js'
import { chanceOf } from '../../bots/index.js'
import { type Knowledge, type sequenceForm, answersTo } from '../../lab/index.js'

/** How much an opponent that knows a bot's policy could win from it. */
export interface Measured {
  /** What best answers gain against it above the game's value, on average of the two seats. */
  readonly exploitability: number
  /** False: its policy was found by asking it many times, and what it loses by is estimated, rather too high. */
  readonly exact: boolean
}

/** How a bot plays wherever it may come to. */
export interface Policy {
  /** Whether all that was asked for is as the bot plays, and not estimated. */
  readonly exact: boolean
  /** How probable it makes each action. Throws UserError where that cannot be asked for. */
  of(knowledge: Knowledge): Promise<readonly number[]>
}

/** Measures a policy against its best answers. */
export async function measuredBy(form: ReturnType<typeof sequenceForm>, policy: Policy): Promise<Measured> {
  const policies = new Map<Knowledge, readonly number[]>()
  for (const knowledge of form.knowledge.flat()) policies.set(knowledge, await policy.of(knowledge))
  const [most, least] = answersTo(form, (knowledge) => policies.get(knowledge) ?? [])
  return { exploitability: Math.max(0, (most - least) / 2), exact: policy.exact }
}

/** Questions to a bot that draws, for each thing that it may know. */
const ASKED = 1000

/** A module in this process: what it tells of itself (`policy`), or as it answers. */
export class ModulePolicy implements Policy {
  exact = true
  private readonly bot: Bot<unknown, string>

  constructor(
    private readonly name: string,
    private readonly module: BotModule & { readonly policy?: unknown },
    given?: BotParameters,
  ) {
    try {
      this.bot = botOf(module, given)
    } catch (error) {
      throw new UserError(`${name} cannot be measured: ${messageOf(error)}`)
    }
  }

  async of({ view, actions }: Knowledge): Promise<readonly number[]> {
    const { policy } = this.module
    // What it tells of itself knows nothing of parameters.
    if (typeof policy === 'function' && this.module.parameters === undefined) {
      const figures = await this.asked(() => (policy as (view: unknown) => Readonly<Record<string, number>>)(view))
      return actions.map((action) => figures[action] ?? 0)
    }
    const first = await this.answer(view, actions, 0)
    if (!first.drew) {
      const again = await this.answer(view, actions, 1)
      if (again.at !== first.at)
        throw new UserError(
          `${this.name} cannot be measured: it answers the same view differently without using its random numbers`,
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

  /** What its code gives back. */
  private async asked<T>(call: () => T | Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      throw new UserError(`${this.name} cannot be measured: it throws: ${messageOf(error).replace(/\s+/g, ' ')}`)
    }
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
    const action = await this.asked(() => this.bot(view, chance, actions))
    const at = actions.indexOf(action)
    if (at < 0)
      throw new UserError(
        `${this.name} cannot be measured: it answers ${JSON.stringify(action)} where ${actions.join(', ')} are legal`,
      )
    return { at, drew }
  }
}
