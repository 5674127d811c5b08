import { type KeyboardEvent as KeyPress, useEffect, useMemo, useState } from 'react'
import { type Shape, shapeText, visible } from '../../core/index.js'
import { figure } from '../format.js'
import { Field, Form, Press } from '../parts.js'

/** Actions at a glance: of more, one is sought. */
const FEW = 36
/** Most buttons; of more actions those that match what is typed. */
const MOST = 400

interface ActionsProps {
  readonly legal: readonly string[]
  readonly wordOf: (action: string) => string
  readonly busy: boolean
  readonly onMove: (action: string) => void
}

/**
 * A button for each action, keys as the game writes them or 1 to 9, arrow keys, and for many a field that finds them.
 * Of many Tab reaches one, so that what follows is near.
 */
export function Actions({ legal, wordOf, busy, onMove }: ActionsProps) {
  const [sought, setSought] = useState('')
  const named = useMemo(() => legal.map((action) => ({ action, word: wordOf(action) })), [legal, wordOf])
  const found = useMemo(() => matching(named, sought), [named, sought])
  const shown = found.slice(0, MOST)
  const isMany = legal.length > FEW
  const [reached, setReached] = useState(0)
  const choose = (action: string): void => {
    if (busy) return
    setSought('')
    onMove(action)
  }
  const keys = useMemo(() => keysOf(found.map(({ action }) => action)), [found])
  useEffect(() => {
    // Not where something is typed.
    const press = ({ target, key, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      if (repeat || ctrlKey || metaKey || altKey) return
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return
      const action = actionOfKey(keys, key)
      if (action !== undefined) choose(action)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  return (
    <>
      {isMany && (
        <Form onSend={() => found[0] && choose(found[0].action)}>
          <Field
            label={`Find one of all ${figure(legal.length)}; Enter plays the first`}
            value={sought}
            onWord={(word) => {
              setSought(word)
              setReached(0)
            }}
          />
          <p className="quiet" role="status">
            {`${figure(shown.length)} of ${figure(found.length)} shown.`}
          </p>
        </Form>
      )}
      <ol className={isMany ? 'actions many' : 'actions'} role="list" onKeyDown={moveAmong}>
        {shown.map(({ action, word }, i) => (
          <li key={action}>
            <Press
              resting={busy}
              tabIndex={isMany && i !== Math.min(reached, shown.length - 1) ? -1 : 0}
              onFocus={() => setReached(i)}
              onClick={() => choose(action)}
            >
              {keys.get(action) !== undefined && <kbd>{keys.get(action)}</kbd>} {word}
            </Press>
          </li>
        ))}
      </ol>
    </>
  )
}

/** For an action that no list holds; the site says what is wrong with it. */
export function ActionField({
  shape,
  busy,
  onMove,
}: Pick<ActionsProps, 'busy' | 'onMove'> & { readonly shape: Shape }) {
  const [text, setText] = useState('')
  return (
    <Form
      onSend={() => {
        if (busy) return
        setText('')
        onMove(text)
      }}
    >
      <Field label={visible(shapeText(shape))} value={text} onWord={setText} />
      <Press sends resting={busy}>
        Play
      </Press>
    </Form>
  )
}

interface Named {
  readonly action: string
  readonly word: string
}

/** Those that contain what is typed: first the equal one, then those that begin with it. */
export function matching(named: readonly Named[], sought: string): readonly Named[] {
  const text = plain(sought)
  const ranks = [
    (own: string) => own === text,
    (own: string) => own.startsWith(text),
    (own: string) => own.includes(text),
  ]
  const ranked = named.map((one) => {
    const both = [plain(one.action), plain(one.word)]
    return { one, rank: ranks.findIndex((fits) => both.some(fits)) }
  })
  const found = ranked.filter(({ rank }) => rank >= 0)
  return text === '' ? named : found.sort((a, b) => a.rank - b.rank).map(({ one }) => one)
}

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

const STEPS = new Map<string, (at: number, n: number) => number>([
  ['Home', () => 0],
  ['End', (_, n) => n - 1],
  ...['ArrowRight', 'ArrowDown'].map((key) => [key, (at: number, n: number) => (at + 1) % n] as const),
  ...['ArrowLeft', 'ArrowUp'].map((key) => [key, (at: number, n: number) => (at + n - 1) % n] as const),
])

/** A held key chooses once: the next position may have come meanwhile. */
function moveAmong(event: KeyPress<HTMLOListElement>): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((one) => one === event.target)
  const to = STEPS.get(event.key)?.(at, buttons.length)
  if (at < 0 || to === undefined) return
  event.preventDefault()
  buttons[to]?.focus()
}

/** By action: one sign is its own key; of the others the first have 1 to 9, unless actions. */
export function keysOf(actions: readonly string[]): ReadonlyMap<string, string> {
  const signs = actions.filter((action) => /^\S$/.test(action))
  const others = actions.filter((action) => !/^\S$/.test(action))
  const numbered = signs.some((sign) => /^\d$/.test(sign)) ? [] : others.slice(0, 9)
  return new Map([
    ...signs.map((sign) => [sign, sign] as const),
    ...numbered.map((action, i) => [action, String(i + 1)] as const),
  ])
}

/** As pressed, else in the other case where that is one action's alone. */
export function actionOfKey(keys: ReadonlyMap<string, string>, pressed: string): string | undefined {
  const all = [...keys]
  const exact = all.find(([, key]) => key === pressed)
  const alike = all.filter(([, key]) => key.toLowerCase() === pressed.toLowerCase())
  return (exact ?? (alike.length === 1 ? alike[0] : undefined))?.[0]
}
