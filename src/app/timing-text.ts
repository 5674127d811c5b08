import { visible } from '../core/index.js'
import type { BotTiming, RunTiming } from './timing.js'
import { aligned } from '../text/index.js'

/** How long the answers of bots took, as a table, and the matches that the machine made void. */
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
