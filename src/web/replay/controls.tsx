import { type RefObject, useLayoutEffect, useMemo, useRef } from 'react'
import { Field, Press, Select } from '../parts.js'
import { useShared } from '../shared.js'
import type { EventAt } from './film.js'
import { useReplay } from './match.js'
import { SPEEDS } from './playback.js'

interface Known {
  readonly keys: readonly string[]
  readonly shown?: string
  readonly icon?: string
  /** On a phone its key, or the slider, has to do. */
  readonly isFar?: true
}

/** What can be done in a replay, for the keys, their help and the buttons alike. */
const DEEDS = {
  'play or pause': { keys: [' '], shown: 'Space', icon: 'M6 3.5 16 10 6 16.5z' },
  'a turn on': { keys: ['ArrowRight'], shown: '→', icon: 'm7 4 7 6-7 6z' },
  'a turn back': { keys: ['ArrowLeft'], shown: '←', icon: 'M13 4 6 10l7 6z' },
  'ten turns on': { keys: ['PageDown'], shown: 'Page down', icon: 'm3 4 7 6-7 6zM10 4l7 6-7 6z', isFar: true },
  'ten turns back': { keys: ['PageUp'], shown: 'Page up', icon: 'M10 4 3 10l7 6zM17 4l-7 6 7 6z', isFar: true },
  'to the start': { keys: ['Home'], icon: 'M5 4v12M16 4 8 10l8 6z', isFar: true },
  'to the end': { keys: ['End'], icon: 'M15 4v12M4 4l8 6-8 6z', isFar: true },
  'to the next key event': { keys: ['n'], icon: 'm11 5 5 5-5 5M6 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 1 1 0-5z' },
  'to the previous key event': { keys: ['p'], icon: 'M9 5 4 10l5 5M14 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 1 1 0-5z' },
  'flip the board': { keys: ['f'], icon: 'M7 4 3 7.5 7 11M3 7.5h13M13 9l4 3.5L13 16M17 12.5H4' },
  faster: { keys: ['+', '='] },
  slower: { keys: ['-'], shown: '−' },
  'download the record': { keys: [], shown: 'JSON', icon: 'M10 3v9M6 8.5l4 4 4-4M4 16.5h12' },
  'this help': { keys: ['?'], icon: 'M7 7.5a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1-1.4 2.1M10 15v1' },
  'back to the report': { keys: ['Escape'], shown: 'Esc' },
} satisfies Readonly<Record<string, Known>>
type Deed = keyof typeof DEEDS
export type Deeds = Readonly<Record<Deed, () => void>>

const ALL = Object.entries<Known>(DEEDS) as readonly (readonly [Deed, Known])[]
const BACK: readonly Deed[] = ['to the start', 'ten turns back', 'a turn back']
const ON: readonly Deed[] = ['a turn on', 'ten turns on', 'to the end']
const PAUSE = 'M6 4h3v12H6zM11 4h3v12h-3z'

export function Controls({ deeds }: { readonly deeds: Deeds }) {
  const { definition, seats, as, playback, turn } = useReplay()
  const { place, go } = useShared()
  const { last, playing } = playback
  const buttons = (label: string, does: readonly Deed[]) => (
    <div className="group" role="group" aria-label={label}>
      {does.map((deed) => {
        const { keys, shown = keys[0], icon = '', isFar }: Known = DEEDS[deed]
        const plays = deed === 'play or pause'
        return (
          <Press
            key={deed}
            className={`icon ${isFar ? 'far' : ''} ${plays ? 'main' : ''}`}
            aria-label={plays ? (playing ? 'pause' : 'play') : deed}
            title={`${deed} (${shown})`}
            resting={(turn === 0 && BACK.includes(deed)) || (turn === last && ON.includes(deed))}
            onClick={deeds[deed]}
          >
            <Icon d={plays && playing ? PAUSE : icon} />
          </Press>
        )
      })}
    </div>
  )
  return (
    <div className="controls">
      {buttons('move through the match', [...BACK, 'play or pause', ...ON])}
      {buttons('key events', ['to the previous key event', 'to the next key event'])}
      <Field
        label={<span className="far">Turn</span>}
        aria-label="turn number"
        type="number"
        className="short"
        min={0}
        max={last}
        value={turn}
        onWord={(word) => playback.to(Number(word))}
      />
      <details className="menu" onKeyDown={closeByEscape}>
        <summary className="icon" aria-label="speed, perspective and more" title="speed, perspective and more">
          <Icon d="M4 5.5h12M4 10h12M4 14.5h12" />
        </summary>
        <div className="panel">
          <Select
            label="Speed"
            value={playback.speed}
            options={SPEEDS.map((each) => [each, `${each}×`])}
            onChoose={(one) => playback.setSpeed(Number(one))}
          />
          {definition && (
            <Select
              label="Show"
              value={as ?? ''}
              options={[['', 'everything'], ...seats.map(({ seat, name }) => [seat, `what ${name} knew`] as const)]}
              onChoose={(seat) => go({ match: place.match, turn, as: seat === '' ? undefined : Number(seat) }, true)}
            />
          )}
          {buttons('more', ['flip the board', 'download the record', 'this help'])}
        </div>
      </details>
    </div>
  )
}

/** A drawing on a field of 20 by 20; what closes is filled. */
const Icon = ({ d }: { readonly d: string }) => (
  <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <path d={d} fill={d.includes('z') ? 'currentColor' : 'none'} />
  </svg>
)

function closeByEscape(event: React.KeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== 'Escape' || !event.currentTarget.open) return
  event.stopPropagation()
  event.currentTarget.open = false
  event.currentTarget.querySelector('summary')?.focus()
}

/** Calls what a key does, wherever the focus is, unless the element there has its own use for that key. */
export function useKeys(deeds: Deeds): void {
  const latest = useRef(deeds)
  latest.current = deeds
  // Before the page is seen: no key that is pressed then is missed.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && usesKey(event.target, event.key)) return
      const [deed] = ALL.find(([, { keys }]) => keys.includes(event.key)) ?? []
      if (deed === undefined) return
      event.preventDefault()
      latest.current[deed]()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

function usesKey(target: Element, key: string): boolean {
  if (target.closest('dialog')) return true
  if (target.matches('[type="range"]')) return /^(Arrow|Page|Home|End)/.test(key)
  if (target.matches('textarea, select, input')) return key !== 'Escape'
  return key === ' ' && target.matches('button, a, summary')
}

export const Help = ({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) => (
  <dialog ref={dialog} className="panel" aria-labelledby="keys">
    <h2 id="keys">Keys</h2>
    <dl>
      {ALL.map(
        ([deed, { keys, shown = keys[0] }]) =>
          keys.length > 0 && (
            <div key={deed}>
              <dt>
                <kbd>{shown}</kbd>
              </dt>
              <dd>{deed}</dd>
            </div>
          ),
      )}
    </dl>
    <form method="dialog">
      <Press sends>Close</Press>
    </form>
  </dialog>
)

/** Marks that fit beside each other; of more that share a place, the last of these kinds is shown. */
const SLOTS = 160
const KINDS: readonly EventAt['kind'][] = ['other', 'hit', 'blunder', 'bluff', 'death', 'fault']

/** The scrubber, with what happened above it. Moving it pauses. */
export function Timeline() {
  const { events, turn, playback } = useReplay()
  const { last, to } = playback
  const shareOf = (event: EventAt): number => event.turn / Math.max(1, last)
  const marks = useMemo(() => {
    const sorted = [...events].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
    return [...new Map(sorted.map((event) => [Math.round(shareOf(event) * SLOTS), event]))]
  }, [events, last])
  const now = events.filter((event) => event.turn === turn).map(({ text }) => text)
  return (
    <div className="timeline">
      <div className="marks" aria-hidden="true">
        {marks.map(([slot, event]) => (
          <button
            key={slot}
            type="button"
            tabIndex={-1}
            className={`tick ${event.kind}`}
            style={{ left: `${100 * shareOf(event)}%` }}
            title={`turn ${event.turn}: ${event.text}`}
            onClick={() => to(event.turn)}
          />
        ))}
      </div>
      <input
        type="range"
        min={0}
        max={last}
        value={turn}
        aria-label="turn"
        aria-valuetext={`turn ${turn} of ${last}`}
        onChange={(event) => to(Number(event.currentTarget.value))}
      />
      <p className="now" aria-live="polite">
        {now.length > 0 ? now.slice(0, 3).join(' · ') : ' '}
      </p>
    </div>
  )
}
