import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type GameDefinition, type Legal, type Outcome, UserError, isLegal } from '../../core/index.js'
import { PassingPlayer } from '../../core/passing-player.js'
import type { LiveStep } from '../../match/index.js'
import type { Context } from '../context.js'
import { RemotePlayer } from '../person.js'
import { MatchHost, entriesNamed, forgetful } from '../match-host.js'
import { type MatchTerms, botsOfTerms } from '../terms.js'

/** Who sits where in an environment. */
export interface EnvironmentTerms extends MatchTerms {
  /** Bots, in the order of the other seats. None: the learner plays all seats. */
  readonly opponents: readonly string[]
  /** The learner's seat; absent: 0. */
  readonly seat?: number
  /** How many seats the learner plays where it plays all; absent: as few as the game takes. */
  readonly seats?: number
}

/** What a learner is sent of an episode. */
export interface Scene {
  /** By seat: what it sees and may do. Seats that are not due are absent, until the end. */
  readonly seats: ReadonlyMap<number, { readonly view: unknown; readonly legal: Legal }>
  /** Absent: it goes on. */
  readonly outcome?: Outcome
}

class ChangingSeat extends PassingPlayer {
  constructor(override player: RemotePlayer) {
    super(player)
  }
}

/** A match at a time in which a learner plays one seat against bots, or all of them. To be closed. */
export class Environment {
  private readonly stop = new AbortController()
  private playing: Promise<void> = Promise.resolve()
  private givenUp = false
  private over = true
  private after: unknown
  private outcome: Outcome | undefined
  private failure: Error | undefined
  private host!: MatchHost

  private constructor(
    private readonly definition: GameDefinition,
    /** By seat; undefined: a bot's. */
    private readonly learners: readonly (ChangingSeat | undefined)[],
  ) {}

  /** Builds the bots and seats them. Throws UserError for what the user can mend. */
  static async open(definition: GameDefinition, terms: EnvironmentTerms, context: Context): Promise<Environment> {
    const { opponents, seat = 0, seats = definition.game.seats.min } = terms
    const entries = entriesNamed(definition, opponents, terms.wires)
    const size = opponents.length === 0 ? seats : opponents.length + 1
    if (seat >= size) throw new UserError(`there is no seat ${seat}: seats count from 0, and ${size} play here`)
    const wished = { ...terms, seed: terms.seed ?? SEED, guests: size - entries.length }
    const { bots, setting } = await botsOfTerms(definition, entries, wished, context)
    const learners = Array.from({ length: size }, (_, n) =>
      opponents.length === 0 || n === seat ? new ChangingSeat(new RemotePlayer(definition)) : undefined,
    )
    const own = new Environment(definition, learners)
    const waiting = bots.map(forgetful)
    const participants = learners.map((player, n) =>
      player === undefined
        ? { bot: waiting.shift() as (typeof bots)[number] }
        : { name: opponents.length === 0 ? `learner ${n}` : 'learner', player },
    )
    const given = { ...setting, givenUp: () => own.givenUp }
    own.host = new MatchHost(definition, participants, given, { ...context, signal: own.stop.signal })
    return own
  }

  /** Begins an episode; one that is under way is given up. All its chance follows from the seed; absent: a new one. */
  async reset(seed: string = randomBytes(16).toString('hex')): Promise<Scene> {
    await this.giveUp()
    for (const learner of this.learners) if (learner) learner.player = new RemotePlayer(this.definition)
    this.over = false
    this.outcome = undefined
    this.failure = undefined
    this.playing = this.play(`episode ${seed}`)
    return this.scene()
  }

  /** By seat the actions of all that are due. Throws UserError, and the episode stays as it is, for what is not legal. */
  async step(actions: ReadonlyMap<number, string>): Promise<Scene> {
    if (this.over) throw new UserError('the episode is over, or none has begun: reset begins one')
    const due = this.due()
    for (const { seat, asked } of due) {
      const action = actions.get(seat)
      if (action === undefined) throw new UserError(`seat ${seat} is due, and has no action`)
      if (!isLegal(asked.legal, action))
        throw new UserError(`${JSON.stringify(action).slice(0, 100)} is not legal now: legal lists what is`)
    }
    const extra = [...actions.keys()].find((seat) => !due.some((one) => one.seat === seat))
    if (extra !== undefined) throw new UserError(`seat ${extra} is not due now`)
    for (const { seat, player } of due) player.move(actions.get(seat) as string)
    return this.scene()
  }

  /** The learner's only seat; undefined: it has several. */
  get only(): number | undefined {
    const own = this.learners.flatMap((learner, seat) => (learner === undefined ? [] : [seat]))
    return own.length === 1 ? own[0] : undefined
  }

  async close(): Promise<void> {
    await this.giveUp()
    this.stop.abort()
    await this.host.close()
  }

  private due() {
    return this.learners.flatMap((learner, seat) => {
      const player = learner?.player
      return player?.asked === undefined ? [] : [{ seat, player, asked: player.asked }]
    })
  }

  /** Waits until a learner is due, or the match is over: all that are due in a turn are asked at the same time. */
  private async scene(): Promise<Scene> {
    const asking = this.learners.flatMap((learner) => (learner === undefined ? [] : [learner.player.asking()]))
    await (asking.length === 1 ? asking[0] : Promise.race(asking))
    if (this.over) await this.playing
    if (this.failure !== undefined) throw this.failure
    const { outcome } = this
    if (outcome === undefined) return { seats: new Map(this.due().map(({ seat, asked }) => [seat, asked])) }
    const { game } = this.definition
    const last = this.learners.flatMap((learner, seat) =>
      learner === undefined ? [] : [[seat, { view: game.view(this.after, seat), legal: [] }] as const],
    )
    return { seats: new Map(last), outcome }
  }

  private async play(episode: string): Promise<void> {
    this.after = undefined
    try {
      const onStep = (step: LiveStep): void => void (this.after = step.after)
      const record = await this.host.play({ episode, onStep })
      this.outcome = record.outcome
    } catch (error) {
      if (!this.givenUp) this.failure = error instanceof Error ? error : new Error(String(error))
    } finally {
      this.over = true
      for (const learner of this.learners) learner?.player.leave()
    }
  }

  private async giveUp(): Promise<void> {
    if (!this.over) {
      this.givenUp = true
      for (const learner of this.learners) learner?.player.dismiss()
    }
    await this.playing
    this.givenUp = false
  }
}

/** An episode's own seed decides all: without another one, bots draw the same in every environment. */
const SEED = 'environment'

/** What an outcome is worth to a seat: 1 to a seat ahead of all others, −1 to one behind all, 0 where as many are behind as ahead. */
export function rewardOf({ place }: Outcome, seat: number): number {
  const own = place[seat] ?? 0
  const behind = place.filter((other) => other > own).length
  const ahead = place.filter((other) => other < own).length
  return place.length < 2 ? 0 : (behind - ahead) / (place.length - 1)
}

/**
 * Answers a learner's line with a line, both JSON: `{"type":"reset","seed"}` and `{"type":"step","action"}`, where the learner plays all
 * seats `{"type":"step","actions"}` by seat. What it gets wrong is answered by `{"error"}`, and changes nothing.
 */
export async function answerLine(environment: Environment, line: string): Promise<string> {
  try {
    return JSON.stringify(sceneLine(environment, await sceneAfter(environment, messageOf(line))))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return JSON.stringify({ error: error.message })
  }
}

type Message = Readonly<Record<string, unknown>>

function messageOf(line: string): Message {
  try {
    const message: unknown = JSON.parse(line)
    if (typeof message === 'object' && message !== null) return message as Message
  } catch {
    // Reported below.
  }
  throw new UserError('a line is a JSON object, such as {"type":"reset","seed":"1"}')
}

function sceneAfter(environment: Environment, message: Message): Promise<Scene> {
  const { type, seed } = message
  if (type === 'step') return environment.step(actionsOf(environment, message))
  if (type !== 'reset') throw new UserError('type is "reset" or "step"')
  if (seed === undefined || seed === null) return environment.reset()
  if (typeof seed !== 'string' && typeof seed !== 'number') throw new UserError('seed is a text or a number')
  return environment.reset(String(seed))
}

function actionsOf({ only }: Environment, { action, actions }: Message): Map<number, string> {
  if (only !== undefined) {
    if (typeof action !== 'string') throw new UserError('action is a text, one of legal')
    return new Map([[only, action]])
  }
  if (typeof actions !== 'object' || actions === null) throw new UserError('actions has an action by seat: {"0":"…"}')
  return new Map(
    Object.entries(actions).map(([seat, one]) => {
      if (typeof one !== 'string') throw new UserError(`the action of seat ${seat} is a text, one of its legal ones`)
      return [Number(seat), one]
    }),
  )
}

function sceneLine({ only }: Environment, { seats, outcome }: Scene): Readonly<Record<string, unknown>> {
  const reward = (seat: number): number => (outcome === undefined ? 0 : rewardOf(outcome, seat))
  const end = { terminated: outcome !== undefined, outcome }
  if (only !== undefined) {
    const { view, legal } = seats.get(only) ?? { view: null, legal: [] }
    return { observation: view, legal, reward: reward(only), ...end }
  }
  const all = [...seats]
  return {
    observations: Object.fromEntries(all.map(([seat, { view }]) => [seat, view])),
    legal: Object.fromEntries(all.map(([seat, { legal }]) => [seat, legal])),
    rewards: Object.fromEntries(all.map(([seat]) => [seat, reward(seat)])),
    ...end,
  }
}

/** A file that makes environments for Python of these lines. */
export const pythonFile = (): string =>
  readFileSync(fileURLToPath(new URL('../../../templates/env/agon_env.py', import.meta.url)), 'utf8')
