import { z } from '@hono/zod-openapi'
import { type GameDefinition, type MatchRecord, didYouMean } from '../core/index.js'
import type { Entry } from '../contest/index.js'
import { paced } from '../files/index.js'
import { games } from '../games/index.js'
import { type ComputedMatch, computing } from '../results/index.js'
import { distinct } from '../app/match-host.js'
import type { SiteContext } from './context.js'
import { conflict, invalid } from './http/answers.js'
import { faultKind, said, typed } from './http/route.js'

export const recordSchema = typed<MatchRecord>(
  z.looseObject({ agon: z.literal(1) }).openapi('Record', { description: 'docs/record.md describes it' }),
)

export const positionsSchema = typed<ComputedMatch>(
  z.strictObject({
    boards: z.array(z.string()),
    figures: said(z.array(z.array(z.string())).optional(), 'by position and seat, where the game has figures'),
    pictures: said(
      z.array(z.string()).optional(),
      'by position, where the game draws pictures: SVG or HTML of its designer, to be shown in a sandboxed frame',
    ),
    moves: z.array(z.array(z.union([z.string(), z.looseObject({ fault: faultKind })]).nullable())),
  }),
)

/** A game of the host's own: the page does not know it, and is sent texts. */
const strangeGame = (context: Pick<SiteContext, 'games'>, id: string): GameDefinition | undefined =>
  games.some(({ game }) => game.id === id) ? undefined : context.games.find(({ game }) => game.id === id)

/** A view as text, where the page cannot draw it. */
export function textOf(
  context: Pick<SiteContext, 'games'>,
  game: string,
  view: unknown,
  seat: number,
): string | undefined {
  return view === undefined ? undefined : strangeGame(context, game)?.text?.(view, seat)
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

/** Throws a Refusal where a game is not played by so many bots. `you`: a person plays with them. */
export function refuseSeats({ game }: GameDefinition, bots: number, you?: true): void {
  const { min, max } = game.seats
  const all = you ? bots + 1 : bots
  if (all >= min && all <= max) return
  const seats = min === max ? min : `${min} to ${max}`
  const remedy = you ? ', you included: name as many opponents' : ': name as many bots'
  throw invalid(`${game.id} is played by ${seats}${remedy}`)
}

const LISTED = 20

/** The bots of these names; two of the same are distinguished by a number. `others`: who is there, too. Throws a Refusal. */
export function botsNamed(
  { seats }: Pick<SiteContext, 'seats'>,
  names: readonly string[],
  bots: readonly Entry[],
  others: readonly { readonly name: string }[] = [],
): readonly Entry[] {
  const shown = distinct(names)
  return names.map((name, i) => {
    const entry = bots.find(({ spec }) => spec.name === name)
    if (entry === undefined) {
      const all = [...new Set([...bots.map(({ spec }) => spec.name), ...others.map((one) => one.name)])]
      const there = all.length > LISTED ? [...all.slice(0, LISTED), `${all.length - LISTED} more`] : all
      throw invalid(`no bot ${JSON.stringify(name)}${didYouMean(name, all)}; there are ${there.join(', ')}`)
    }
    if (entry.remote !== undefined && !seats.isThere(entry.remote))
      throw conflict(`${name} is not connected now: try again when it is`)
    return { ...entry, spec: { ...entry.spec, name: shown[i] ?? name } }
  })
}
