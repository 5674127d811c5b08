import { type RefObject, useLayoutEffect, useRef } from 'react'

/** What each key does, for the help and the keys alike. */
const KEYS = [
  { keys: [' '], shown: 'Space', does: 'play or pause' },
  { keys: ['ArrowRight'], shown: '→', does: 'a turn on' },
  { keys: ['ArrowLeft'], shown: '←', does: 'a turn back' },
  { keys: ['PageDown'], shown: 'Page down', does: 'ten turns on' },
  { keys: ['PageUp'], shown: 'Page up', does: 'ten turns back' },
  { keys: ['Home'], shown: 'Home', does: 'to the start' },
  { keys: ['End'], shown: 'End', does: 'to the end' },
  { keys: ['n'], shown: 'n', does: 'to the next key event' },
  { keys: ['p'], shown: 'p', does: 'to the previous key event' },
  { keys: ['f'], shown: 'f', does: 'flip the board' },
  { keys: ['+', '='], shown: '+', does: 'faster' },
  { keys: ['-'], shown: '−', does: 'slower' },
  { keys: ['?'], shown: '?', does: 'this help' },
  { keys: ['Escape'], shown: 'Esc', does: 'back to the report' },
] as const
export type KeyAction = (typeof KEYS)[number]['does']

/** Calls what a key does, wherever the focus is, unless the element there has its own use for that key. */
export function useKeys(deeds: Readonly<Record<KeyAction, () => void>>): void {
  const latest = useRef(deeds)
  latest.current = deeds
  // Before the page is seen: no key that is pressed then is missed.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (event.target instanceof Element && usesKey(event.target, event.key)) return
      const known = KEYS.find(({ keys }) => (keys as readonly string[]).includes(event.key))
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
    <dialog ref={dialog} aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <dl>
        {KEYS.map(({ shown, does }) => (
          <div key={does}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
