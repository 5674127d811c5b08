import type { Wire } from '../../core/index.js'
import { ACTIONS } from './rules.js'
import type { Action, View } from './rules.js'

/** The contest's own protocol: a process a turn, arguments in, a letter out (rules 5.1–5.5). */
export const turn: Wire<View, Action> = {
  transport: 'turn',
  summary: 'a process a turn: histories, health and honour as arguments; the first letter printed is the action',
  anonymous: true,
  limits: { turn: 1000 },
  salvage: true,

  ask: (view) => ({
    argv: [
      ...(view.history === '' ? [] : [view.history, view.enemyHistory]),
      ...[view.health, view.enemyHealth, view.honour, view.enemyHonour].map(String),
    ],
  }),

  read(output) {
    const text = (output.out ?? '').replace(/^[ \t\r\n\v\f]+/, '')
    if (text === '') return { fault: 'silent', why: 'printed nothing' }
    return (
      ACTIONS.find((action) => text.startsWith(action)) ?? {
        fault: 'unparsable',
        why: `the first letter is none of ${ACTIONS.join(' ')}`,
        said: text,
      }
    )
  },
}
