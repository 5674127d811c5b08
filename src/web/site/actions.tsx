import { type KeyboardEvent as KeyPress, useEffect, useMemo, useState } from 'react'
import { type Shape, shapeText, visible } from '../../core/index.js'
import { figure } from '../format.js'
import { Form, Press } from '../parts.js'

/** Actions that can be taken in at a glance: of more one is looked for. */
const FEW = 36
/** Buttons at once; of more actions those that match what is typed. */
const MOST = 400

interface ActionsProps {
  readonly legal: readonly string[]
  readonly wordOf: (action: string) => string
  readonly busy: boolean
  readonly onMove: (action: string) => void
}

/**
 * The actions that may be chosen: a button for each, keys as the game writes its actions or 1 to 9, the arrow keys from one to the next, and where there
 * are many a field that finds them. Of many Tab reaches one, so that it is not far to what stands behind them.
 */
export function Actions({ legal, wordOf, busy, onMove }: ActionsProps) {
  const [sought, setSought] = useState('')
  const named = useMemo(() => legal.map((action) => ({ action, word: wordOf(action) })), [legal, wordOf])
  const found = useMemo(() => matching(named, sought), [named, sought])
  const isMany = legal.length > FEW
  /** Of many the one that Tab reaches. */
  const [reached, setReached] = useState(0)
  const last = Math.min(found.length, MOST) - 1
  const choose = (action: string): void => {
    setSought('')
    onMove(action)
  }
  const keys = useMemo(() => keysOf(found.map(({ action }) => action)), [found])
  useActionKeys(keys, busy, choose)
  return (
    <>
      {isMany && (
        <Form onSend={() => found[0] !== undefined && !busy && choose(found[0].action)}>
          <label>
            Find one of all {figure(legal.length)}; Enter plays the first
            <input
              value={sought}
              autoComplete="off"
              onChange={(event) => {
                setSought(event.currentTarget.value)
                setReached(0)
              }}
            />
          </label>
          <p className="quiet" role="status">
            {found.length === 0
              ? 'No action is like that.'
              : found.length > MOST
                ? `${figure(found.length)} are, and the first ${MOST} shown: go on typing.`
                : `${figure(found.length)} shown.`}
          </p>
        </Form>
      )}
      <ol className={isMany ? 'actions many' : 'actions'} role="list" onKeyDown={moveAmong}>
        {found.slice(0, MOST).map(({ action, word }, i) => (
          <li key={action}>
            <Press
              resting={busy}
              tabIndex={isMany && i !== Math.min(reached, last) ? -1 : 0}
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

interface FieldProps extends Pick<ActionsProps, 'busy' | 'onMove'> {
  readonly shape: Shape
}

/** A field for an action that no list holds; the site says what is wrong with one. */
export function ActionField({ shape, busy, onMove }: FieldProps) {
  const [text, setText] = useState('')
  return (
    <Form
      onSend={() => {
        if (busy) return
        setText('')
        onMove(text)
      }}
    >
      <label>
        {visible(shapeText(shape))}
        <input value={text} autoComplete="off" onChange={(event) => setText(event.currentTarget.value)} />
      </label>
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

/** Those that have what is typed in them, those that begin with it first, and first of all the one that is it. */
export function matching(named: readonly Named[], sought: string): readonly Named[] {
  const text = plain(sought)
  if (text === '') return named
  const rank = ({ action, word }: Named): number => {
    const both = [plain(action), plain(word)]
    if (both.includes(text)) return 0
    if (both.some((one) => one.startsWith(text))) return 1
    return both.some((one) => one.includes(text)) ? 2 : 3
  }
  const ranked = named.map((one) => ({ one, rank: rank(one) })).filter((one) => one.rank < 3)
  return ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one)
}

const plain = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase()

/** The arrow keys go from button to button. A key that is held down chooses once: the next position may have come meanwhile. */
function moveAmong(event: KeyPress<HTMLOListElement>): void {
  if (event.repeat && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.findIndex((one) => one === event.target)
  const to = targetOf(event.key, at, buttons.length - 1)
  if (at < 0 || to === undefined) return
  event.preventDefault()
  buttons[to]?.focus()
}

/** Where a key leads from one of several; undefined: nowhere. */
function targetOf(key: string, at: number, last: number): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (!key.startsWith('Arrow')) return undefined
  const step = /Right|Down/.test(key) ? 1 : last
  return (at + step) % (last + 1)
}

/**
 * The keys that choose actions: an action that the game writes as one sign has that key; of the others the first have 1 to 9, unless these
 * are actions themselves.
 */
export function keysOf(actions: readonly string[]): ReadonlyMap<string, string> {
  const signs = actions.filter((action) => /^\S$/.test(action))
  const others = actions.filter((action) => !/^\S$/.test(action))
  const numbered = signs.some((sign) => /^\d$/.test(sign)) ? [] : others.slice(0, 9)
  return new Map([
    ...signs.map((sign) => [sign, sign] as const),
    ...numbered.map((action, i) => [action, String(i + 1)] as const),
  ])
}

/** The action of a key: as it is, or else in the other case where that is one action's alone. */
export function actionOfKey(keys: ReadonlyMap<string, string>, pressed: string): string | undefined {
  const all = [...keys]
  const exact = all.find(([, key]) => key === pressed)
  const alike = all.filter(([, key]) => key.toLowerCase() === pressed.toLowerCase())
  return (exact ?? (alike.length === 1 ? alike[0] : undefined))?.[0]
}

/** Keys choose actions wherever the focus is, but where something is typed. */
function useActionKeys(keys: ReadonlyMap<string, string>, busy: boolean, onMove: (action: string) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (busy || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return
      const action = actionOfKey(keys, event.key)
      if (action !== undefined) onMove(action)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
