import { type Legal, isLegal, isList, lookUp, shapeText } from '../../core/index.js'

/** What a person has typed: an action, or some words of one. */
export type Typed = { readonly action: string } | { readonly words: readonly string[] } | undefined

/**
 * The legal action that is meant: as it stands, by its meaning, in small letters, or by its words in any order. An action of several words may be
 * typed word by word: `before` are those that were typed already. undefined: there is no such action.
 */
export function typedAction(
  text: string,
  legal: Legal,
  actions: Readonly<Record<string, string>> = {},
  before: readonly string[] = [],
): Typed {
  const typed = text.trim()
  if (!isList(legal)) {
    const action = [text, typed].find((each) => isLegal(legal, each))
    return action === undefined ? undefined : { action }
  }
  const small = typed.toLowerCase()
  if (small === '') return undefined
  if (before.length === 0) {
    const alike = legal.filter((action) => action.trim().toLowerCase() === small)
    const action =
      legal.find((each) => each === text) ??
      legal.find((each) => each.trim() === typed) ??
      // Of several it is not said which is meant.
      (alike.length === 1 ? alike[0] : undefined) ??
      legal.find((each) => lookUp(actions, each)?.toLowerCase() === small)
    if (action !== undefined) return { action }
    if (alike.length > 1) return undefined
  }
  const words = [...before, ...wordsOf(small)]
  const held = legal.flatMap((action) => {
    const left = without(wordsOf(action.toLowerCase()), words)
    return left === undefined ? [] : [{ action, left: left.length }]
  })
  const whole = held.find(({ left }) => left === 0)
  if (whole !== undefined) return whole
  return held.length === 0 ? undefined : { words }
}

const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** A list without those; undefined: it does not hold them all. */
function without(list: readonly string[], taken: readonly string[]): readonly string[] | undefined {
  const left = [...list]
  for (const word of taken) {
    const at = left.indexOf(word)
    if (at < 0) return undefined
    left.splice(at, 1)
  }
  return left
}

/** So many actions are listed; of more the words that they are made of. */
const MOST = 24

/** What may be typed, in a line: `names` are those of the seats, which an action may name by its number, and `shown` writes an action. */
export function choicesText(legal: Legal, names: readonly string[], shown: (action: string) => string): string {
  if (!isList(legal)) return shapeText(legal)
  const [first = ''] = legal
  const size = wordsOf(first).length
  if (legal.length > MOST && size > 1 && legal.every((action) => wordsOf(action).length === size))
    return `${size} words, together or one by one: ${[...new Set(legal.flatMap(wordsOf))].slice(0, MOST).join(' | ')}`
  const listed = legal.slice(0, MOST).map((action) => {
    const seat = /^\d+$/.test(action) && shown(action) === action ? names[Number(action)] : undefined
    return seat === undefined ? shown(action) : `${action} ${seat}`
  })
  return listed.join(' | ') + (legal.length > MOST ? ` | … (${legal.length} in all)` : '')
}
