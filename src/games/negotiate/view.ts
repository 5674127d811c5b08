import { type Move, TROUBLES, isFault } from '../../core/index.js'

/** The lords in ascending order, '0 1 1 4 5' (rule 7.1). */
export type Action = string

/** What one player may know, daimyo 0 in every row (rules 5.1 to 5.4). See `fields` in text.ts. */
export interface View {
  readonly seat: number
  readonly due: boolean
  /** The turn to play, from 1; `turns` + 1 when the game is over. */
  readonly turn: number
  readonly turns: number
  readonly day: boolean
  readonly negotiations: number
  readonly nightWorth: number
  readonly settling: readonly number[]
  readonly forces: readonly number[]
  readonly intimacy: readonly (readonly number[])[]
  readonly real: readonly number[]
  /** Empty by night. */
  readonly visits: readonly number[]
  readonly strength24: readonly number[]
}

/** This turn's choices of lords, none where the seat is not due. */
export function legal(view: Pick<View, 'due' | 'forces' | 'negotiations'>): readonly Action[] {
  return view.due ? multisets(view.forces.length, view.negotiations) : []
}

/** The lords of an action, in ascending order. */
export function lordsOf(action: Action): readonly number[] {
  return action.split(' ').map(Number)
}

/** The action that names these lords, whatever their order. */
export function actionOf(lords: readonly number[]): Action {
  return [...lords].sort((a, b) => a - b).join(' ')
}

/** Whether a daimyo was late or its program ended (rule 4.3); judgements on answers terminate nobody (4.4). */
export const isTermination = (move: Move<Action> | null | undefined): boolean =>
  isFault(move) && (TROUBLES as readonly string[]).includes(move.fault)

/** The lists are long and equal every turn, so they are kept. */
const known = new Map<string, readonly Action[]>()

function multisets(lords: number, size: number): readonly Action[] {
  const key = `${lords}/${size}`
  const there = known.get(key)
  if (there !== undefined) return there
  const all = Object.freeze(listed(lords, size, 0))
  known.set(key, all)
  return all
}

function listed(lords: number, size: number, from: number): readonly Action[] {
  if (size === 0) return ['']
  return Array.from({ length: lords - from }, (_, k) => from + k).flatMap((lord) =>
    listed(lords, size - 1, lord).map((rest) => (rest === '' ? `${lord}` : `${lord} ${rest}`)),
  )
}
