import type { GameDefinition, PublishedTable, Standing } from '../core/index.js'
import type { PlayedContest } from './sources.js'

/** A run's table as the author of its contest published it; undefined: the game has no such form. */
export function publishedTable(
  definition: GameDefinition,
  { entrants }: Pick<PlayedContest, 'entrants'>,
  columns: readonly string[],
  rows: readonly Pick<Standing, 'name' | 'points' | 'cells'>[],
): PublishedTable | undefined {
  const known = new Map(entrants.map((entrant) => [entrant.name, entrant]))
  return definition.published?.({
    columns,
    rows: rows.map(({ name, points, cells }) => {
      const { language = '', command } = known.get(name) ?? {}
      return { name, points, cells, language, command: command?.join(' ') ?? name }
    }),
  })
}
