import { davidson } from './davidson.js'
import type { RatedGame } from './game.js'
import { plackettLuceModel } from './plackett-luce.js'
import { type RatingOptions, type Ratings, ratingsBy } from './strengths.js'

/** Bradley and Terry's strengths with draws and seats (`davidson`), as Elo. Games of more than two are taken apart into pairs. */
export const bradleyTerry = (games: readonly RatedGame[], field: number, options?: RatingOptions): Ratings =>
  ratingsBy(davidson(games, field), games, options)

/** Plackett and Luce's strengths for games of any number (`plackettLuceModel`), in the same units. */
export const plackettLuce = (games: readonly RatedGame[], field: number, options?: RatingOptions): Ratings =>
  ratingsBy(plackettLuceModel(games, field), games, options)

export type ModelName = 'Bradley–Terry' | 'Plackett–Luce'

/** The model that games are fitted with; `pairs`: all of them are of two. */
export const modelName = (pairs: boolean): ModelName => (pairs ? 'Bradley–Terry' : 'Plackett–Luce')
