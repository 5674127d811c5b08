import { join } from 'node:path'
import {
  type BotParameters,
  type GameDefinition,
  type MatchRecord,
  type Options,
  type Player,
  UserError,
  command,
  matchLuck,
  message,
  option,
  newLuck,
  wiresOf,
} from '../core/index.js'
import { type Entry, commandBot, gameFile } from '../contest/index.js'
import {
  type BotIsolation,
  type BuiltEntrant,
  type NotBuilt,
  type PrepareRules,
  prepareBots,
  wasBuilt,
} from '../build/index.js'
import { HostError } from '../sandbox/index.js'
import { Disturbed, BotFactory, lookAtFirst, refuseDisturbed, yieldToOthers } from '../engine/index.js'
import { type LiveStep, type Setting, judgeAgain, playMatch, withParameters } from '../match/index.js'
import type { SeatedBot } from '../bots/index.js'
import { withError } from './run/admit.js'
import { whenAborted, type Context } from './context.js'
import { RestingBot } from './resting-bot.js'
import { seatable } from '../engine/seating.js'
import { type Rooms, roomsFolder } from './workspace.js'

/**
 * Bots as people name them (a house bot's name, a file, a command), not yet built. `wires`: of the commands among them, one for all or one a bot; none:
 * the game's standard. Throws UserError for a word that names no bot.
 */
export function entriesNamed(
  definition: GameDefinition,
  words: readonly string[],
  wires: readonly string[] = [],
): readonly Entry[] {
  if (wires.length > 1 && wires.length !== words.length)
    throw new UserError(
      message`${option('wire', wires.join(','))}: ${String(wires.length)} wires for ${String(words.length)} bots: give one for all, or one for each`,
    )
  const entries = words.map((word, i) => commandBot(word, definition, wires.length > 1 ? wires[i] : wires[0]))
  const names = distinct(entries.map(({ spec }) => spec.name))
  return entries.map((entry, i) => ({ ...entry, spec: { ...entry.spec, name: names[i] ?? entry.spec.name } }))
}

export function prepareNamed(
  definition: GameDefinition,
  entries: readonly Entry[],
  how: PrepareRules & { readonly isolation: BotIsolation },
  { workspace, notice }: Context,
): Promise<(BuiltEntrant | NotBuilt)[]> {
  return prepareBots(entries, definition, { ...how, workspace, onNote: notice })
}

/** The same, ready to be seated. Throws UserError where one cannot play. */
export async function botsReady(
  definition: GameDefinition,
  entries: readonly Entry[],
  how: PrepareRules & { readonly isolation: BotIsolation },
  context: Context,
): Promise<BuiltEntrant[]> {
  const prepared = await prepareNamed(definition, entries, how, context)
  return prepared.map((bot) => {
    if (!wasBuilt(bot)) {
      const why = message`${bot.name} cannot play: ${withError(bot)}`
      if (bot.log === undefined) throw new UserError(why)
      throw new UserError(message`${why}; ${command(`check ${definition.game.id}`)} shows all that its build printed`)
    }
    return bot
  })
}

/** A bot that begins each match afresh, and remembers none that was before. */
export const forgetful = (bot: BuiltEntrant): BuiltEntrant =>
  bot.memory === 'turn' ? bot : { ...bot, memory: 'match' }

/** Names with a number behind those that stand there twice, such as no other name has. */
export function distinct(names: readonly string[]): string[] {
  const taken = new Set(names)
  return names.map((name, i) => {
    if (names.indexOf(name) === i) return name
    let n = 2
    while (taken.has(`${name} (${n})`)) n++
    taken.add(`${name} (${n})`)
    return `${name} (${n})`
  })
}

/** What the matches of a host have in common. */
export interface MatchHostSetting {
  readonly seed: string
  readonly options: Options
  /** Milliseconds by name, and `output` in bytes. */
  readonly limits: Readonly<Record<string, number>>
  readonly isolation: BotIsolation
  /** Steps of a match at most; absent: the usual. */
  readonly steps?: number
  /** Whether the match is given up, asked before each turn: it rejects then. */
  readonly givenUp?: () => boolean
  /** Milliseconds without a question after which a bot is ended until it is asked again (`RestingBot`); absent: bots live through their match. */
  readonly idleMs?: number
  /** Called before each match, so that observers of it, or of one seat's part of it, can begin. */
  readonly onStart?: Setting['onStart']
}

/** Who plays: a bot that was built, or another player, such as a person. */
export type Participant =
  { readonly bot: BuiltEntrant; watch?(player: Player): Player } | { readonly name: string; readonly player: Player }

interface Seat {
  readonly entrant: string
  readonly wire: string
  readonly player: Player
  readonly given?: BotParameters
}

/** Which match is played, and who follows it. */
interface HostedMatch {
  /** With each number the seats move on by one; absent: 0. */
  readonly number?: number
  /** Matches of the same deal share their luck; absent: the number. */
  readonly deal?: number
  /** All chance of the match and its bots follows from this text, and from nothing that was played before. */
  readonly episode?: string
  readonly onStep?: (step: LiveStep) => void
  /** Called before the match is played again, as it was void. */
  readonly again?: () => void
}

/** Where matches are played that belong to no tournament. To be closed. */
export class MatchHost {
  readonly names: readonly string[]
  private readonly rooms: Rooms
  private readonly factory: BotFactory
  private readonly bots: Pick<SeatedBot, 'close' | 'disturbed'>[] = []
  private closed = false
  private readonly deaf: () => void
  private readonly seats: readonly Seat[]

  constructor(
    private readonly definition: GameDefinition,
    participants: readonly Participant[],
    private readonly setting: MatchHostSetting,
    private readonly context: Context,
  ) {
    const { min, max } = definition.game.seats
    if (participants.length < min || participants.length > max) {
      const wanted = min === max ? min : `${min} to ${max}`
      throw new UserError(
        `${definition.game.id} is played by ${wanted}, and here ${isAre(participants.length)}: name a bot for each seat`,
      )
    }
    this.rooms = roomsFolder(context.workspace)
    this.factory = new BotFactory({
      seed: setting.seed,
      wires: wiresOf(definition, setting.options),
      rooms: join(this.rooms.folder, 'bots'),
      limits: setting.limits,
      note: context.notice,
    })
    this.seats = participants.map((participant) => {
      if (!('bot' in participant)) return { entrant: participant.name, wire: 'module', player: participant.player }
      const entrant = seatable(participant.bot, setting.isolation, setting.limits, { seats: context.seats })
      const make = (): SeatedBot => this.factory.bot(entrant, 'match')
      const { idleMs } = setting
      // A remote bot rests by itself.
      const bot =
        idleMs === undefined || entrant.remote ? make() : new RestingBot(make, this.remembers(entrant), idleMs)
      this.bots.push(bot)
      const { name, wire, with: given } = entrant
      return { entrant: name, wire, player: participant.watch?.(bot) ?? bot, given }
    })
    this.names = this.seats.map(({ entrant }) => entrant)
    // The bot that is waited for then answers that it was ended.
    this.deaf = whenAborted(context.signal, () => {
      for (const { player } of this.seats) player.dismiss()
    })
  }

  /** Whether a bot keeps anything from one question to the next. */
  private remembers({ memory, wire }: Pick<BuiltEntrant, 'memory' | 'wire'>): boolean {
    return memory !== 'turn' || wiresOf(this.definition, this.setting.options)[wire]?.state !== undefined
  }

  /** A position before the first turn, of any luck. */
  start(): unknown {
    const { definition, setting } = this
    return definition.game.setup(this.seats.length, setting.options, newLuck(''))
  }

  /**
   * Plays a match. One that is void, because a bot was killed from outside or its sandbox could not be made, is played again. Rejects with the reason
   * of the context's signal once that is aborted.
   */
  async play(match: HostedMatch = {}): Promise<MatchRecord> {
    const { signal } = this.context
    for (let before = 0; ; before++) {
      signal?.throwIfAborted()
      try {
        const record = await this.playOnce(match)
        signal?.throwIfAborted()
        refuseDisturbed(this.bots, before)
        return record
      } catch (error) {
        signal?.throwIfAborted()
        const isVoid = error instanceof Disturbed || (error instanceof HostError && before + 1 < ATTEMPTS)
        if (!isVoid || this.closed) throw error
        for (const bot of this.bots) bot.disturbed?.()
        this.context.notice(`the match is void and played again: ${error.message}`)
        match.again?.()
      }
    }
  }

  private async playOnce({ number = 0, deal = number, episode, onStep }: HostedMatch): Promise<MatchRecord> {
    const { definition, setting } = this
    const seats = this.seats.map((_, seat) => {
      const id = (seat + number) % this.seats.length
      return { ...(this.seats[id] as Seat), id }
    })
    const file = gameFile(definition)
    const givenUp = (): boolean => this.context.signal?.aborted === true || setting.givenUp?.() === true
    const played = await playMatch({
      fixture: {
        agon: 1,
        key: episode ?? (number === 0 ? 'match' : `match ${number + 1}`),
        game: definition.game.id,
        version: definition.game.version,
        options: setting.options,
        luck: matchLuck(episode ?? setting.seed, definition.game.id, this.names, deal),
        field: seats.length,
        seats: seats.map(({ entrant, wire, id }) => ({ entrant, wire, id })),
      },
      definition,
      players: seats.map(({ player }) => player),
      limits: setting.limits,
      steps: setting.steps,
      onStart: setting.onStart,
      onStep: onStep && ((step) => void (givenUp() || onStep(step))),
      file,
      yieldControl: yieldToOthers,
      givenUp,
    })
    const record = withParameters(
      played,
      seats.map(({ given }) => given),
    )
    if (file !== undefined && !givenUp()) {
      judgeAgain({ definition, file }, record)
      lookAtFirst({ definition, file }, record)
    }
    return record
  }

  /** The end of what an entrant wrote to standard error, or printed as a module. */
  stderr(name: string): string {
    return this.factory.stderr(name).trim()
  }

  async close(): Promise<void> {
    this.closed = true
    this.deaf()
    await Promise.all(this.bots.map((bot) => bot.close()))
    this.rooms.remove()
  }
}

/** A match that fails because of this machine is played so often in all. */
const ATTEMPTS = 3

const isAre = (n: number): string => (n === 1 ? 'is 1' : `are ${n}`)
