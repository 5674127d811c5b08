import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type GameDefinition, type Legal, type Outcome, UserError, isLegal } from '../../core/index.js'
import { PassingPlayer } from '../../core/passing-player.js'
import type { Context } from '../context.js'
import { RemotePlayer } from '../person.js'
import { MatchHost, type MatchTerms, type Participant, botsOfTerms, entriesNamed, forgetful } from '../match-host.js'

export interface EnvironmentTerms extends MatchTerms {
  /** Bots, in the order of the other seats. None: the learner plays all seats. */
  readonly opponents: readonly string[]
  /** The learner's seat; absent: 0. */
  readonly seat?: number
  /** Seats of a learner that plays all; absent: as few as the game takes. */
  readonly seats?: number
}

export interface Scene {
  /** By seat; until the end, only seats that are due. */
  readonly seats: ReadonlyMap<number, { readonly view: unknown; readonly legal: Legal }>
  /** Absent: it goes on. */
  readonly outcome?: Outcome
}

/** Each episode seats another player here. */
class LearnerSeat extends PassingPlayer {
  constructor(
    readonly seat: number,
    override player: RemotePlayer,
  ) {
    super(player)
  }
}

/** Seats built bots, and a learner in each other seat. */
async function seated(definition: GameDefinition, terms: EnvironmentTerms, context: Context, givenUp: () => boolean) {
  const { opponents, seat = 0, seats = definition.game.seats.min } = terms
  const entries = entriesNamed(definition, opponents, terms.wires)
  const size = opponents.length === 0 ? seats : opponents.length + 1
  if (seat >= size) throw new UserError(`there is no seat ${seat}: seats count from 0, and ${size} play here`)
  const wished = { ...terms, seed: terms.seed ?? SEED, guests: size - entries.length }
  const { bots, setting } = await botsOfTerms(definition, entries, wished, context)
  const own = opponents.length === 0 ? Array.from({ length: size }, (_, n) => n) : [seat]
  const learners = own.map((n) => new LearnerSeat(n, new RemotePlayer(definition)))
  const participants: Participant[] = bots.map((bot) => ({ bot: forgetful(bot) }))
  for (const player of learners) {
    const name = opponents.length === 0 ? `learner ${player.seat}` : 'learner'
    participants.splice(player.seat, 0, { name, player })
  }
  const host = new MatchHost(definition, participants, { ...setting, givenUp }, { ...context, signal: undefined })
  return { learners, host }
}

export type Environment = Awaited<ReturnType<typeof openEnvironment>>

/** Plays a match at a time. To be closed. Throws UserError. */
export async function openEnvironment(definition: GameDefinition, terms: EnvironmentTerms, context: Context) {
  let playing: Promise<void> = Promise.resolve()
  let givenUp = false
  let over = true
  let after: unknown
  let outcome: Outcome | undefined
  let failure: Error | undefined
  const { learners, host } = await seated(definition, terms, context, () => givenUp)

  async function play(episode: string): Promise<void> {
    after = undefined
    try {
      const record = await host.play({ episode, onStep: (step) => void (after = step.after) })
      outcome = record.outcome
    } catch (error) {
      if (!givenUp) failure = error as Error
    } finally {
      over = true
      for (const { player } of learners) player.leave()
    }
  }

  async function giveUp(): Promise<void> {
    if (!over) {
      givenUp = true
      for (const { player } of learners) player.dismiss()
    }
    await playing
    givenUp = false
  }

  /** Waits for all learners that are due in a turn, or the match's end. */
  async function scene(): Promise<Scene> {
    await Promise.race(learners.map(({ player }) => player.asking()))
    if (over) await playing
    if (failure !== undefined) throw failure
    const seats = learners.flatMap(({ seat, player: { asked } }) => {
      const shown = outcome === undefined ? asked : { view: definition.game.view(after, seat), legal: [] }
      return shown === undefined ? [] : [[seat, shown] as const]
    })
    return { seats: new Map(seats), outcome }
  }

  return {
    /** The learner's only seat; undefined: it has several. */
    only: learners.length === 1 ? learners[0]?.seat : undefined,

    /** Gives up an episode under way. All chance of the new one follows from the seed; absent: a new seed. */
    async reset(seed: string = randomBytes(16).toString('hex')): Promise<Scene> {
      await giveUp()
      for (const learner of learners) learner.player = new RemotePlayer(definition)
      over = false
      outcome = undefined
      failure = undefined
      playing = play(`episode ${seed}`)
      return scene()
    },

    /** By seat, of all that are due. For what is not legal, throws UserError and changes nothing. */
    async step(actions: ReadonlyMap<number, string>): Promise<Scene> {
      if (over) throw new UserError('the episode is over, or none has begun: reset begins one')
      const due = learners.filter(({ player }) => player.asked !== undefined)
      for (const { seat, player } of due) {
        const action = actions.get(seat)
        if (action === undefined) throw new UserError(`seat ${seat} is due, and has no action`)
        if (!isLegal(player.asked?.legal ?? [], action))
          throw new UserError(`${JSON.stringify(action).slice(0, 100)} is not legal now: legal lists what is`)
      }
      const extra = [...actions.keys()].find((seat) => !due.some((learner) => learner.seat === seat))
      if (extra !== undefined) throw new UserError(`seat ${extra} is not due now`)
      for (const { seat, player } of due) player.move(actions.get(seat) as string)
      return scene()
    },

    async close(): Promise<void> {
      await giveUp()
      await host.close()
    },
  }
}

/** An episode's own seed decides all: bots draw the same in every environment. */
const SEED = 'environment'

/** 1 to a seat ahead of all others, −1 behind all, 0 where as many are behind as ahead. */
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

function messageOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const message: unknown = JSON.parse(line)
    if (typeof message === 'object' && message !== null) return message as Readonly<Record<string, unknown>>
  } catch {
    // Reported below.
  }
  throw new UserError('a line is a JSON object, such as {"type":"reset","seed":"1"}')
}

function sceneAfter(environment: Environment, message: Readonly<Record<string, unknown>>): Promise<Scene> {
  const { type, seed } = message
  if (type === 'step') return environment.step(actionsOf(environment, message))
  if (type !== 'reset') throw new UserError('type is "reset" or "step"')
  if (seed === undefined || seed === null) return environment.reset()
  if (typeof seed !== 'string' && typeof seed !== 'number') throw new UserError('seed is a text or a number')
  return environment.reset(String(seed))
}

function actionsOf({ only }: Environment, { action, actions }: Readonly<Record<string, unknown>>): Map<number, string> {
  const given = only === undefined ? actions : { [only]: action }
  if (typeof given !== 'object' || given === null) throw new UserError('actions has an action by seat: {"0":"…"}')
  return new Map(
    Object.entries(given).map(([seat, each]: readonly [string, unknown]) => {
      const which = only === undefined ? `the action of seat ${seat}` : 'action'
      if (typeof each !== 'string') throw new UserError(`${which} is a text, one of its legal ones`)
      return [Number(seat), each]
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

export const pythonFile = (): string =>
  readFileSync(fileURLToPath(new URL('../../../templates/env/agon_env.py', import.meta.url)), 'utf8')
