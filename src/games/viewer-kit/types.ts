import type { ComponentType } from 'react'
import type { Move } from '../../core/index.js'

/** A seat as a viewer shows it. */
export interface SeatInfo {
  readonly seat: number
  readonly name: string
}

/** How long the step that led to a position takes on the stage, in milliseconds; 0: it is shown at once. */
export interface Beat {
  readonly turn: number
  readonly ms: number
}

export interface BoardProps<Scene> {
  readonly scene: Scene
  /** The position before the step that led here; undefined at the start. */
  readonly before: Scene | undefined
  /** By seat: what was done in that step, as far as it may be seen. */
  readonly moves: readonly (Move<string> | null)[]
  readonly seats: readonly SeatInfo[]
  /** Seats from left to right. */
  readonly order: readonly number[]
  readonly beat: Beat
  /** Drawn in little room, such as on a phone: the board is at most `NARROW_BOARD` units wide, so that its words can be read. */
  readonly narrow: boolean
  /** A person is to choose: a viewer may let parts of its board be tapped. Absent: it only shows. */
  readonly choice?: Choice
}

/** What a person may choose at the board, and what is called with it. */
export interface Choice {
  readonly legal: readonly string[]
  readonly onChoose: (action: string) => void
}

/** The width of a narrow board in units of its drawing; on a phone a unit is about a pixel. */
export const NARROW_BOARD = 360

/** Something worth jumping to. */
export interface KeyEvent {
  readonly kind: 'hit' | 'death' | 'bluff' | 'fault' | 'blunder' | 'other'
  readonly seat?: number
  readonly text: string
}

/** A number in the state by seat, for the panel and the graph. */
export interface Tally<Scene> {
  readonly name: string
  /** In the position that so many steps led to. null: it is not to be seen. */
  readonly of: (scene: Scene, seat: number, turn: number) => number | null
}

/** What the player shell needs of a game beside its rules. A scene is what of a position is drawn. */
export interface Viewer<Scene, State, View> {
  readonly game: string
  /** The whole position, nothing hidden. */
  readonly scene: (state: State) => Scene
  /** What a seat may know. */
  readonly seen: (view: View, seat: number) => Scene
  readonly Board: ComponentType<BoardProps<Scene>>
  readonly tallies: readonly Tally<Scene>[]
  /** What a person may do at the board beside the buttons, in a sentence. */
  readonly hint?: string
  /** An action in a word or two; without it the kit's own words. */
  readonly word?: (action: string, names: readonly string[]) => string
  /** An action in as few signs as will do, for lists of many seats; without it the action. */
  readonly sign?: (action: string, names: readonly string[]) => string
  /** What the others see of an action made in this position; null: nothing. Without it all of it. */
  readonly open?: (before: State, action: string) => string | null
  /** What happened in a step beside faults. */
  readonly events?: (before: State, moves: readonly (Move<string> | undefined)[], after: State) => readonly KeyEvent[]
}

/** Any viewer, where its types do not matter. */
export type AnyViewer = Viewer<unknown, unknown, unknown>

/** Hides a viewer's own types from the page. */
export function viewer<Scene, State, View>(own: Viewer<Scene, State, View>): AnyViewer {
  return own as unknown as AnyViewer
}
