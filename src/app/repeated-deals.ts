import type { Contest, GameDefinition, Memory } from '../core/index.js'
import { isChanceless } from '../match/index.js'
import { sharesDeals } from '../tournament/index.js'

/** What decides whether an entrant may carry a deal from match to match. */
interface Remembering {
  readonly house: boolean
  readonly memory: Memory
}

/**
 * A notice for a person where a stranger's bot that remembers a series is dealt the same luck again with the seats changed: it then knows what
 * the game hides from it. Undefined: no bot is, or the game has no chance.
 */
export function repeatedDeals(
  { format, options }: Pick<Contest, 'format' | 'options'>,
  definition: GameDefinition,
  entrants: readonly Remembering[],
): string | undefined {
  const remembers = ({ house, memory }: Remembering): boolean =>
    !house && (memory === 'series' || memory === 'tournament')
  if (!sharesDeals(format) || !entrants.some(remembers)) return undefined
  if (isChanceless(definition, options, definition.game.seats.min)) return undefined
  const remedy = ['groups', 'ordered-pairs'].includes(format.kind) ? '' : ', or swap = false in [format]'
  return `every deal is played again with the seats changed, and a bot that remembers the match before knows what is hidden: for a contest that counts, set memory = "match" and strict_memory = true${remedy}`
}
