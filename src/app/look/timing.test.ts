import { expect, it } from 'vitest'
import { type BotTiming, type RunTiming, timingText } from './timing.js'

const ant: BotTiming = {
  name: 'Ant',
  questions: 1200,
  median: 0.4,
  p99: 2.5,
  longest: 31,
  cpuMedian: undefined,
  waited: undefined,
  timeouts: 1,
  where: '1/Ant-Bee/3, turn 7',
}
const text = (stalls: RunTiming['stalls'], ...bots: BotTiming[]): string[] =>
  timingText({ run: 'friday-1', bots, stalls }).split('\n')

it('has a row for each bot; a time that was not measured is left out', () => {
  expect(text([], ant, { ...ant, name: 'Bee', cpuMedian: 0.3, waited: 12, timeouts: 0 })).toEqual([
    'Answers of run friday-1:',
    '',
    'Bot  Questions  Median ms  CPU ms  99 % ms  Longest ms  Waited ms  Timeouts  Longest in',
    '---  ---------  ---------  ------  -------  ----------  ---------  --------  -------------------',
    'Ant       1200        0.4              2.5          31                    1  1/Ant-Bee/3, turn 7',
    'Bee       1200        0.4     0.3      2.5          31         12         0  1/Ant-Bee/3, turn 7',
    '',
    'No match was void because the machine stalled.',
  ])
})

it('lists the matches that the machine made void', () => {
  const lines = text([{ at: '2026-05-01T12:00:03.250Z', match: '1/Ant-Bee/1', why: 'stalled for 800 ms' }], ant)
  expect(lines.slice(-2)).toEqual(['Void, and played again:', '  2026-05-01 12:00:03  1/Ant-Bee/1: stalled for 800 ms'])
})
