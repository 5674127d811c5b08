import { type GameDefinition, type MatchRecord, didYouMean } from '../../core/index.js'
import type { Entry } from '../../contest/index.js'
import { games } from '../../games/index.js'
import { type ComputedMatch, computedMatch } from '../../report/index.js'
import type { SiteContext } from './context.js'
import { Refusal } from './refusal.js'

/** A game of the host's own: the page does not know it, and is sent texts. */
const strangeGame = (context: Pick<SiteContext, 'games'>, id: string): GameDefinition | undefined =>
  games.some(({ game }) => game.id === id) ? undefined : context.games.find(({ game }) => game.id === id)

/** A view as text, where the page cannot draw it. */
export function textOf(
  context: Pick<SiteContext, 'games'>,
  game: string,
  view: unknown,
  seat: number,
): { readonly text?: string } {
  const text = view === undefined ? undefined : strangeGame(context, game)?.text?.(view, seat)
  return text === undefined ? {} : { text }
}

/** The positions of a match as texts, where the page cannot draw them. */
export function positionsOf(
  context: Pick<SiteContext, 'games'>,
  record: MatchRecord,
): { readonly positions?: ComputedMatch } {
  const definition = strangeGame(context, record.game)
  return definition === undefined ? {} : { positions: computedMatch(definition, record) }
}

export function unknownBot(name: string, names: readonly string[]): never {
  throw new Refusal(
    'invalid',
    `no bot ${JSON.stringify(name)}${didYouMean(name, names)}; there are ${names.join(', ')}`,
  )
}

/** Two of the same bot are distinguished by a number. */
export function renamed(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry, n) => {
    const before = entries.slice(0, n).filter(({ spec }) => spec.name === entry.spec.name).length
    return before === 0 ? entry : { ...entry, spec: { ...entry.spec, name: `${entry.spec.name} (${before + 1})` } }
  })
}
