import type { Context } from '../context.js'
import { type RunRef, entrantNamed, withRun } from '../stored.js'
import { type Timing, visible } from '../../core/index.js'
import { Spread } from '../../results/index.js'
import type { MatchStore, StoredRun } from '../../store/index.js'
import { aligned } from '../../text/index.js'

/** How long an entrant's answers took, in milliseconds; CPU time where the launcher could measure it. */
export type BotTiming = ReturnType<typeof timingOf>
export type RunTiming = Awaited<ReturnType<typeof showTiming>>

/** Audits the clock of an entrant of a run, or of all. `stalls`: matches void as the machine stalled. Throws UserError, and the signal's reason. */
export function showTiming(
  { contest, run: id, name }: RunRef & { readonly name: string | undefined },
  { signal, ...context }: Context,
) {
  return withRun(contest, id, context, async (store, run) => {
    const entrant = name === undefined ? undefined : entrantNamed(run, name)
    const all = new Map<number, TimedAnswers>()
    for (const { id: match, key, seats } of await store.matches(run.id, entrant)) {
      signal?.throwIfAborted()
      const { steps, times } = await store.recordOf(match)
      times?.forEach((step, turn) => {
        step.forEach((timing, i) => {
          const [seat = 0, output = ''] = steps[turn]?.[i] ?? []
          const who = seats[seat] ?? -1
          if (entrant !== undefined && who !== entrant) return
          const answers = all.get(who) ?? { timings: [], longest: -1, where: '', timeouts: 0 }
          all.set(who, answers)
          answers.timings.push(timing)
          if (typeof output !== 'string' && output.trouble === 'timeout') answers.timeouts++
          const [wall] = timing
          if (wall > answers.longest) Object.assign(answers, { longest: wall, where: `${key}, turn ${turn + 1}` })
        })
      })
    }
    const stalls = (await store.log(run.id)).filter(({ what }) => what === 'stalled')
    return {
      run: run.id,
      bots: [...all]
        .sort(([a], [b]) => a - b)
        .map(([who, answers]) => timingOf(run.entrants[who]?.name ?? '', answers)),
      stalls: stalls.map(({ at, detail }) => ({ at, match: String(detail['match']), why: String(detail['why']) })),
    }
  })
}

/** Newest matches whose answers are looked at. */
const TIMED = 50

/** How long the newest answers of an entrant took, in microseconds of wall time, and the milliseconds that it may take; undefined: nothing is known. */
export async function newestTimes(store: MatchStore, run: StoredRun, entrant: number) {
  const spread = new Spread()
  for (const { id, seats } of (await store.browse(run.id, { entrant, limit: TIMED })).matches) {
    const { times, steps } = await store.recordOf(id)
    times?.forEach((step, turn) =>
      step.forEach(([wallUs], i) => {
        if (seats[steps[turn]?.[i]?.[0] ?? -1] === entrant) spread.add(wallUs)
      }),
    )
  }
  const timing = spread.timing()
  return timing ? { ...timing, limit: run.contest.limits['turn'] ?? null, classes: spread.classes() } : undefined
}

interface TimedAnswers {
  /** Microseconds. */
  readonly timings: Timing[]
  longest: number
  /** Where the longest was: the match and its turn, from 1. */
  where: string
  timeouts: number
}

function timingOf(name: string, { timings, longest, where, timeouts }: TimedAnswers) {
  const walls = timings.map(([wall]) => wall).sort((a, b) => a - b)
  const cpus = timings.flatMap(([, cpu]) => cpu ?? []).sort((a, b) => a - b)
  const waits = timings.flatMap(([wall, , charged]) => (charged === undefined ? [] : [wall - charged]))
  return {
    name,
    questions: walls.length,
    median: ms(walls[walls.length >> 1]),
    p99: ms(walls[Math.floor(walls.length * 0.99)]),
    longest: ms(longest),
    where,
    cpuMedian: cpus.length > 0 ? ms(cpus[cpus.length >> 1]) : undefined,
    /** The longest that one answer waited for a core because of others; it was not charged. */
    waited: waits.length > 0 ? ms(waits.reduce((a, b) => Math.max(a, b), 0)) : undefined,
    timeouts,
  }
}

const ms = (us = 0): number => Math.round(us / 10) / 100

export function timingText({ run, bots, stalls }: RunTiming): string {
  const column = (head: string, cell: (bot: BotTiming) => string | number, right = true) => ({
    head,
    cells: bots.map((bot) => visible(String(cell(bot)))),
    right,
  })
  const table = aligned([
    column('Bot', ({ name }) => name, false),
    column('Questions', ({ questions }) => questions),
    column('Median ms', ({ median }) => median),
    column('CPU ms', ({ cpuMedian }) => cpuMedian ?? ''),
    column('99 % ms', ({ p99 }) => p99),
    column('Longest ms', ({ longest }) => longest),
    column('Waited ms', ({ waited }) => waited ?? ''),
    column('Timeouts', ({ timeouts }) => timeouts),
    column('Longest in', ({ where }) => where, false),
  ])
  const lines = stalls.map(({ at, match, why }) => visible(`  ${at.slice(0, 19).replace('T', ' ')}  ${match}: ${why}`))
  return [
    `Answers of run ${run}:`,
    '',
    table,
    lines.length === 0
      ? 'No match was void because the machine stalled.'
      : `Void, and played again:\n${lines.join('\n')}`,
  ].join('\n')
}
