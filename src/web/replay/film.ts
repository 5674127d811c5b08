import { useEffect, useState } from 'react'
import {
  type GameDefinition,
  type MatchRecord,
  type Move,
  type Options,
  type Outcome,
  fromLatin1,
  isFault,
  messageOf,
  saidIn,
  unpackOutput,
} from '../../core/index.js'
import type { AnyViewer, KeyEvent } from '../../games/viewer-kit/index.js'
import { type EvaluatedMatch, type PlayedStep, evaluating, matchEvaluator } from '../../lab/evaluator.js'
import { walk } from '../../match/judge.js'
import { listed } from '../../text/index.js'
import type { PackedMatch } from '../document.js'
import { percent, said } from '../format.js'

export interface Frame {
  /** undefined where only its text is known. */
  readonly state: unknown
  readonly board?: string
  readonly picture?: string
  /** By seat; null: was not due. */
  readonly moves: readonly (Move<string> | null)[]
  /** By seat, in microseconds; undefined: not due, or not measured. */
  readonly times: readonly (number | undefined)[]
  /** By seat, what it said beside its move; absent: nobody may. */
  readonly said?: readonly (string | undefined)[]
}

/** All positions. `stopped`: why the rules cannot follow the record to its end. */
export interface Film {
  readonly frames: readonly Frame[]
  readonly stopped?: string
  /** Under way: the last position is not its end. */
  readonly live?: true
}

/** By the game's own rules; without these, from the positions that came along. */
export function filmOf(definition: GameDefinition | undefined, { record, positions, live }: PackedMatch): Film {
  const nobody = record.seats.map(() => null)
  const timesOf = (step: number): (number | undefined)[] => {
    const times = new Map(record.steps[step]?.map(([seat], i) => [seat, record.times?.[step]?.[i]?.[0]]))
    return record.seats.map((_, seat) => times.get(seat))
  }
  if (!definition) {
    const frames = (positions?.boards ?? []).map((board, i): Frame => ({
      state: undefined,
      board,
      picture: positions?.pictures?.[i],
      moves: positions?.moves[i - 1] ?? nobody,
      times: timesOf(i - 1),
      said: positions?.say ? wordsIn(record, i - 1) : undefined,
    }))
    const isThere = live === true || frames.length > 0
    return {
      frames,
      live,
      stopped: isThere ? undefined : 'its positions are not in this page, and agon replay shows them',
    }
  }
  const frames: Frame[] = []
  try {
    frames.push({ state: definition.game.setup(nobody.length, record.options, record.luck), moves: nobody, times: [] })
    for (const { moves, after } of walk(definition, record))
      frames.push({ state: after, moves: moves.map((move) => move ?? null), times: timesOf(frames.length - 1) })
  } catch (error) {
    // A record that grows may be unfinished.
    if (!live || frames.length <= record.steps.length) return { frames, stopped: messageOf(error) }
  }
  return { frames, live }
}

/** By seat; words beside a fault are not heard. */
function wordsIn({ seats, steps }: MatchRecord, step: number): (string | undefined)[] {
  const words = Array.from<string | undefined>({ length: seats.length })
  for (const [seat, packed] of steps[step] ?? []) {
    const { out = '' } = unpackOutput(packed)
    words[seat] = saidIn(seats[seat]?.wire === 'module' ? out : fromLatin1(out))
  }
  return words
}

export function faultsUntil(film: Film, seat: number, turn: number) {
  return film.frames.slice(1, turn + 1).flatMap((frame, i) => {
    const move = frame.moves[seat]
    return move && isFault(move) ? [{ ...move, turn: i + 1 }] : []
  })
}

export interface EventAt extends KeyEvent {
  readonly turn: number
}

/** Faults, what the game's viewer names, and the end. */
export function eventsOf(
  film: Film,
  viewer: AnyViewer | undefined,
  names: readonly string[],
  outcome: Outcome,
): readonly EventAt[] {
  const { frames } = film
  const events = frames.slice(1).flatMap(({ state, moves }, i): EventAt[] => {
    const turn = i + 1
    const faults = moves.flatMap((move, seat) =>
      move && isFault(move) ? [{ kind: 'fault', seat, turn, text: `${names[seat]}: ${faultText(move)}` } as const] : [],
    )
    const before = frames[i]?.state
    const own =
      viewer?.events?.(
        before,
        moves.map((move) => move ?? undefined),
        state,
      ) ?? []
    const named = ({ seat, text }: KeyEvent) => (seat === undefined ? text : said(names[seat], text))
    return [...faults, ...own.map((event) => ({ ...event, text: named(event), turn }))]
  })
  if (film.stopped === undefined && !film.live)
    events.push({ kind: 'other', turn: frames.length - 1, text: endText(names, outcome) })
  return events
}

export function blundersOf(evaluation: EvaluatedMatch | undefined, names: readonly string[]): readonly EventAt[] {
  return (evaluation?.lost ?? []).flatMap((lost, turn) =>
    lost.flatMap((share, seat): EventAt[] =>
      share !== null && markOf(share) === 'blunder'
        ? [{ kind: 'blunder', seat, turn, text: said(names[seat], `blunders: ${percent(share)} given away`) }]
        : [],
    ),
  )
}

/** 'timeout: did not end within 1000 ms (answered "B")'. */
export function faultText(fault: { readonly fault: string; readonly why?: string; readonly said?: string }): string {
  const why = fault.why === undefined ? '' : `: ${fault.why}`
  return `${fault.fault}${why}${fault.said ? ` (answered ${JSON.stringify(fault.said)})` : ''}`
}

/** 'Ant won: shot', 'a draw of Ant and Bee: turn limit', 'Ant and Cat came first: out'. */
export function endText(names: readonly string[], { place, reason }: Pick<Outcome, 'place' | 'reason'>): string {
  const first = [...new Set(names.filter((_, seat) => place[seat] === 1))]
  if (place.every((one) => one === 1)) return `a draw of ${names.length > 4 ? 'all' : listed(first)}: ${reason}`
  return first.length === 1 ? said(first[0], `won: ${reason}`) : `${listed(first)} came first: ${reason}`
}

/** Undefined: there is none. */
export function nextEvent(events: readonly EventAt[], turn: number, step: 1 | -1): number | undefined {
  const turns = events.map((event) => event.turn).sort((a, b) => (a - b) * step)
  return turns.find((at) => (at - turn) * step > 0)
}

/** How good a move was. Bounds are lichess's, in shares of the match: https://lichess.org/page/accuracy. */
export const SIGNS = { best: '✓', inaccuracy: '?!', mistake: '?', blunder: '??' } as const

/** Of a move that gave away that share of the match; undefined: neither best nor bad, or unknown. */
export function markOf(lost: number | null | undefined): keyof typeof SIGNS | undefined {
  if (lost === null || lost === undefined) return undefined
  if (lost >= 0.15) return 'blunder'
  if (lost >= 0.1) return 'mistake'
  if (lost >= 0.05) return 'inaccuracy'
  // Evaluations are as exact as that.
  return lost < 0.005 ? 'best' : undefined
}

/** Its own moves, judged by what it knew: positions' worth would tell what is hidden. */
export const ofSeat = ({ lost }: EvaluatedMatch, as: number): EvaluatedMatch => ({
  shares: [],
  lost: lost.map((step) => step.map((share, seat) => (seat === as ? share : null))),
})

/** Milliseconds without anything else; and least positions of the first slice. */
const SLICE_MS = 12
const LEAST = 300

/** Undefined: not yet, or never, without a solution. `live`: the match grows. */
export function useEvaluation(
  definition: GameDefinition | undefined,
  options: Options,
  frames: readonly PlayedStep[],
  live = false,
): EvaluatedMatch | undefined {
  const [found, setFound] = useState<{ readonly frames: typeof frames; readonly evaluation?: EvaluatedMatch }>()
  useEffect(() => {
    const evaluator = definition && matchEvaluator(definition, options)
    if (evaluator === undefined) return undefined
    let [until, least, left] = [0, LEAST, LEAST]
    const work = evaluating(evaluator.course(frames), frames.length, () => left-- > 0 || performance.now() < until)
    const slice = (): void => {
      until = performance.now() + SLICE_MS
      left = least
      let step = work.next()
      while (!step.done && step.value && performance.now() < until) step = work.next()
      if (step.done) return setFound({ frames, evaluation: step.value })
      // What each slice begins anew grows with the game, so each slice does more.
      if (!step.value) least *= 1.5
      timer = window.setTimeout(slice, 0)
    }
    let timer = window.setTimeout(slice, 0)
    return () => window.clearTimeout(timer)
  }, [definition, options, frames])
  // Of a match that grows, what is known so far is shown.
  return found?.frames === frames || live ? found?.evaluation : undefined
}
