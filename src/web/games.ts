import { type GameDefinition, type MatchRecord, visible } from '../core/index.js'
import { games } from '../games/index.js'
import type { AnyViewer } from '../games/viewer-kit/index.js'

const found = import.meta.glob<{ default: AnyViewer }>('../games/*/viewer.tsx', { eager: true })
const viewers = new Map(Object.values(found).map(({ default: viewer }) => [viewer.game, viewer]))

export const definitionOf = (id: string): GameDefinition | undefined => games.find(({ game }) => game.id === id)

export const viewerOf = (id: string): AnyViewer | undefined => viewers.get(id)

/** The names at the table, numbered where an entrant plays against itself. */
export function seatNames({ seats }: MatchRecord): readonly string[] {
  return seats.map(({ entrant }, seat) =>
    seats.filter((other) => other.entrant === entrant).length > 1
      ? `${visible(entrant)} (seat ${seat})`
      : visible(entrant),
  )
}
