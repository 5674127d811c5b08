import {
  type GameDefinition,
  type MatchRecord,
  type Player,
  visible,
  visibleLines,
  faultOf,
  type FaultAt,
} from '../../core/index.js'
import type { BuiltEntrant } from '../../build/index.js'
import { type LiveStep, faultsOf } from '../../match/index.js'
import { counted, faultText, listed } from '../../text/index.js'
import { exchangeLines } from '../look/exchange.js'
import type { Context } from '../context.js'
import { type Participant, MatchHost, type MatchHostSetting } from '../match-host.js'
import { linesOnce } from './answers.js'
import { type Covered, Coverage, type Seen, coveredText } from './coverage.js'
import { timesText } from './late.js'
import type { Times } from './symptom.js'
import { type LatePolicy, ObservedPlayer, type TimedExchange } from './watched-bot.js'
import { LASTS, Sparring } from './sparring.js'

/** Questions that are shown in full. */
const SHOWN = 3
/** After this many faults the trial is not worth going on with: one that is always late would take minutes. */
const ENOUGH_FAULTS = 3
/** Matches at most; and so many that show nothing new are enough. */
const MATCHES = { most: 16, stale: 4 }
/** Milliseconds after which no match is begun any more. */
const LONG = 8000
/** Lines of standard error that are shown where nothing went wrong; where something did, all that is kept of it is. */
const LINES = 10

/** What one step of a check came to. */
export interface StepReport {
  readonly name: string
  readonly ok: boolean
  readonly lines: readonly string[]
}
export type ReportStep = (step: StepReport) => void

/** A fault of the bot in the trial, and what it probably comes from. */
export interface TrialFault extends FaultAt {
  /** From 1. */
  readonly match: number
  readonly against: string
  readonly causes: readonly string[]
}

/** What a trial is made of. */
export interface TrialSetting {
  readonly definition: GameDefinition
  readonly bot: BuiltEntrant
  /** House bots that play in this process, or as quickly. */
  readonly house: readonly BuiltEntrant[]
  readonly setting: MatchHostSetting
  /** Milliseconds for a question. */
  readonly limit: number
  readonly lateTreatment: LatePolicy
  /** Questions after which no match is begun any more. */
  readonly questions: number
  /** What a fault probably comes from. `exchange`: the question in which it was made, if it was asked one. */
  causes(fault: FaultAt, exchange: TimedExchange | undefined, stderr: string): readonly string[]
  /** What looks wrong though it made no fault; `keys`: the parts of the views that it was shown. */
  notes(keys: readonly string[]): readonly string[]
}

/** Who the bot meets, and in which of their seats it sits itself. */
interface Opposition {
  readonly name: string
  readonly host: MatchHost
  /** The bot by its place among the participants, before seats move on. */
  readonly own: ReadonlyMap<number, ObservedPlayer>
  /** Where the match stands that is played now; `state` undefined: in its first step. */
  readonly stands: { state: unknown; step: number; number: number }
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
  /** The first match; undefined: none was played. */
  firstMatch: MatchRecord | undefined
  private readonly coverage = new Coverage()
  private readonly keys = new Set<string>()
  private shown = 0
  private matches = 0
  private slowestMs = 0
  /** The first answer that was later than its limit by the wall, and was charged less. */
  private kept: Times | undefined
  /** Lines that answered no question. */
  private surplus = 0
  /** What was sent and answered at the first fault, where no question showed it. */
  private first: readonly string[] = []

  constructor(
    private readonly trying: TrialSetting,
    private readonly report: ReportStep,
    private readonly context: Context,
  ) {}

  get covered(): Covered {
    return this.coverage.covered
  }

  async run(): Promise<void> {
    const opposition: Opposition[] = []
    const notes: { readonly match: number; readonly stderr: string }[] = []
    let last = ''
    try {
      opposition.push(this.against('random opponents'), this.against('itself'))
      for (const bot of this.trying.house) opposition.push(this.against(bot.name, bot))
      const began = performance.now()
      for (let n = 0; this.goesOn(n, opposition.length, performance.now() - began); n++) {
        const one = opposition[n % opposition.length] as Opposition
        const wrote = wroteSince(one)
        const found = await this.match(one, Math.floor(n / opposition.length))
        last = wrote(found[0]?.place ?? 0)
        if (found.length > 0) notes.push({ match: this.matches, stderr: last })
        for (const each of found) this.explain(one, each, wrote(each.place))
      }
    } finally {
      await Promise.all(opposition.map(({ host }) => host.close()))
    }
    this.summarize(opposition, notes, last)
  }

  /** Whether another match is to be played: each opposition once, and then until nothing new is seen, and not only first turns. */
  private goesOn(n: number, oppositions: number, ms: number): boolean {
    if (this.faults.length >= ENOUGH_FAULTS || (n > 0 && ms > LONG)) return false
    if (n < oppositions) return true
    const isSeen = this.coverage.stale >= MATCHES.stale && this.coverage.covered.turns >= LASTS
    return n < MATCHES.most && !isSeen && this.coverage.questions < this.trying.questions
  }

  private against(name: string, house?: BuiltEntrant): Opposition {
    const { definition, bot, setting, lateTreatment } = this.trying
    const { min, max } = definition.game.seats
    const seats = Math.max(min, Math.min(2, max))
    const own = new Map<number, ObservedPlayer>()
    const stands: Opposition['stands'] = { state: undefined, step: 0, number: 0 }
    const mine = (place: number): Participant => ({
      bot: place === 0 ? bot : { ...bot, name: `${bot.name} (${place + 1})` },
      watch: (player: Player) => {
        const watched = new ObservedPlayer(player, lateTreatment)
        own.set(place, watched)
        return watched
      },
    })
    const other = (place: number): Participant => {
      if (name === 'itself') return mine(place)
      if (house !== undefined) return { bot: place === 1 ? house : { ...house, name: `${house.name} (${place})` } }
      const seed = `${setting.seed} ${place - 1}`
      const player = new Sparring(definition, seed, () => {
        const { number, state, step } = stands
        // Each second match: the others end as they may.
        if (state === undefined || number % 2 > 0) return undefined
        return { state, step, seats, seat: (seats + place - (number % seats)) % seats }
      })
      return { name: seats === 2 ? 'a random opponent' : `random opponent ${place}`, player }
    }
    const participants = Array.from({ length: seats }, (_, place) => (place === 0 ? mine(0) : other(place)))
    return { name, host: new MatchHost(definition, participants, setting, this.context), own, stands }
  }

  /** Plays a match and returns the bot's faults in it, without what follows from having left. */
  private async match({ host, own, name, stands }: Opposition, number: number): Promise<Found[]> {
    const seats = host.names.length
    const found: Found[] = []
    this.matches++
    const match = this.coverage.begin()
    Object.assign(stands, { state: undefined, step: 0, number })
    const record = await host.play((step) => {
      Object.assign(stands, { state: step.after, step: step.number + 1 })
      for (const [place, watched] of own) {
        const seat = (seats + place - (number % seats)) % seats
        if (watched.gaveUp || step.moves[seat] === undefined) continue
        const fault = this.saw(step, seat, watched, match)
        // Where it meets itself, both do the same.
        const isAlike = found.some((one) => one.fault.turn === fault?.turn && one.fault.fault === fault.fault)
        if (fault !== undefined && !isAlike) found.push({ fault, place, exchange: watched.exchanges.at(-1) })
      }
      if (found.length + this.faults.length >= ENOUGH_FAULTS) for (const watched of own.values()) watched.giveUp()
    }, number)
    this.firstMatch ??= record
    for (const watched of own.values()) this.surplus += watched.surplusLines()
    if (found.length === 0 || name !== 'itself') match.ended(record.outcome.reason)
    return found
  }

  /** Records a question and its answer; returns the fault, if there was one. */
  private saw(step: LiveStep, seat: number, watched: ObservedPlayer, match: Seen): FaultAt | undefined {
    const { definition, bot, lateTreatment } = this.trying
    const exchange = watched.exchanges.at(-1)
    if (exchange === undefined) return undefined
    const times = timesOf(exchange)
    this.slowestMs = Math.max(this.slowestMs, times.chargedMs ?? times.wallMs)
    if (exchange.answer.output.trouble === undefined && times.wallMs > times.limitMs) this.kept ??= times
    for (const key of keysOf(exchange.view)) this.keys.add(key)
    match.asked(step.number, definition.question?.(exchange.view))
    const fault = faultsOf(step.moves, step.number).find((one) => one.seat === seat)
    if (this.matches === 1 && this.shown < SHOWN) {
      const lines = [...exchangeLines(exchange), ...(fault === undefined ? [] : [faultText(bot.name, fault)])]
      this.report({ name: `question ${++this.shown}`, ok: fault === undefined, lines })
    }
    // A process that stays has left the match with this, and all that follows says no more.
    if (fault !== undefined && faultOf(fault.fault).fact && !lateTreatment.again) watched.giveUp()
    return fault
  }

  private explain({ name }: Opposition, { fault, exchange }: Found, stderr: string): void {
    // How late it is was found out the first time.
    const isLateAgain = fault.fault === 'timeout' && this.faults.some(({ why }) => why?.startsWith('took '))
    const causes = isLateAgain ? [] : this.trying.causes(fault, exchange, stderr)
    const isShown = this.matches === 1 && this.shown <= SHOWN && fault.turn < this.shown
    if (!isShown && this.faults.length === 0 && exchange !== undefined) this.first = exchangeLines(exchange)
    this.faults.push({ ...fault, match: this.matches, against: name, causes })
  }

  /** A fault with the causes that were not shown before; the first, where it was not shown, with what was sent and answered. */
  private notes(fault: TrialFault): string[] {
    const isFirst = fault === this.faults[0]
    const { match, against, turn, causes } = fault
    const before = new Set(this.faults.slice(0, this.faults.indexOf(fault)).flatMap((one) => one.causes))
    return [
      `match ${match} (against ${visible(against)}), turn ${turn + 1}: ${faultText(this.trying.bot.name, fault)}`,
      ...(isFirst ? this.first.map((line) => `  ${line}`) : []),
      ...causes.filter((cause) => !before.has(cause)).map((cause) => `  likely: ${visible(cause)}`),
    ]
  }

  /** What looks wrong though it was no fault. */
  private remarks(): readonly string[] {
    const { kept, surplus, faults, keys } = this
    return [
      ...(faults.length > 0 ? [] : this.trying.notes([...keys])),
      ...(kept === undefined ? [] : [`an answer took ${timesText(kept)}: the machine was busy: check again`]),
      ...(surplus === 0
        ? []
        : [
            `it printed ${counted(surplus, 'line')} that answered no question: a second line is thrown away, or taken for the next answer; print one line for each question, and none for other messages`,
          ]),
    ]
  }

  private summarize(
    opposition: readonly Opposition[],
    notes: readonly { readonly match: number; readonly stderr: string }[],
    last: string,
  ): void {
    const { limit } = this.trying
    const names = opposition.slice(0, Math.max(1, Math.min(this.matches, opposition.length))).map(({ name }) => name)
    const { questions } = this.coverage
    this.report({
      name: `${counted(this.matches, 'match', 'matches')} against ${listed(names)}: ${counted(questions, 'question')}, ${counted(this.faults.length, 'fault')}`,
      ok: this.faults.length === 0,
      lines: [
        `slowest answer: ${this.slowestMs.toFixed(1)} ms of ${limit} ms`,
        coveredText(this.covered),
        ...this.faults.flatMap((fault) => this.notes(fault)),
        ...this.remarks().map((note) => `note: ${visible(note)}`),
        ...(this.faults.length >= ENOUGH_FAULTS ? [`the trial was ended after ${this.faults.length} faults`] : []),
        ...stderrLines(notes, last),
      ],
    })
  }
}

/** What an answer took. */
export const timesOf = ({ answer: { wallUs, cpuUs, chargedUs }, limitMs, nextMs }: TimedExchange): Times => ({
  wallMs: wallUs / 1000,
  ownMs: cpuUs === undefined ? undefined : cpuUs / 1000,
  chargedMs: chargedUs === undefined ? undefined : chargedUs / 1000,
  limitMs,
  nextMs,
})

/** The parts of a view. */
export const keysOf = (view: unknown): string[] =>
  typeof view === 'object' && view !== null && !Array.isArray(view) ? Object.keys(view) : []

/** What the bot at a place writes to its standard error from now on. */
function wroteSince({ host, own }: Opposition): (place: number) => string {
  const read = (place: number): string => host.stderr(host.names[place] ?? '')
  const before = new Map([...own.keys()].map((place) => [place, read(place)]))
  return (place) => {
    const [then, now] = [before.get(place) ?? '', read(place)]
    return now.startsWith(then) ? now.slice(then.length) : now
  }
}

/** All that it wrote in the matches of its faults, or the end of what it wrote in the last one. */
function stderrLines(notes: readonly { readonly match: number; readonly stderr: string }[], last: string): string[] {
  const shown = (text: string): string[] => linesOnce(text).map((line) => `  ${visibleLines(line)}`)
  const first = notes.find(({ stderr }) => stderr.trim() !== '')
  if (first !== undefined) {
    return [`what it wrote to its standard error in match ${first.match}:`, ...shown(first.stderr.trim())]
  }
  return last.trim() === '' ? [] : ['the end of its standard error:', ...shown(last.trim()).slice(-LINES)]
}
