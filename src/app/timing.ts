import { visible } from '../core/index.js'
import type { RunSummary, Store } from '../store/index.js'
import { aligned } from '../text/index.js'

/** How long an entrant's answers took, in milliseconds; CPU time where the launcher could tell it. */
interface BotTiming {
  readonly name: string
  readonly questions: number
  readonly median: number
  readonly p99: number
  readonly longest: number
  /** Where the longest was: the match and its turn, from 1. */
  readonly where: string
  readonly cpuMedian?: number
  /** The longest that one answer waited for a core because of others; it was not charged. */
  readonly waited?: number
  readonly timeouts: number
}
export interface Timing {
  readonly run: string
  readonly bots: readonly BotTiming[]
  /** Matches that were void because the machine stalled, as the log has them. */
  readonly stalls: readonly { readonly at: string; readonly match: string; readonly why: string }[]
}

/** Goes through the records of one entrant, or of all. */
export async function timingOf(store: Store, run: RunSummary, entrant: number | undefined): Promise<Timing> {
  const clocks = new Map<number, Clock>()
  for (const { id, place, seats } of await store.matches(run.id, entrant === undefined ? {} : { entrant })) {
    const { steps, times } = await store.recordOf(id)
    times?.forEach((step, turn) => {
      step.forEach(([wall, cpu, charged], i) => {
        const [seat = 0, heard = ''] = steps[turn]?.[i] ?? []
        const who = seats[seat] ?? -1
        if (entrant !== undefined && who !== entrant) return
        const clock = clocks.get(who) ?? new Clock()
        clocks.set(who, clock)
        clock.add(
          wall,
          cpu,
          charged,
          `${place}, turn ${turn + 1}`,
          typeof heard !== 'string' && heard.trouble === 'timeout',
        )
      })
    })
  }
  const log = await store.log(run.id)
  return {
    run: run.id,
    bots: [...clocks].sort(([a], [b]) => a - b).map(([who, clock]) => clock.told(run.plan.names[who] ?? '')),
    stalls: log
      .filter(({ what }) => what === 'stalled')
      .map(({ at, detail }) => ({ at, match: String(detail['match']), why: String(detail['why']) })),
  }
}

class Clock {
  private readonly walls: number[] = []
  private readonly cpus: number[] = []
  private longest = -1
  private where = ''
  private timeouts = 0
  private waited: number | undefined

  add(wall: number, cpu: number | undefined, charged: number | undefined, where: string, late: boolean): void {
    this.walls.push(wall)
    if (cpu !== undefined) this.cpus.push(cpu)
    if (late) this.timeouts++
    if (charged !== undefined) this.waited = Math.max(this.waited ?? 0, wall - charged)
    if (wall <= this.longest) return
    this.longest = wall
    this.where = where
  }

  told(name: string): BotTiming {
    const walls = this.walls.sort((a, b) => a - b)
    const cpus = this.cpus.sort((a, b) => a - b)
    return {
      name,
      questions: walls.length,
      median: ms(walls[walls.length >> 1]),
      p99: ms(walls[Math.floor(walls.length * 0.99)]),
      longest: ms(this.longest),
      where: this.where,
      ...(cpus.length > 0 && { cpuMedian: ms(cpus[cpus.length >> 1]) }),
      ...(this.waited !== undefined && { waited: ms(this.waited) }),
      timeouts: this.timeouts,
    }
  }
}

const ms = (us = 0): number => Math.round(us / 10) / 100

export function timingText({ run, bots, stalls }: Timing): string {
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
  const told = stalls.map(({ at, match, why }) => visible(`  ${at.slice(0, 19).replace('T', ' ')}  ${match}: ${why}`))
  return [
    `Answers of run ${run}:`,
    '',
    table,
    told.length === 0
      ? 'No match was void because the machine stalled.'
      : `Void, and played again:\n${told.join('\n')}`,
  ].join('\n')
}
