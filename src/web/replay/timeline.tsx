import { memo, useMemo } from 'react'
import type { EventAt } from './events.js'

/** Marks that fit beside each other; more of them share one. */
const SLOTS = 160

interface Props {
  readonly last: number
  readonly turn: number
  readonly events: readonly EventAt[]
  readonly onTurn: (turn: number) => void
}

/** The scrubber, with what happened above it. Moving it pauses. */
export function Timeline({ last, turn, events, onTurn }: Props) {
  const marks = useMemo(() => {
    const slots = new Map<number, EventAt>()
    for (const event of events) {
      const slot = Math.round((event.turn / Math.max(1, last)) * SLOTS)
      const there = slots.get(slot)
      if (!there || WEIGHT[event.kind] > WEIGHT[there.kind]) slots.set(slot, event)
    }
    return [...slots.values()]
  }, [events, last])
  const toMark = (target: EventTarget) => {
    const at = target instanceof HTMLElement ? target.dataset['turn'] : undefined
    if (at !== undefined) onTurn(Number(at))
  }
  const now = events.filter((event) => event.turn === turn).map(({ text }) => text)
  return (
    <div className="timeline">
      <div className="marks" aria-hidden="true" onClick={(event) => toMark(event.target)}>
        <Marks marks={marks} last={last} />
      </div>
      <input
        type="range"
        min={0}
        max={last}
        value={turn}
        aria-label="turn"
        aria-valuetext={`turn ${turn} of ${last}`}
        onChange={(event) => onTurn(Number(event.currentTarget.value))}
      />
      <p className="now" aria-live="polite">
        {now.length > 0 ? now.slice(0, 3).join(' · ') : ' '}
      </p>
    </div>
  )
}

const Marks = memo(function Marks({ marks, last }: { readonly marks: readonly EventAt[]; readonly last: number }) {
  return marks.map((event) => (
    <button
      key={`${event.turn} ${event.kind}`}
      type="button"
      tabIndex={-1}
      className={`tick ${event.kind}`}
      style={{ left: `${(100 * event.turn) / Math.max(1, last)}%` }}
      title={`turn ${event.turn}: ${event.text}`}
      data-turn={event.turn}
    />
  ))
})

/** Which of several events a shared mark shows. */
const WEIGHT: Readonly<Record<EventAt['kind'], number>> = {
  other: 0,
  hit: 1,
  blunder: 2,
  bluff: 3,
  death: 4,
  fault: 5,
}
