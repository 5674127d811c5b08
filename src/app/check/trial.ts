import { modulePlayer } from '../../bots/module-player.js'
import type { BuiltEntrant } from '../../build/index.js'
import {
  type AnyGame,
  type AnyWire,
  botSeed,
  drawAction,
  type FaultAt,
  faultOf,
  type GameDefinition,
  type Legal,
  listed as listedActions,
  type MatchRecord,
  type Move,
  type Player,
  visible,
  visibleLines,
} from '../../core/index.js'
import { faultsOf, limitOf, type LiveStep } from '../../match/index.js'
import { counted, faultText, listed } from '../../text/index.js'
import type { Context } from '../context.js'
import { exchangeLines } from '../look/exchange.js'
import { MatchHost, type MatchHostSetting, type Participant } from '../match-host.js'
import { strangeKeys } from './causes-of-programs.js'
import { causesOf } from './causes.js'
import { type LatePolicy, ObservedPlayer, type TimedExchange } from './observed-player.js'
import type { Symptom, Times } from './symptom.js'

const QUESTIONS_SHOWN = 3
/** Faults that end the trial: a bot that is always late would take minutes. */
const ENOUGH_FAULTS = 3
/** At most; and how many that show nothing new are enough. */
const MATCHES = { most: 16, stale: 4 }
/** Milliseconds after which no match is begun any more. */
const LONG_MS = 8000
/** The same in questions: a process a question takes its time. */
const QUESTIONS = { turn: 250, stays: 600 }
/** Lines of standard error that are shown if nothing went wrong; else all that are kept. */
const LINES = 10

export interface StepReport {
  readonly name: string
  readonly ok: boolean
  readonly lines: readonly string[]
}
export type ReportStep = (step: StepReport) => void

export interface TrialFault extends FaultAt {
  /** From 1. */
  readonly match: number
  readonly against: string
  readonly causes: readonly string[]
}

export interface TrialSetting {
  readonly definition: GameDefinition
  readonly bot: BuiltEntrant
  readonly wire: AnyWire
  /** In this process, or as quick. */
  readonly house: readonly BuiltEntrant[]
  readonly setting: MatchHostSetting
  readonly known: Pick<Symptom, 'wire' | 'stays' | 'word' | 'texts'>
}

/** Where the number-th match against an opposition stands; `state` undefined: in its first step. Steps count from 0. */
interface Position {
  state: unknown
  step: number
  number: number
  readonly seats: number
}

interface Opposition {
  readonly name: string
  readonly host: MatchHost
  /** By place among the participants, before seats move on. */
  readonly own: ReadonlyMap<number, ObservedPlayer>
  readonly stands: Position
}

/** A fault of a match, at which place among the participants, and what led to it. */
interface Found {
  readonly fault: FaultAt
  readonly place: number
  readonly exchange: TimedExchange | undefined
}

/** Long and varied matches against itself, random opponents and house bots; the first questions are shown in full. */
export class Trial {
  readonly faults: TrialFault[] = []
  /**
   * What the bot was shown: the last turn in which it was asked, from 1; ends in the game's words; kinds of questions.
   */
  readonly covered = { matches: 0, questions: 0, turns: 0, ends: [] as string[], kinds: [] as string[] }
  firstMatch: MatchRecord | undefined
  private readonly late: LatePolicy
  private readonly keys = new Set<string>()
  /** Matches since one that showed something new. */
  private stale = 0
  private shown = 0
  private slowestMs = 0
  private surplus = 0
  /** What was sent and answered at the first fault, if no question showed it. */
  private first: readonly string[] = []
  /** Its standard error: of the first match with a fault in which it wrote anything, else of the last match. */
  private wrote = { isOfFault: false, match: 0, text: '' }

  constructor(
    private readonly trying: TrialSetting,
    private readonly report: ReportStep,
    private readonly context: Context,
  ) {
    const { known, wire, setting } = trying
    const start = wire.loads ? limitOf(setting.limits, wire, wire.loads.within) : 0
    this.late = { again: known.stays === false, salvage: wire.salvage === true, start }
  }

  async run(): Promise<void> {
    const opposition: Opposition[] = []
    try {
      opposition.push(this.against('random opponents'), this.against('itself'))
      for (const bot of this.trying.house) opposition.push(this.against(bot.name, bot))
      const began = performance.now()
      for (let n = 0; this.goesOn(n, opposition.length, performance.now() - began); n++)
        await this.meet(opposition[n % opposition.length] as Opposition, Math.floor(n / opposition.length))
    } finally {
      await Promise.all(opposition.map(({ host }) => host.close()))
    }
    this.summarize(opposition.slice(0, this.covered.matches).map(({ name }) => name))
  }

  /** Each opposition is played once, and then until nothing new is seen, and not only first turns. */
  private goesOn(n: number, oppositions: number, ms: number): boolean {
    if (this.faults.length >= ENOUGH_FAULTS || (n > 0 && ms > LONG_MS)) return false
    if (n < oppositions) return true
    const { turns, questions } = this.covered
    const most = this.trying.known.stays === false ? QUESTIONS.turn : QUESTIONS.stays
    const isSeen = this.stale >= MATCHES.stale && turns >= LASTS
    return n < MATCHES.most && !isSeen && questions < most
  }

  private against(name: string, house?: BuiltEntrant): Opposition {
    const { definition, bot, setting } = this.trying
    const { min, max } = definition.game.seats
    const seats = Math.max(min, Math.min(2, max))
    const own = new Map<number, ObservedPlayer>()
    const stands: Position = { state: undefined, step: 0, number: 0, seats }
    const mine = (place: number): Participant => ({
      bot: place === 0 ? bot : { ...bot, name: `${bot.name} (${place + 1})` },
      watch: (player: Player) => {
        const watched = new ObservedPlayer(player, this.late)
        own.set(place, watched)
        return watched
      },
    })
    const other = (place: number): Participant => {
      if (name === 'itself') return mine(place)
      if (house !== undefined) return { bot: place === 1 ? house : { ...house, name: `${house.name} (${place})` } }
      const player = sparringPartner(definition, `${setting.seed} ${place - 1}`, place, stands)
      return { name: seats === 2 ? 'a random opponent' : `random opponent ${place}`, player }
    }
    const participants = Array.from({ length: seats }, (_, place) => (place === 0 ? mine(0) : other(place)))
    return { name, host: new MatchHost(definition, participants, setting, this.context), own, stands }
  }

  private async meet(opposition: Opposition, number: number): Promise<void> {
    const { host, own, name, stands } = opposition
    const wrote = wroteSince(opposition)
    const found: Found[] = []
    this.covered.matches++
    this.stale++
    Object.assign(stands, { state: undefined, step: 0, number })
    const onStep = (step: LiveStep): void => {
      Object.assign(stands, { state: step.after, step: step.number + 1 })
      for (const [place, watched] of own) {
        const seat = seatOf(place, number, host.names.length)
        if (watched.gaveUp || step.moves[seat] === undefined) continue
        const fault = this.saw(step, seat, watched)
        // Against itself, both do the same.
        const isAlike = found.some((one) => one.fault.turn === fault?.turn && one.fault.fault === fault.fault)
        if (fault !== undefined && !isAlike) found.push({ fault, place, exchange: watched.exchanges.at(-1) })
      }
      if (found.length + this.faults.length >= ENOUGH_FAULTS) for (const watched of own.values()) watched.giveUp()
    }
    const record = await host.play({ number, onStep })
    this.firstMatch ??= record
    for (const watched of own.values()) this.surplus += watched.surplusLines()
    if (found.length === 0 || name !== 'itself') this.cover(this.covered.ends, record.outcome.reason)
    const text = wrote(found[0]?.place ?? 0)
    if (!this.wrote.isOfFault)
      this.wrote = { isOfFault: found.length > 0 && text.trim() !== '', match: this.covered.matches, text }
    for (const each of found) this.explain(name, each, wrote(each.place))
  }

  private cover(seen: string[], text: string): void {
    if (seen.includes(text)) return
    seen.push(text)
    this.stale = 0
  }

  /** Records a question and its answer; returns the fault, if there was one. */
  private saw(step: LiveStep, seat: number, watched: ObservedPlayer): FaultAt | undefined {
    const { definition, bot } = this.trying
    const { covered } = this
    const exchange = watched.exchanges.at(-1)
    if (exchange === undefined) return undefined
    const times = timesOf(exchange)
    this.slowestMs = Math.max(this.slowestMs, times.chargedMs ?? times.wallMs)
    for (const key of keysOf(exchange.view)) this.keys.add(key)
    covered.questions++
    covered.turns = Math.max(covered.turns, step.number + 1)
    const kind = definition.question?.(exchange.view)
    if (kind !== undefined) this.cover(covered.kinds, kind)
    const fault = faultsOf(step.moves, step.number).find((one) => one.seat === seat)
    if (covered.matches === 1 && this.shown < QUESTIONS_SHOWN) {
      const lines = [...exchangeLines(exchange), ...(fault === undefined ? [] : [faultText(bot.name, fault)])]
      this.report({ name: `question ${++this.shown}`, ok: fault === undefined, lines })
    }
    // A process that stays has left the match with this: what follows says nothing.
    if (fault !== undefined && faultOf(fault.fault).fact && !this.late.again) watched.giveUp()
    return fault
  }

  private explain(against: string, { fault, exchange }: Found, stderr: string): void {
    const { known, definition } = this.trying
    const { game, actions = {}, fields = {} } = definition
    const { fault: kind, why = '', said = '' } = fault
    const { view } = exchange ?? {}
    const keys = [...keysOf(view), ...Object.keys(fields)]
    const legal = listedActions(game.legal(view))
    const times = exchange && timesOf(exchange)
    const symptom = { ...known, fault: kind, why, said, stderr, times, legal, keys, actions }
    // How late it is was found out the first time.
    const isLateAgain = kind === 'timeout' && this.faults.some((one) => one.why?.startsWith('took '))
    const causes = isLateAgain ? [] : causesOf(symptom, this.context.spell)
    const isShown = this.covered.matches === 1 && fault.turn < this.shown
    if (this.faults.length === 0 && exchange !== undefined && !isShown) this.first = exchangeLines(exchange)
    this.faults.push({ ...fault, match: this.covered.matches, against, causes })
  }

  /** A fault with causes not shown before; the first, if not shown, with what was sent and answered. */
  private faultLines(fault: TrialFault): string[] {
    const isFirst = fault === this.faults[0]
    const { match, against, turn, causes } = fault
    const before = new Set(this.faults.slice(0, this.faults.indexOf(fault)).flatMap((one) => one.causes))
    return [
      `match ${match} (against ${visible(against)}), turn ${turn + 1}: ${faultText(this.trying.bot.name, fault)}`,
      ...(isFirst ? this.first.map((line) => `  ${line}`) : []),
      ...causes.filter((cause) => !before.has(cause)).map((cause) => `  likely: ${visible(cause)}`),
    ]
  }

  private summarize(against: readonly string[]): void {
    const { setting, wire } = this.trying
    const { matches, questions, turns, kinds, ends } = this.covered
    const faults = this.faults.length
    const notes = faults > 0 ? [] : strangeKeys(this.trying.known.texts, [...this.keys])
    if (this.surplus > 0)
      notes.push(
        `it printed ${counted(this.surplus, 'line')} that answered no question: a second line is thrown away, or taken for the next answer; print one line for each question, and none for other messages`,
      )
    const covered = [
      counted(turns, 'turn'),
      ...(kinds.length > 0 ? [counted(kinds.length, 'kind of question', 'kinds of questions')] : []),
      `${counted(ends.length, 'end')}${ends.length > 0 ? ` (${ends.map(visible).join(', ')})` : ''}`,
    ]
    this.report({
      name: `${counted(matches, 'match', 'matches')} against ${listed(against)}: ${counted(questions, 'question')}, ${counted(faults, 'fault')}`,
      ok: faults === 0,
      lines: [
        `slowest answer: ${this.slowestMs.toFixed(1)} ms of ${limitOf(setting.limits, wire, 'turn')} ms`,
        `covered: ${covered.join(', ')}`,
        ...this.faults.flatMap((fault) => this.faultLines(fault)),
        ...notes.map((note) => `note: ${visible(note)}`),
        ...(faults >= ENOUGH_FAULTS ? [`the trial was ended after ${faults} faults`] : []),
        ...this.stderrLines(),
      ],
    })
  }

  private stderrLines(): string[] {
    const { isOfFault, match, text } = this.wrote
    if (text.trim() === '') return []
    const lines = linesOnce(text.trim()).map((line) => `  ${visibleLines(line)}`)
    return isOfFault
      ? [`what it wrote to its standard error in match ${match}:`, ...lines]
      : ['the end of its standard error:', ...lines.slice(-LINES)]
  }
}

/** Seats move on by one with each match. */
const seatOf = (place: number, number: number, seats: number): number => (seats + place - (number % seats)) % seats

const timesOf = ({ answer: { wallUs, cpuUs, chargedUs }, limitMs }: TimedExchange): Times => ({
  wallMs: wallUs / 1000,
  ownMs: cpuUs === undefined ? undefined : cpuUs / 1000,
  chargedMs: chargedUs === undefined ? undefined : chargedUs / 1000,
  limitMs,
})

const keysOf = (view: unknown): string[] =>
  typeof view === 'object' && view !== null && !Array.isArray(view) ? Object.keys(view) : []

/** By place: standard error from now on. */
function wroteSince({ host, own }: Opposition): (place: number) => string {
  const read = (place: number): string => host.stderr(host.names[place] ?? '')
  const before = new Map([...own.keys()].map((place) => [place, read(place)]))
  return (place) => {
    const [then, now] = [before.get(place) ?? '', read(place)]
    return now.startsWith(then) ? now.slice(then.length) : now
  }
}

/** Lines, once where a block repeats itself, as of a program that is started for each question. */
export function linesOnce(text: string): string[] {
  const lines = text.split('\n')
  for (let size = 1; size <= lines.length / 2; size++) {
    if (lines.length % size !== 0 || !lines.every((line, at) => line === lines[at % size])) continue
    return [...lines.slice(0, size), `(this ${lines.length / size} times over)`]
  }
  return lines
}

/** Until this step a patient partner keeps the match going, to show a bot beyond its first turns. */
const LASTS = 12
/** Actions that are tried, and how often each. */
const TRIED = { actions: 8, times: 4 }

/**
 * A random opponent. In each second match it first takes actions after which play lasts longest: it knows the position.
 */
function sparringPartner({ game }: GameDefinition, seed: string, place: number, stands: Position): Player {
  return modulePlayer(
    (_view, chance, legal) => {
      const draw = (actions: Legal): string => drawAction(actions, (n) => chance.below(n)) ?? ''
      const { state, step, number, seats } = stands
      if (state === undefined || number % 2 > 0 || step >= LASTS) return draw(legal)
      const seat = seatOf(place, number, seats)
      const tried = [...new Set(Array.from({ length: TRIED.actions }, () => draw(legal)))]
      const lasting = tried.map((action) => {
        let steps = 0
        for (let time = 0; time < TRIED.times; time++) steps += stepsAfter(game, stands, [seat, action], draw)
        return steps
      })
      return tried[lasting.indexOf(Math.max(...lasting))] ?? ''
    },
    botSeed(seed, 'sparring', 'check'),
  )
}

/** Steps that random play lasts after this action, as far as that matters. */
function stepsAfter(
  game: AnyGame,
  { state, seats, step }: Position,
  [seat, action]: readonly [number, string],
  draw: (legal: Legal) => string,
): number {
  let now = state
  for (let steps = 0; ; steps++) {
    const due = game.toMove(now)
    if (due.length === 0 || step + steps >= LASTS) return steps
    const before = now
    const moves = Array.from({ length: seats }, (_, each): Move<string> | undefined => {
      if (!due.includes(each)) return undefined
      return steps === 0 && each === seat ? action : draw(game.legal(game.view(before, each)))
    })
    now = game.play(now, moves)
  }
}
