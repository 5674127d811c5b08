import { basename } from 'node:path'
import { type FaultKind, type SourceText, type Wording, faultOf } from '../../core/index.js'

export interface Times {
  readonly wallMs: number
  /** Of its own computing. */
  readonly ownMs?: number
  readonly chargedMs?: number
  readonly limitMs: number
}

export interface Symptom {
  /** 'refused': it could not be started, loaded, or made ready. */
  readonly fault: FaultKind | 'refused'
  readonly why: string
  /** What it answered, or had printed by then. */
  readonly said: string
  readonly wire: string
  /** False: a process a question; undefined: a function. */
  readonly stays: boolean | undefined
  readonly legal: readonly string[]
  readonly actions?: Readonly<Record<string, string>>
  readonly keys?: readonly string[]
  readonly stderr: string
  readonly times?: Times
  readonly word: string
  /** Its source, the started file first. */
  readonly texts: readonly SourceText[]
}

export type Signs = ReturnType<typeof signsOf>

/** One possible cause, with its remedy; undefined, false or no text: not this one. */
export type SymptomRule = (signs: Signs) => Wording | false | undefined

export const causesBy = (rules: readonly SymptomRule[], signs: Signs): readonly Wording[] =>
  rules.flatMap((rule) => rule(signs) || [])

/** UTF-16, with or without a byte order mark: ASCII with a NUL before or behind each letter. */
export const UTF16 = /^(?:\uFFFD\uFFFD(?:[\t\n\r -~]\0|\0[\t\n\r -~])|(?:[\t\n\r -~]\0){4}|(?:\0[\t\n\r -~]){4})/

export const HELPER = /^agon\.(?:py|mjs|hpp|h|java|rs|go|pm|rb|sh)$/i

export function signsOf(symptom: Symptom) {
  const { fault, why, stderr } = symptom
  // Compiled programs and data say nothing to rules for sources.
  const texts = symptom.texts.map(({ file, text }) => {
    return { file, text: text.includes('\0') && !UTF16.test(text) ? '' : text }
  })
  const isLate = why.startsWith('took ')
  const { fact, mute } = fault === 'refused' ? { fact: true, mute: false } : faultOf(fault)
  return {
    ...symptom,
    texts,
    main: texts[0] ?? { file: '', text: '' },
    /** The kit's own file, which reads the questions and writes the answers. */
    helper: texts.map(({ file }) => basename(file)).find((file) => HELPER.test(file)),
    isWrong: !fact && !mute,
    /** It answered or ended, though too late. */
    isLate,
    /** It ran out of time, and never answered. */
    isNever: fault === 'timeout' && !isLate,
    /** It ended as if its work were done. */
    isOver: (fault === 'silent' && stderr.trim() === '') || (fault === 'crash' && /exit code 0/.test(why)),
  }
}

export const foundBy = (pattern: RegExp, text: string): string | undefined =>
  pattern
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined)

/** A rule for what standard error says plainly, told with what the pattern's first group found. */
export const says =
  (pattern: RegExp, cause: Wording | ((found: string) => Wording)): SymptomRule =>
  ({ stderr }) =>
    pattern.test(stderr) && (typeof cause === 'function' ? cause(foundBy(pattern, stderr) ?? '') : cause)
