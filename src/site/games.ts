import type { GameDefinition } from '../core/index.js'
import { houseBots } from '../contest/entries.js'
import { type GameFacts, factsOfGame } from '../app/look/games.js'
import type { SiteContext } from './context.js'

/** A game that can be played on the site, with the bots that come with it. */
export interface SiteGame extends GameFacts {
  readonly house: readonly string[]
  /** What each action means, in a word or two. */
  readonly actions: Readonly<Record<string, string>>
}

/** The games that can be played on the site. */
export const siteGames = ({ games }: SiteContext): readonly SiteGame[] => games.map(gameOf)

function gameOf(definition: GameDefinition): SiteGame {
  const there = known.get(definition)
  if (there !== undefined) return there
  const house = houseBots(definition).map(({ spec }) => spec.name)
  const game = { ...factsOfGame(definition), house, actions: definition.actions ?? {} }
  known.set(definition, game)
  return game
}
const known = new WeakMap<GameDefinition, SiteGame>()
