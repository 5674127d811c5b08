import type { ScoringSpec } from '../../core/index.js'
import { GameKinds, type RatedGame, ScoredSums, scoredGameOf } from '../../stats/index.js'
import type { StoredMatch } from '../../store/index.js'

/** What of a match decides how strong its entrants are. */
export type CountedMatch = Pick<StoredMatch, 'seats' | 'outcome' | 'turns' | 'course' | 'luck'>

/**
 * The matches that some entrants played among themselves, added up for ratings: of a million no more is held than some numbers of each.
 * Entrants are named by their places in `members`.
 */
export class PlayedMatches {
  /** Where wins count; where scores do, only how many there are and which repeat themselves. */
  readonly games: GameKinds
  /** Where scores count. */
  readonly sums = new ScoredSums()
  private readonly place: ReadonlyMap<number, number>
  /** By the store's list of seats, of which matches of the same entrants share one; undefined: one of them is no member. */
  private readonly seatings = new Map<readonly number[], readonly number[] | undefined>()

  constructor(
    private readonly members: readonly number[],
    private readonly scoring: ScoringSpec,
  ) {
    this.place = new Map(members.map((entrant, i) => [entrant, i]))
    this.games = new GameKinds(scoring.teams)
  }

  /** Adds a match if all who played are members, and returns their places; else undefined. */
  add({ seats: entrants, outcome, turns, course, luck }: CountedMatch): readonly number[] | undefined {
    if (!this.seatings.has(entrants)) this.seatings.set(entrants, this.placesOf(entrants))
    const seats = this.seatings.get(entrants)
    if (seats === undefined) return undefined
    const { score } = outcome
    const place = this.scoring.by === 'score' && score !== undefined ? score : outcome.place
    this.games.add({ seats, place, course, luck })
    const scored = scoredGameOf({ seats, outcome, turns }, this.scoring, luck)
    if (scored !== undefined) this.sums.add({ ...scored, course })
    return seats
  }

  /** The games, with entrants named by their places among the same members in another order. */
  gamesAmong(order: readonly number[]): readonly RatedGame[] {
    const to = this.members.map((entrant) => order.indexOf(entrant))
    const named = (entrants: readonly number[]): number[] => entrants.map((i) => to[i] as number)
    return this.games.games().map((game) => ({ ...game, entrants: named(game.entrants) }))
  }

  private placesOf(entrants: readonly number[]): readonly number[] | undefined {
    const places = entrants.flatMap((entrant) => this.place.get(entrant) ?? [])
    return places.length === entrants.length ? places : undefined
  }
}
