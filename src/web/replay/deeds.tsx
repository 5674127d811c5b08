import { type RefObject, useLayoutEffect, useRef } from 'react'
import { Press } from '../parts.js'

/** What can be done in a replay, for the keys, their help and the buttons alike. An icon is drawn on a field of 20 by 20. */
const DEEDS = [
  { keys: [' '], shown: 'Space', does: 'play or pause' },
  { keys: ['ArrowRight'], shown: '→', does: 'a turn on', icon: 'm7 4 7 6-7 6z' },
  { keys: ['ArrowLeft'], shown: '←', does: 'a turn back', icon: 'M13 4 6 10l7 6z' },
  { keys: ['PageDown'], shown: 'Page down', does: 'ten turns on', icon: 'm3 4 7 6-7 6zM10 4l7 6-7 6z' },
  { keys: ['PageUp'], shown: 'Page up', does: 'ten turns back', icon: 'M10 4 3 10l7 6zM17 4l-7 6 7 6z' },
  { keys: ['Home'], shown: 'Home', does: 'to the start', icon: 'M5 4v12M16 4 8 10l8 6z' },
  { keys: ['End'], shown: 'End', does: 'to the end', icon: 'M15 4v12M4 4l8 6-8 6z' },
  {
    keys: ['n'],
    shown: 'n',
    does: 'to the next key event',
    icon: 'm11 5 5 5-5 5M6 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 1 1 0-5z',
  },
  {
    keys: ['p'],
    shown: 'p',
    does: 'to the previous key event',
    icon: 'M9 5 4 10l5 5M14 7.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 1 1 0-5z',
  },
  { keys: ['f'], shown: 'f', does: 'flip the board', icon: 'M7 4 3 7.5 7 11M3 7.5h13M13 9l4 3.5L13 16M17 12.5H4' },
  { keys: ['+', '='], shown: '+', does: 'faster' },
  { keys: ['-'], shown: '−', does: 'slower' },
  { keys: ['?'], shown: '?', does: 'this help', icon: 'M7 7.5a3 3 0 1 1 4.4 2.7c-.9.5-1.4 1-1.4 2.1M10 15v1' },
  { keys: ['Escape'], shown: 'Esc', does: 'back to the report' },
] as const
type Deed = (typeof DEEDS)[number]['does']
export type Deeds = Readonly<Record<Deed, () => void>>

interface DoProps {
  readonly does: Deed
  readonly deeds: Deeds
  readonly resting?: boolean
  /** On a phone its key, or the slider, has to do. */
  readonly isFar?: boolean
}

/** The button of what a key does. */
export function Do({ does, deeds, resting, isFar }: DoProps) {
  const deed = DEEDS.find((one) => one.does === does)
  return (
    <Press
      className={isFar ? 'icon far' : 'icon'}
      aria-label={does}
      title={`${does} (${deed?.shown})`}
      resting={resting}
      onClick={deeds[does]}
    >
      <Icon d={deed && 'icon' in deed ? deed.icon : ''} />
    </Press>
  )
}

/** A drawing on a field of 20 by 20; what closes is filled. */
export function Icon({ d }: { readonly d: string }) {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d={d} fill={d.includes('z') ? 'currentColor' : 'none'} />
    </svg>
  )
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
      const known = DEEDS.find(({ keys }) => (keys as readonly string[]).includes(event.key))
      if (!known) return
      event.preventDefault()
      latest.current[known.does]()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Whether an element does something of its own with a key. */
function usesKey(target: Element, key: string): boolean {
  const name = target.tagName
  if (target.closest('dialog')) return true
  if (name === 'TEXTAREA' || name === 'SELECT') return key !== 'Escape'
  if (name === 'INPUT') return target.getAttribute('type') === 'range' ? RANGE.has(key) : key !== 'Escape'
  return key === ' ' && (name === 'BUTTON' || name === 'A' || name === 'SUMMARY')
}
const RANGE = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'])

/** The keys, in a dialog. */
export function Help({ dialog }: { readonly dialog: RefObject<HTMLDialogElement | null> }) {
  return (
    <dialog ref={dialog} className="panel" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl>
        {DEEDS.map(({ shown, does }) => (
          <div key={does}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <Press sends>Close</Press>
      </form>
    </dialog>
  )
}
