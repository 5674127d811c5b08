import { type GameDefinition, type MatchRecord, didYouMean } from '../core/index.js'
import type { Entry } from '../contest/index.js'
import { games } from '../games/index.js'
import { paced } from '../files/index.js'
import { type ComputedMatch, computing } from '../results/index.js'
import { distinct } from '../app/match-host.js'
import type { SiteContext } from './context.js'
import { Refusal } from './http/problems.js'

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

/** The positions of a match as texts; undefined: the page draws them itself. `from`: the address of who asks. */
export async function positionsFor(
  context: Pick<SiteContext, 'games' | 'slow'>,
  record: MatchRecord,
  from: string,
): Promise<ComputedMatch | undefined> {
  const definition = strangeGame(context, record.game)
  return definition && context.slow.run(from, () => paced(computing(definition, record)))
}

export function unknownBot(name: string, names: readonly string[]): never {
  const there = names.length > LISTED ? [...names.slice(0, LISTED), `${names.length - LISTED} more`] : names
  throw new Refusal(
    'invalid',
    `no bot ${JSON.stringify(name)}${didYouMean(name, names)}; there are ${there.join(', ')}`,
  )
}
/** Names that a refusal lists. */
const LISTED = 20

/** Throws a Refusal for a bot on its author's machine that is not connected now. */
export function refuseAway({ seats }: Pick<SiteContext, 'seats'>, entries: readonly Entry[]): void {
  const away = entries.find(({ remote }) => remote !== undefined && !seats.isThere(remote))
  if (away !== undefined) throw new Refusal('conflict', `${away.spec.name} is not connected now: try again when it is`)
}

/** Two of the same bot are distinguished by a number. */
export function renamed(entries: readonly Entry[]): readonly Entry[] {
  const names = distinct(entries.map(({ spec }) => spec.name))
  return entries.map((entry, i) => ({ ...entry, spec: { ...entry.spec, name: names[i] ?? '' } }))
}
