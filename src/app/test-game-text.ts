import { type Spell, spelled, visible } from '../core/index.js'
import { counted } from '../text/index.js'
import type { TestedGame } from './test-game.js'

/** What the test of a game came to, for people; `spell`: how options are written there. */
export function testGameText(
  { ok, lines, notes, games, steps, speed, longest, viewBytes, reasons }: TestedGame,
  spell: Spell,
): string {
  const figure = (n: number): string => n.toLocaleString('en-US')
  const ends = Object.entries(reasons).map(([reason, n]) => `${visible(reason)} ${figure(n)}`)
  return [
    ...lines.map((line) => visible(spelled(line, spell))),
    `${figure(games)} random games, ${figure(steps)} steps, ${figure(speed)} steps a second; the longest had ${counted(longest, 'step')}, the largest view ${counted(viewBytes, 'byte')}`,
    ...(ends.length > 0 ? [`ends: ${ends.join(', ')}`] : []),
    ...notes.map((note) => `note: ${visible(note)}`),
    ok ? 'It keeps the contract.' : `It does not keep the contract: ${counted(lines.length, 'mistake')}.`,
  ].join('\n')
}
