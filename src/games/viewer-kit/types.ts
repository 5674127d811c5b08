import type { ComponentType } from 'react'
import type { Move } from '../../core/index.js'

/** A seat as a viewer shows it. */
export interface SeatInfo {
  readonly seat: number
  readonly name: string
}

/** Milliseconds on stage of the step that led to a position; 0: shown at once. */
export interface Beat {
  readonly turn: number
  readonly ms: number
}

export interface BoardProps<Scene> {
  readonly scene: Scene
  /** The position before the last step; undefined at the start. */
  readonly before: Scene | undefined
  /** By seat: what that step did, as far as it may be seen. */
  readonly moves: readonly (Move<string> | null)[]
  readonly seats: readonly SeatInfo[]
  /** Seats from left to right. */
  readonly order: readonly number[]
  readonly beat: Beat
  /** Drawn in little room, as on a phone: at most `NARROW_BOARD` units wide, so that words can be read. */
  readonly narrow: boolean
  /** A person chooses: a viewer may let parts of its board be tapped. Absent: it only shows. */
  readonly choice?: Choice
}

/** What a person may choose at the board, and what is then called. */
export interface Choice {
  readonly legal: readonly string[]
  readonly onChoose: (action: string) => void
}

/** A narrow board's width in units of its drawing: on a phone about pixels. */
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
  /** In the position after so many steps. null: not to be seen. */
  readonly of: (scene: Scene, seat: number, turn: number) => number | null
}

/** What the player shell needs of a game beside its rules. A scene: what is drawn of a position. */
export interface Viewer<Scene, State, View> {
  readonly game: string
  /** The whole position, nothing hidden. */
  readonly scene: (state: State) => Scene
  /** What a seat may know. */
  readonly seen: (view: View, seat: number) => Scene
  readonly Board: ComponentType<BoardProps<Scene>>
  readonly tallies: readonly Tally<Scene>[]
  /** What a person may do at the board beside buttons, in a sentence. */
  readonly hint?: string
  /** An action in a word or two; without it the kit's own words. */
  readonly word?: (action: string, names: readonly string[]) => string
  /** An action in few signs, for lists of many seats; absent: the action. */
  readonly sign?: (action: string, names: readonly string[]) => string
  /** What others see of an action in this position; null: nothing. Absent: all. */
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
