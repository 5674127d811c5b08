import {
  type GameDefinition,
  type Spell,
  command,
  lookUp,
  message,
  spelled,
  visible,
  type Legal,
  isList,
  shapeText,
} from '../../core/index.js'
import { pad, shorten, width } from '../../text/index.js'

/** Values and actions that are listed, at most. */
const MOST = 40

/** Help for a person who is to move: each legal action and each part of the view with its meaning, and where the rules are. */
export function playHelp(definition: GameDefinition, view: unknown, legal: Legal, spell?: Spell): string {
  const { game, actions = {}, fields = {}, summary } = definition
  const seen = typeof view === 'object' && view !== null ? Object.entries(view).slice(0, MOST) : []
  const parts = seen.map(([key, value]) => {
    return [`${key} = ${shorten(JSON.stringify(value) ?? 'nothing', 40)}`, lookUp(fields, key) ?? ''] as const
  })
  return [
    ...(summary === undefined ? [] : [visible(summary), '']),
    'You may do:',
    ...(isList(legal)
      ? columns(legal.slice(0, MOST).map((action) => [action, lookUp(actions, action) ?? '']))
      : [`  ${visible(shapeText(legal))}`]),
    ...(isList(legal) && legal.length > MOST ? [`  … ${legal.length} in all`] : []),
    '',
    'You see:',
    ...columns(parts),
    '',
    spelled(message`${command(`rules ${visible(game.id)}`)} prints the rules. Ctrl-C abandons the match.`, spell),
  ].join('\n')
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const shown = rows.map(([left, right]) => [visible(left), visible(right)] as const)
  const widest = Math.max(0, ...shown.map(([left]) => width(left)))
  return shown.map(([left, right]) => `  ${pad(left, widest)}  ${right}`.trimEnd())
}
