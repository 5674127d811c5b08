import {
  type GameDefinition,
  type MatchRecord,
  type Move,
  fromLatin1,
  isFault,
  messageOf,
  saidIn,
  unpackOutput,
} from '../../core/index.js'
import { walk } from '../../match/judge.js'
import type { PackedMatch } from '../document.js'

/** A position of a match with the step that led to it. */
export interface Frame {
  /** undefined where only its text is known. */
  readonly state: unknown
  readonly board?: string
  /** The position as a game of its own draws it. */
  readonly picture?: string
  /** By seat; null: was not due. */
  readonly moves: readonly (Move<string> | null)[]
  /** By seat, in microseconds; undefined: was not due, or not measured. */
  readonly times: readonly (number | undefined)[]
  /** By seat, what it said beside its move; absent: nobody may. */
  readonly said?: readonly (string | undefined)[]
}

/** All positions of a match from the first to the last. `stopped` tells why they end early: the rules cannot follow the record. */
export interface Film {
  readonly frames: readonly Frame[]
  readonly stopped?: string
  /** The match is still being played: the last position is not its end. */
  readonly live?: true
}

/** Plays a record again by the game's own rules; without these, from the positions that came with it. */
export function filmOf(definition: GameDefinition | undefined, { record, positions, live }: PackedMatch): Film {
  const seats = record.seats.length
  const timesOf = (step: number): (number | undefined)[] => {
    const times = Array.from<number | undefined>({ length: seats })
    record.steps[step]?.forEach(([seat], i) => (times[seat] = record.times?.[step]?.[i]?.[0]))
    return times
  }
  const nobody = Array.from({ length: seats }, () => null)
  if (!definition) {
    const frames = (positions?.boards ?? []).map((board, i): Frame => ({
      state: undefined,
      board,
      picture: positions?.pictures?.[i],
      moves: positions?.moves[i - 1] ?? nobody,
      times: timesOf(i - 1),
      said: positions?.say ? wordsIn(record, i - 1) : undefined,
    }))
    if (live) return { frames, live }
    return frames.length > 0
      ? { frames }
      : { frames, stopped: 'its positions are not in this page, and agon replay shows them' }
  }
  const frames: Frame[] = []
  try {
    const still = { moves: nobody, times: nobody.map(() => undefined) }
    frames.push({ state: definition.game.setup(seats, record.options, record.luck), ...still })
    for (const { moves, after } of walk(definition, record)) {
      const shown = moves.map((move) => move ?? null)
      frames.push({ state: after, moves: shown, times: timesOf(frames.length - 1) })
    }
    // How it ended is known once it is stored.
    return live ? { frames, live } : { frames }
  } catch (error) {
    // That it is not over is no mistake of a record that grows.
    if (live && frames.length === record.steps.length + 1) return { frames, live }
    return { frames, stopped: messageOf(error) }
  }
}

/** By seat what was said in a step: words beside a fault are not heard, and are no action's. */
function wordsIn({ seats, steps }: MatchRecord, step: number): (string | undefined)[] {
  const words = Array.from<string | undefined>({ length: seats.length })
  for (const [seat, packed] of steps[step] ?? []) {
    const { out = '' } = unpackOutput(packed)
    words[seat] = saidIn(seats[seat]?.wire === 'module' ? out : fromLatin1(out))
  }
  return words
}

/** Faults by seat up to a position, the latest last. */
export function faultsUntil(film: Film, seat: number, turn: number) {
  return film.frames.slice(1, turn + 1).flatMap((frame, i) => {
    const move = frame.moves[seat]
    return move && isFault(move) ? [{ ...move, turn: i + 1 }] : []
  })
}
