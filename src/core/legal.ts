import { UserError } from './errors.js'
import { type Below, isExact, isWithin, numberText } from './exact-number.js'

/** What a seat may answer: all actions, or their shape. */
export type Legal<Action extends string = string> = readonly Action[] | Shape

/** Actions that no list holds. An action is its own text. */
export type Shape = NumberShape | TextShape | ListShape | AnyShape
/** A number as in JSON. Steps count from `min`, exactly; without `step` any number between. */
export interface NumberShape {
  readonly number: { readonly min: number; readonly max: number; readonly step?: number }
}
/** A text that the pattern (RE2's syntax) matches whole, `max` characters at most. */
export interface TextShape {
  readonly text: { readonly pattern: string; readonly max: number }
}
/** `min` to `max` of these items, a blank between each two. */
export interface ListShape {
  readonly list: { readonly of: readonly string[]; readonly min: number; readonly max: number }
}
export interface AnyShape {
  readonly any: readonly (Shape | string)[]
}

/** A text's pattern, matched in linear time. */
export interface Pattern {
  matches(text: string): boolean
  /** A random text of so many characters at most that matches; undefined: none found. */
  draw(max: number, below: Below): string | undefined
}

/** Characters that an action of a shape may have. */
const MOST = 10_000

/**
 * Set by `contest/patterns.ts` once a game may have patterns: pages of agon's own games, without any, load no library.
 */
let patternOf: (pattern: string) => Pattern = () => {
  throw new Error('nothing here reads patterns')
}
const patterns = new Map<string, Pattern>()

/** How patterns are read from now on; it throws for what is none. */
export function usePatterns(read: (pattern: string) => Pattern): void {
  patternOf = read
}

function knownPattern(text: string): Pattern {
  let pattern = patterns.get(text)
  if (pattern === undefined) {
    pattern = patternOf(text)
    // A game may make a pattern for each position.
    if (patterns.size >= 1000) patterns.clear()
    patterns.set(text, pattern)
  }
  return pattern
}

/** Whether these are actions one by one. */
export const isList = <A extends string>(legal: Legal<A>): legal is readonly A[] => Array.isArray(legal)

/** All actions, to go through. Throws UserError for a shape. */
export function allActions(legal: Legal): readonly string[] {
  if (isList(legal)) return legal
  throw new UserError(`its actions cannot be gone through: legal() gives a shape, ${shapeText(legal)}`)
}

/** The actions one by one; of a shape none. */
export const listed = (legal: Legal): readonly string[] => (isList(legal) ? legal : [])

/** Whether a text is one of these actions. False for a wrong shape: `mistakeIn` says why. */
export function isLegal(legal: Legal, action: string): boolean {
  if (isList(legal)) return legal.includes(action)
  if (action.length > MOST || mistakeIn(legal) !== undefined) return false
  return fits(legal, action)
}

function fits(shape: Shape, action: string): boolean {
  if ('number' in shape) {
    const { min, max, step } = shape.number
    return isWithin(action, min, max) && (step === undefined || isExact(action, min, step))
  }
  if ('text' in shape) {
    const { pattern, max } = shape.text
    return lengthOf(action) <= max && knownPattern(pattern).matches(action)
  }
  if ('list' in shape) {
    const { of, min, max } = shape.list
    const items = action.split(' ')
    return items.length >= min && items.length <= max && items.every((item) => of.includes(item))
  }
  return shape.any.some((each) => (typeof each === 'string' ? each === action : fits(each, action)))
}

const lengthOf = (text: string): number => [...text].length

/** A random action; undefined: none, or none found. */
export function drawAction(legal: Legal, below: Below): string | undefined {
  if (isList(legal)) return legal.length === 0 ? undefined : legal[below(legal.length)]
  return mistakeIn(legal) === undefined ? drawn(legal, below) : undefined
}

function drawn(shape: Shape, below: Below): string | undefined {
  if ('number' in shape) return numberText(shape.number, below)
  if ('text' in shape) return knownPattern(shape.text.pattern).draw(shape.text.max, below)
  if ('list' in shape) {
    const { of, min, max } = shape.list
    return Array.from({ length: min + below(max - min + 1) }, () => of[below(of.length)]).join(' ')
  }
  const one = shape.any[below(shape.any.length)]
  return typeof one === 'string' || one === undefined ? one : drawn(one, below)
}

/** What is wrong with a shape, going on from 'legal() gives '; undefined: nothing. */
export function mistakeIn(shape: unknown): string | undefined {
  if (typeof shape !== 'object' || shape === null) return unknownShape(shape)
  const [[kind, of] = [], ...more] = Object.entries(shape) as [string, unknown][]
  if (kind === undefined || more.length > 0 || typeof of !== 'object' || of === null) return unknownShape(shape)
  const wrong = (why: string): string => `${JSON.stringify(shape).slice(0, 200)}, ${why}`
  const parts = of as Readonly<Record<string, unknown>>
  const { min, max } = parts
  if (kind === 'number') {
    const { step = 1 } = parts
    if (![min, max, step].every(Number.isFinite)) return wrong('and the min, max and step of a number are numbers')
    if ((min as number) > (max as number)) return wrong('a number whose min is above its max')
    return (step as number) > 0 ? undefined : wrong('a number whose step is not above 0')
  }
  if (kind === 'text') return textMistake(parts, wrong)
  if (kind === 'list') {
    const items = parts['of']
    if (!Array.isArray(items) || items.length === 0 || !items.every((item) => /^[^\s]+$/.test(String(item))))
      return wrong('and a list has texts without blanks in its "of", one at least')
    return isCount(min) && isCount(max) && min <= max && min >= 1
      ? undefined
      : wrong(`and the min and max of a list are whole numbers, 1 <= min <= max <= ${MOST}`)
  }
  if (kind !== 'any') return unknownShape(shape)
  if (!Array.isArray(of) || of.length === 0) return wrong('and any has a list of shapes and texts, one at least')
  for (const one of of as readonly unknown[]) {
    const inner = typeof one === 'string' && one !== '' ? undefined : mistakeIn(one)
    if (inner !== undefined) return inner
  }
  return undefined
}

const KINDS = 'a list of texts, or a shape: number, text, list, any'
const unknownShape = (shape: unknown): string =>
  `${shape === undefined ? 'nothing' : (JSON.stringify(shape) ?? typeof shape)}, and has to give ${KINDS}`.slice(0, 300)

function textMistake(
  { pattern, max }: Readonly<Record<string, unknown>>,
  wrong: (why: string) => string,
): string | undefined {
  if (typeof pattern !== 'string' || !isCount(max))
    return wrong(`and a text has a pattern, and max, a whole number to ${MOST}`)
  try {
    knownPattern(pattern)
    return undefined
  } catch (error) {
    return wrong(`whose pattern is none that RE2 knows: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MOST

/** For people: 'a number from 0 to 100 in steps of 0.01'. */
export function shapeText(shape: Shape | string): string {
  if (typeof shape === 'string') return JSON.stringify(shape)
  if ('number' in shape) {
    const { min, max, step } = shape.number
    return `a number from ${min} to ${max}${step === undefined ? '' : ` in steps of ${step}`}`
  }
  if ('text' in shape) return `a text like ${shape.text.pattern}, ${shape.text.max} characters at most`
  if ('list' in shape) {
    const { of, min, max } = shape.list
    return `${min} to ${max} of ${of.join(' | ')}, with a blank between each two`
  }
  return shape.any.map(shapeText).join(', or ')
}
