import { type Outcome, isFault } from '../../core/index.js'
import { listed } from '../../text/index.js'
import { percent, said } from '../format.js'
import type { AnyViewer, KeyEvent } from '../../games/viewer-kit/index.js'
import { type Evaluation, markOf } from './evaluation.js'
import type { Film } from './frames.js'

export interface EventAt extends KeyEvent {
  readonly turn: number
}

/** What is worth jumping to in a match: faults, what the game's viewer names, and the end. */
export function eventsOf(
  film: Film,
  viewer: AnyViewer | undefined,
  names: readonly string[],
  outcome: Outcome,
): readonly EventAt[] {
  const { frames } = film
  const events = frames.slice(1).flatMap((frame, i): EventAt[] => {
    const turn = i + 1
    const faults = frame.moves.flatMap((move, seat) =>
      move && isFault(move) ? [{ kind: 'fault', seat, turn, text: `${names[seat]}: ${faultText(move)}` } as const] : [],
    )
    const own = viewer?.events?.(
      frames[i]?.state,
      frame.moves.map((move) => move ?? undefined),
      frame.state,
    )
    return [...faults, ...(own ?? []).map((event) => ({ ...event, text: named(event, names), turn }))]
  })
  if (film.stopped === undefined && !film.live)
    events.push({ kind: 'other', turn: frames.length - 1, text: endText(names, outcome) })
  return events
}

export function blundersOf(evaluation: Evaluation | undefined, names: readonly string[]): readonly EventAt[] {
  return (evaluation?.lost ?? []).flatMap((lost, turn) =>
    lost.flatMap((share, seat): EventAt[] =>
      share !== null && markOf(share) === 'blunder'
        ? [{ kind: 'blunder', seat, turn, text: said(names[seat], `blunders: ${percent(share)} given away`) }]
        : [],
    ),
  )
}

const named = ({ seat, text }: KeyEvent, names: readonly string[]): string =>
  seat === undefined ? text : said(names[seat], text)

/** A fault in words: 'timeout: did not end within 1000 ms (answered "B")'. */
export function faultText(fault: { readonly fault: string; readonly why?: string; readonly said?: string }): string {
  const why = fault.why === undefined ? '' : `: ${fault.why}`
  return `${fault.fault}${why}${fault.said ? ` (answered ${JSON.stringify(fault.said)})` : ''}`
}

/** How a match ended: 'Ant won: shot', 'a draw of Ant and Bee: turn limit', 'Ant and Cat came first: out'. */
export function endText(names: readonly string[], { place, reason }: Pick<Outcome, 'place' | 'reason'>): string {
  const first = [...new Set(names.filter((_, seat) => place[seat] === 1))]
  if (place.every((one) => one === 1))
    return names.length > 4 ? `a draw of all: ${reason}` : `a draw of ${listed(first)}: ${reason}`
  return first.length === 1 ? said(first[0], `won: ${reason}`) : `${listed(first)} came first: ${reason}`
}

/** The turn of the next event after a position, or before it; undefined: there is none. */
export function nextEvent(events: readonly EventAt[], turn: number, step: 1 | -1): number | undefined {
  const ahead = events.map((event) => event.turn).filter((at) => (at - turn) * step > 0)
  return ahead.length === 0 ? undefined : step === 1 ? Math.min(...ahead) : Math.max(...ahead)
}
