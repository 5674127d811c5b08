import { type GameKit, type Player, botSeed, visible } from '../core/index.js'
import type { Prepared } from '../build/index.js'
import { type FaultAt, faultsOf } from '../match/index.js'
import { Watched, exchangeLines } from './exchange.js'
import type { Context } from './context.js'
import { Sparring } from './sparring.js'
import { Table, type TableSetting } from './table.js'
import { counted, faultText, outcomeText } from '../text/index.js'

/** Questions that are shown in full. */
const SHOWN = 3
/** The trial ends after so many questions, or so many matches. */
const TRIAL = { questions: 10, matches: 5 }
/** After this many faults the trial is not worth going on with: one that is always late would take minutes. */
const ENOUGH_FAULTS = 3

/** What one step of a check came to. */
export interface StepReport {
  readonly name: string
  readonly ok: boolean
  readonly lines: readonly string[]
}
export type Report = (step: StepReport) => void

/** Matches against random opponents; the first questions are shown in full. */
export async function trial(
  kit: GameKit,
  bot: Prepared,
  seats: number,
  setting: TableSetting,
  limit: number,
  report: Report,
  context: Context,
): Promise<void> {
  const sparring = Array.from({ length: seats - 1 }, (_, i) => {
    const player = new Sparring(kit, botSeed(setting.seed, `sparring ${i}`, 'check'))
    return { name: seats === 2 ? 'a random opponent' : `random opponent ${i + 1}`, player }
  })
  const faults: (FaultAt & { match: number })[] = []
  const ends: string[] = []
  let watched: Watched | undefined
  const watch = (player: Player) => (watched = new Watched(player))
  const table = new Table(kit, [{ bot, watch }, ...sparring], setting, context)
  const { exchanges } = watched as unknown as Watched
  let shown = 0
  try {
    for (let n = 0; n < TRIAL.matches && exchanges.length < TRIAL.questions && faults.length < ENOUGH_FAULTS; n++) {
      const seat = (seats - (n % seats)) % seats
      const { outcome } = await table.play(({ number, moves }) => {
        if (watched?.gaveUp) return
        const own = faultsOf(moves, number).filter((fault) => fault.seat === seat)
        faults.push(...own.map((fault) => ({ ...fault, match: n })))
        const exchange = exchanges[shown]
        if (exchange !== undefined && shown < SHOWN && moves[seat] !== undefined) {
          const lines = [...exchangeLines(exchange), ...own.map((fault) => faultText(bot.name, fault))]
          report({ name: `question ${++shown}`, ok: own.length === 0, lines })
        }
        if (faults.length >= ENOUGH_FAULTS) watched?.giveUp()
      }, n)
      if (!watched?.gaveUp)
        ends.push(
          outcomeText(
            table.names.map((_, i) => table.names[(i + n) % seats] ?? ''),
            outcome,
          ),
        )
    }
  } finally {
    await table.close()
  }
  const slowest = Math.max(0, ...exchanges.map(({ answer }) => answer.wallUs / 1000))
  const stderr = table.stderr(bot.name)
  report({
    name: `${counted(ends.length + (watched?.gaveUp ? 1 : 0), 'match', 'matches')} against random opponents: ${counted(exchanges.length, 'question')}, ${counted(faults.length, 'fault')}`,
    ok: faults.length === 0,
    lines: [
      `slowest answer: ${slowest.toFixed(1)} ms of ${limit} ms`,
      ...faults.map((fault) => `match ${fault.match + 1}, turn ${fault.turn + 1}: ${faultText(bot.name, fault)}`),
      ...(watched?.gaveUp ? [`the trial was ended after ${counted(faults.length, 'fault')}`] : []),
      ...ends,
      ...(stderr === '' ? [] : ['the end of its standard error:', ...lastLines(stderr)]),
    ],
  })
}

const lastLines = (text: string): string[] =>
  text
    .split('\n')
    .slice(-10)
    .map((line) => `  ${visible(line)}`)
