import {
  type Answer,
  type AnyWire,
  BusyError,
  GameMistake,
  type GameDefinition,
  type BotOutput,
  type Move,
  type Options,
  type Seat,
  isFault,
  newLuck,
  wiresOf,
  messageOf,
  tellingLine,
  faultOf,
  type Legal,
} from '../core/index.js'
import { HostError, NO_START } from '../sandbox/index.js'
import {
  type LiveMatch,
  LiveSteps,
  MatchState,
  askOf,
  judgeContext,
  limitOf,
  refuseLegal,
  wireAt,
  refuseView,
} from '../match/index.js'
import type { SeatedBot, Disturbance } from '../bots/index.js'
import { MOST_REPLAYS } from './arena.js'
import { type Seatable, BotFactory } from './entrant.js'

/** What came of an entrant's check before the tournament. */
export interface Admission {
  /** It cannot play: it does not start or load. */
  readonly refused?: string
  /** It starts, but crashes or is silent at the wire's admission call or its first question. */
  readonly mute?: string
  /** Its first answer was wrong or late: the host should know. */
  readonly warning?: string
  readonly unready?: true
}

export interface AdmissionSetting {
  readonly definition: GameDefinition
  readonly options: Options
  /** Of a match. */
  readonly seats: number
  readonly seed: string
  readonly limits: Readonly<Record<string, number>>
  readonly rooms: string
  /** The game's file, unless it ships with agon. */
  readonly gameFile?: string
  /** Times its limits until it counts as silent; before that it is late, a warning. Absent: 1. */
  readonly limitFactor?: number
}

/**
 * Starts an entrant in a life of its own, makes the wire's admission call, if any, and asks one question. An entrant that does not
 * start is refused; one that gives no answer is mute; the game prices a wrong answer. Rejects with a HostError where this machine
 * lacks a resource for a start, with a BusyError where it is too busy to judge.
 */
export async function admit(entrant: Seatable, setting: AdmissionSetting): Promise<Admission> {
  for (let before = 0; ; before++) {
    const seen: Disturbance[] = []
    const admission = await admitOnce(entrant, setting, seen)
    // A bot killed from outside is asked again.
    if (!seen.some(({ certain }) => before < (certain ? MOST_REPLAYS : 1))) return admission
  }
}

class NotStarted extends Error {}

async function admitOnce(entrant: Seatable, setting: AdmissionSetting, seen: Disturbance[]): Promise<Admission> {
  const { definition, options, seed, limitFactor = 1 } = setting
  const wires = wiresOf(definition, options)
  const wire = wires[entrant.wire] as AnyWire
  const start = wire.loads && { [wire.loads.within]: limitFactor * limitOf(setting.limits, wire, wire.loads.within) }
  const limits = { ...setting.limits, ...start }
  const factory = new BotFactory({ seed, wires, rooms: setting.rooms, limits, note: () => undefined })
  const bot = factory.bot(entrant, 'admission')
  const limit = (name: string) => limitOf(setting.limits, wire, name)
  const within = (name: string) => limitFactor * limit(name)
  /** Its time beyond its limit, in words, where it was given more. */
  let late: string | undefined
  /** Its answer, for which it had the longest of these limits. */
  const outputOf = ({ output, wallUs, chargedUs = wallUs }: Answer, ...names: string[]): BotOutput => {
    if (output.why?.startsWith(NO_START)) throw new NotStarted(output.why)
    const most = Math.max(...names.map(limit))
    // With no more than its limit, its clock has shown that it was in time.
    if (limitFactor > 1 && output.trouble === undefined && chargedUs > 1000 * most)
      late ??= `its first answer was late: it took ${Math.round(chargedUs / 1000)} ms of ${most}`
    return output
  }
  try {
    await bot.begin('admission')
    const { ready } = wire
    if (ready?.at === 'admission') {
      const output = outputOf(await bot.ready(ready.input, within(ready.within)), ready.within)
      if (output.trouble !== undefined || !ready.ok(output)) {
        return {
          mute: `was expected to ${ready.expects}, ${output.why ?? `and answered ${JSON.stringify((output.out ?? '').slice(0, 60))}`}${lastWords(factory, entrant)}`,
        }
      }
    }
    const { move, isUnready } = await firstMove(bot, trialOf(setting, entrant), within, outputOf)
    if (!isFault(move)) return { warning: late }
    const why = `${move.fault}${move.why ? `: ${move.why}` : ''}${lastWords(factory, entrant)}`
    return {
      ...(faultOf(move.fault).mute
        ? { mute: `gave no answer to its first question: ${why}` }
        : { warning: `its first answer was a fault: ${why}` }),
      unready: isUnready,
    }
  } catch (error) {
    if (error instanceof NotStarted) return { refused: `${error.message}${lastWords(factory, entrant)}` }
    if (error instanceof GameMistake) throw error
    if (error instanceof BusyError || (error instanceof HostError && error.code !== undefined)) throw error
    return { refused: `cannot be loaded: ${messageOf(error)}` }
  } finally {
    const disturbance = bot.disturbed?.()
    if (disturbance !== undefined) seen.push(disturbance)
    await bot.close()
  }
}

/** Leads a bot to its first move in the seat that moves first; the other seats are empty. */
async function firstMove(
  bot: SeatedBot,
  trial: LiveMatch,
  within: (name: string) => number,
  outputOf: (answer: Answer, ...names: string[]) => BotOutput,
): Promise<{ readonly move?: Move<string>; readonly isUnready?: true }> {
  const context = judgeContext(trial.definition, trial.fixture)
  const steps = new LiveSteps(trial, context)
  const { position } = steps
  const seat = steps.due()[0] ?? 0
  // A message that cannot be sent is not the bot's fault.
  if (trial.file !== undefined) refuseView(trial, trial.definition.game.view(position.state, seat), seat)
  const { limits = {} } = trial
  const left = (who: Seat): number | undefined => steps.clocks?.of(who)
  const match = new MatchState(context, steps, { limit: (_, name) => within(name), limits, left, seats: [seat] })
  for (; ; match.advance()) {
    for (const { input } of match.updates) await bot.send(input)
    const [due] = match.due()
    // It was not ready, and is asked no more.
    const unready = position.unready.get(seat)
    if (due === undefined) return { move: unready, isUnready: unready === undefined ? undefined : true }
    const answer = await askOf(bot, due)
    const { ready, loads } = wireAt(context, seat)
    const output = outputOf(
      answer,
      ...(due.asks === 'ready' ? [ready?.within ?? 'turn'] : ['turn', loads?.within ?? 'turn']),
    )
    if (due.asks === 'move') {
      const legal = (): Legal => due.legal(due.view)
      const { move } = position.read(seat, output, due.view, legal)
      if (isFault(move)) refuseLegal(trial, legal(), seat)
      return { move }
    }
    match.answer(seat, answer)
  }
}

/** A match of an entrant against its own kind. */
function trialOf(
  { definition, options, seats, seed, limits, gameFile }: AdmissionSetting,
  entrant: Seatable,
): LiveMatch {
  const fixture = {
    agon: 1,
    game: definition.game.id,
    version: definition.game.version,
    options,
    luck: newLuck(`admission ${seed}`),
    field: seats,
    seats: Array.from({ length: seats }, (_, id) => ({ entrant: entrant.name, wire: entrant.wire, id })),
  } as const
  return { definition, fixture, limits, file: gameFile }
}

/** The line of its standard error that says most about the reason. */
function lastWords(factory: BotFactory, entrant: Seatable): string {
  const last = tellingLine(factory.stderr(entrant.name))
  return last ? ` (its last words: ${last.slice(0, 200)})` : ''
}
