import { join, relative } from 'node:path'
import {
  type Contest,
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
import { type Entry, commandBot, gameFile, refuseLimit, refuseOption } from '../contest/index.js'
import {
  type BotIsolation,
  type BuiltEntrant,
  type PrepareRules,
  planOf,
  prepareBots,
  wasBuilt,
} from '../build/index.js'
import type { OwnFolder } from '../files/index.js'
import { HostError } from '../sandbox/index.js'
import { Disturbed, BotFactory, lookAtFirst, refuseDisturbed, yieldToOthers } from '../engine/index.js'
import { seatable } from '../engine/seating.js'
import { type LiveStep, type Setting, judgeAgain, playMatch, withParameters } from '../match/index.js'
import type { SeatedBot } from '../bots/index.js'
import { withError } from './run/admit.js'
import { secretSeed } from './run/find.js'
import { whenAborted, type Context } from './context.js'
import { type IsolationOptions, findBotIsolation } from './machine.js'
import { RestingBot } from './resting-bot.js'
import { roomsFolder } from './workspace.js'

/* Matches of no contest: their terms, their bots and the host that plays them. */

/** `limits` are over the wires' own. */
export interface MatchTerms extends IsolationOptions, PrepareRules {
  /** Of all chance; absent: a secret one. */
  readonly seed?: string
  /** Of commands, one for all or one a bot; absent: the game's standard. */
  readonly wires?: readonly string[]
  /** The game's options that differ from its standard. */
  readonly options?: Options
  readonly steps?: number
}

/** The terms of a contest, without its luck, for a match that is none of its own. */
export function termsOf({ options, limits, steps, memory, strictMemory }: Contest): MatchTerms {
  return { options, limits, steps, memory, strictMemory }
}

/** What matches of these terms have in common. Throws UserError for options that the game does not take. */
export function settingOf(
  definition: GameDefinition,
  { seed = secretSeed(), options: changes = {}, limits = {}, steps }: MatchTerms,
  seats: number,
): Omit<MatchHostSetting, 'isolation'> {
  const { game } = definition
  const refuse = (why: string | undefined): void => {
    if (why !== undefined) throw new UserError(why)
  }
  for (const [name, value] of Object.entries(changes)) refuse(refuseOption(definition, name, value))
  const options = { ...game.options, ...changes }
  const unfit = game.refuse?.(options, seats)
  if (unfit !== undefined) throw new UserError(`${game.id} cannot be played so: ${unfit}`)
  for (const name of Object.keys(limits)) refuse(refuseLimit(definition, limits, name))
  return { seed, options, limits, steps }
}

/** Bots as people name them, not yet built. `wires`: as in `MatchTerms`. Throws UserError for no bot. */
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

/** Builds bots. Throws UserError if one cannot play. */
export async function botsReady(
  definition: GameDefinition,
  entries: readonly Entry[],
  how: PrepareRules & { readonly isolation: BotIsolation },
  { workspace, notice }: Context,
): Promise<BuiltEntrant[]> {
  const prepared = await prepareBots(entries, definition, { ...how, workspace, onNote: notice })
  return prepared.map((bot) => {
    if (wasBuilt(bot)) return bot
    const why = message`${bot.name} cannot play: ${withError(bot)}`
    if (bot.log === undefined) throw new UserError(why)
    throw new UserError(message`${why}; ${command(`check ${definition.game.id}`)} shows all that its build printed`)
  })
}

/** Builds bots, and their setting. `guests`: seats of others. Throws as `settingOf` and `botsReady`. */
export async function botsOfTerms(
  definition: GameDefinition,
  entries: readonly Entry[],
  { guests = 0, ...terms }: MatchTerms & { readonly guests?: number },
  context: Context,
): Promise<{ readonly bots: readonly BuiltEntrant[]; readonly setting: MatchHostSetting }> {
  const setting = settingOf(definition, terms, entries.length + guests)
  context.signal?.throwIfAborted()
  const isolation = await findBotIsolation(terms, entries, context)
  const bots = await botsReady(definition, entries, { ...terms, isolation }, context)
  return { bots, setting: { ...setting, isolation } }
}

/** The hash by which a workspace stages a source, and its files. Throws UserError for a mistake in the entry. */
export async function sourceOf(entry: Entry, definition: GameDefinition, terms: MatchTerms) {
  const { hash, source } = await planOf(entry, definition, terms)
  return { hash, files: new Set(source.files.map(({ path }) => relative(source.root, path))) }
}

/** A bot that remembers no match before. */
export const forgetful = (bot: BuiltEntrant): BuiltEntrant =>
  bot.memory === 'turn' ? bot : { ...bot, memory: 'match' }

/** Numbers repeated names, apart from all others. */
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

export interface MatchHostSetting {
  readonly seed: string
  readonly options: Options
  /** Milliseconds by name, and `output` in bytes. */
  readonly limits: Readonly<Record<string, number>>
  readonly isolation: BotIsolation
  readonly steps?: number
  /** Asked before each turn: whether the match is given up, and rejects. */
  readonly givenUp?: () => boolean
  /** Milliseconds without a question after which a bot is ended until it is asked again (`RestingBot`); absent: bots live through their match. */
  readonly idleMs?: number
  /** Called before each match, so that observers can begin. */
  readonly onStart?: Setting['onStart']
}

/** A bot that was built, or another player, such as a person. */
export type Participant =
  { readonly bot: BuiltEntrant; watch?(player: Player): Player } | { readonly name: string; readonly player: Player }

type Seat = ReturnType<MatchHost['seat']>

interface HostedMatch {
  /** Seats move on by one with each; absent: 0. */
  readonly number?: number
  /** Matches of the same deal share their luck; absent: the number. */
  readonly deal?: number
  /** All chance of the match and its bots follows from this text alone. */
  readonly episode?: string
  readonly onStep?: (step: LiveStep) => void
  /** Called before a void match is played again. */
  readonly again?: () => void
}

/** Times in all that a match is played which this machine makes fail. */
const ATTEMPTS = 3

/** To be closed. */
export class MatchHost {
  readonly names: readonly string[]
  private readonly rooms: OwnFolder
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
    const { length } = participants
    if (length < min || length > max)
      throw new UserError(
        `${definition.game.id} is played by ${min === max ? min : `${min} to ${max}`}, and here ${length === 1 ? 'is' : 'are'} ${length}: name a bot for each seat`,
      )
    this.rooms = roomsFolder(context.workspace)
    this.factory = new BotFactory({
      seed: setting.seed,
      wires: wiresOf(definition, setting.options),
      rooms: join(this.rooms.folder, 'bots'),
      limits: setting.limits,
      note: context.notice,
    })
    this.seats = participants.map((participant) => this.seat(participant))
    this.names = this.seats.map(({ entrant }) => entrant)
    // The bot that is waited for then answers that it was ended.
    this.deaf = whenAborted(context.signal, () => {
      for (const { player } of this.seats) player.dismiss()
    })
  }

  seat(participant: Participant) {
    if (!('bot' in participant)) return { entrant: participant.name, wire: 'module', player: participant.player }
    const { definition, setting, context } = this
    const { isolation, limits, options, idleMs } = setting
    const entrant = seatable(participant.bot, isolation, limits, { seats: context.seats })
    const { name, wire, with: given, memory, remote } = entrant
    const make = (): SeatedBot => this.factory.bot(entrant, 'match')
    // Whether it keeps anything from one question to the next.
    const remembers = memory !== 'turn' || wiresOf(definition, options)[wire]?.state !== undefined
    // A remote bot rests by itself.
    const bot = idleMs === undefined || remote ? make() : new RestingBot(make, remembers, idleMs)
    this.bots.push(bot)
    return { entrant: name, wire, player: participant.watch?.(bot) ?? bot, given }
  }

  /** A position before the first turn, of any luck. */
  start(): unknown {
    return this.definition.game.setup(this.seats.length, this.setting.options, newLuck(''))
  }

  /**
   * Plays a match, again if void: a bot was killed from outside, or has no sandbox. Rejects with the signal's reason.
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
    const { options, limits, steps, onStart } = setting
    const { id, version } = definition.game
    const ids = this.seats.map((_, seat) => (seat + number) % this.seats.length)
    const seats = ids.map((at) => ({ ...(this.seats[at] as Seat), id: at }))
    const file = gameFile(definition)
    const givenUp = (): boolean => this.context.signal?.aborted === true || setting.givenUp?.() === true
    const played = await playMatch({
      fixture: {
        agon: 1,
        key: episode ?? (number === 0 ? 'match' : `match ${number + 1}`),
        game: id,
        version,
        options,
        luck: matchLuck(episode ?? setting.seed, id, this.names, deal),
        field: seats.length,
        seats: seats.map(({ entrant, wire, id: index }) => ({ entrant, wire, id: index })),
      },
      definition,
      players: seats.map(({ player }) => player),
      limits,
      steps,
      onStart,
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
    this.rooms.release()
  }
}
