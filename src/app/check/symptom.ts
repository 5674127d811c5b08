import { basename } from 'node:path'
import { type FaultKind, type SourceText, type Wording, faultOf } from '../../core/index.js'

export interface Times {
  readonly wallMs: number
  /** Of its own computing. */
  readonly ownMs?: number
  /** What its limit counts. */
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
  /** Its process stays from question to question; false: it is started for each; undefined: it is a function. */
  readonly stays: boolean | undefined
  readonly legal: readonly string[]
  readonly actions?: Readonly<Record<string, string>>
  /** The parts of the views that it has seen. */
  readonly keys?: readonly string[]
  readonly stderr: string
  readonly times?: Times
  readonly word: string
  /** Its source, the file that is started first. */
  readonly texts: readonly SourceText[]
}

export type Signs = ReturnType<typeof signsOf>

/** Names one possible cause, with its remedy; undefined, false or no text: this is not it. */
export type SymptomRule = (signs: Signs) => Wording | false | undefined

export const causesBy = (rules: readonly SymptomRule[], signs: Signs): readonly Wording[] =>
  rules.flatMap((rule) => rule(signs) || [])

/** UTF-16, with or without a byte order mark, which no reader of UTF-8 understands: ASCII with a NUL before or behind each letter. */
export const UTF16 = /^(?:\uFFFD\uFFFD(?:[\t\n\r -~]\0|\0[\t\n\r -~])|(?:[\t\n\r -~]\0){4}|(?:\0[\t\n\r -~]){4})/

export const HELPER = /^agon\.(?:py|mjs|hpp|h|java|rs|go|pm|rb|sh)$/i

export function signsOf(symptom: Symptom) {
  const { fault, why, stderr } = symptom
  // Programs that were compiled, and data, say nothing to rules that read a source.
  const texts = symptom.texts.map(({ file, text }) => {
    return { file, text: text.includes('\0') && !UTF16.test(text) ? '' : text }
  })
  const isLate = why.startsWith('took ')
  const { fact, mute } = fault === 'refused' ? { fact: true, mute: false } : faultOf(fault)
  return {
    ...symptom,
    texts,
    main: texts[0] ?? { file: '', text: '' },
    /** The kit's own file among its files: it reads the questions and writes the answers. */
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

/** The first group of a pattern that matches anything. */
export const foundBy = (pattern: RegExp, text: string): string | undefined =>
  pattern
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined)

/** A rule for what a bot's standard error says plainly: what it comes from, told with what the pattern's first group found. */
export const says =
  (pattern: RegExp, cause: Wording | ((found: string) => Wording)): SymptomRule =>
  ({ stderr }) =>
    pattern.test(stderr) && (typeof cause === 'function' ? cause(foundBy(pattern, stderr) ?? '') : cause)
