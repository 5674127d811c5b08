import type { Bot } from '../../../core/index.js'
import type { Action, View } from '../rules.js'

/**
 * Abacus: counts what the enemy did whenever it stood as it stands now, and takes the action that is worth most against that. Wounds
 * are worth 1 each; honour is worth less the more of it there is.
 */
const bot: Bot<View, Action> = (view, chance) => {
  const expected = expectation(view)
  const scores = ACTIONS.map((own) =>
    ACTIONS.reduce((sum, enemy, i) => sum + (expected[i] ?? 0) * worth(view, own, enemy), 0.02 * chance.random()),
  )
  return ACTIONS[scores.indexOf(Math.max(...scores))] ?? 'B'
}
export default bot

const ACTIONS: readonly Action[] = ['W', 'B', 'G', 'I', 'P', 'O']
const OVERCOMES: Partial<Record<Action, Action>> = { I: 'O', P: 'I', O: 'P' }

/** How likely each of the enemy's actions is: its habits in the same plight (its honour, a guard just now, mine). */
function expectation(view: View): number[] {
  const plights = plightsOf(view)
  const now = plights.pop()
  const counts = ACTIONS.map((action): number => (view.enemyHonour === 0 && OVERCOMES[action] ? 0.1 : 0.5))
  plights.forEach((plight, t) => {
    const done = ACTIONS.indexOf(view.enemyHistory.charAt(t) as Action)
    counts[done] = (counts[done] ?? 0) + (plight === now ? 1 : 0)
  })
  const total = counts.reduce((sum, n) => sum + n, 0)
  return counts.map((n) => n / total)
}

/** Before each turn so far and, last, before the coming one. */
function plightsOf({ history, enemyHistory, honour, enemyHonour }: View): string[] {
  const [own, enemy] = [honours(history, honour), honours(enemyHistory, enemyHonour)]
  return own.map(
    (mine, t) => `${Math.min(enemy[t] ?? 0, 2)} ${Math.min(mine, 1)} ${enemyHistory.charAt(t - 1) === 'G'}`,
  )
}

/** Honour before every turn, reckoned back from what it is now. */
function honours(history: string, now: number): number[] {
  const all = [now]
  for (let t = history.length - 1; t >= 0; t--)
    all.unshift((all[0] ?? 0) - earned(history.charAt(t), history.charAt(t - 1)))
  return all
}

function earned(action: string, before: string): number {
  if (action === 'W' || (action === 'G' && before !== 'G')) return 0
  return action === 'B' ? 1 : -1
}

/** What a pair of actions is worth to me: wounds given less taken, and the honour that changes hands. */
function worth(view: View, own: Action, enemy: Action): number {
  const mine = earned(own, view.history.slice(-1))
  const theirs = earned(enemy, view.enemyHistory.slice(-1))
  if (view.honour + mine < 0) return -100
  const wounds =
    lands(own, enemy) * (view.honour >= view.sword ? 2 : 1) -
    lands(enemy, own) * (view.enemyHonour >= view.sword ? 2 : 1)
  return (
    wounds + (value(view.honour + mine) - value(view.enemyHonour + theirs)) + (view.enemyHonour + theirs < 0 ? 50 : 0)
  )
}

const value = (honour: number): number => 1.2 * (1 - 0.6 ** Math.max(0, honour))

function lands(strike: Action, meanwhile: Action): number {
  return OVERCOMES[strike] && (meanwhile === 'W' || meanwhile === 'B' || meanwhile === OVERCOMES[strike]) ? 1 : 0
}
