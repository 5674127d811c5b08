import { type FaultKind, type SourceText, type Wording, faultOf } from '../../core/index.js'

/** Milliseconds that an answer took. */
export interface Times {
  readonly wallMs: number
  /** Of its own computing. */
  readonly ownMs?: number
  /** What its limit counts. */
  readonly chargedMs?: number
  readonly limitMs: number
  /** What the next answer took, where the first of its process was late, and the same was asked again. */
  readonly nextMs?: number
}

/** What is known of a fault, for the search for its cause. */
export interface Symptom {
  /** 'refused': it could not be started, loaded, or made ready. */
  readonly fault: FaultKind | 'refused'
  readonly why: string
  /** What it answered, or had printed by then. */
  readonly said: string
  readonly wire: string
  /** Its process stays from question to question; false: it is started for each; undefined: it is a function. */
  readonly stays: boolean | undefined
  /** What it could have answered. */
  readonly legal: readonly string[]
  /** What actions mean, where the game says so. */
  readonly actions?: Readonly<Record<string, string>>
  /** The parts of the views that it has seen. */
  readonly keys?: readonly string[]
  readonly stderr: string
  /** Of the answer, where one was waited for. */
  readonly times?: Times
  /** As its user named it. */
  readonly word: string
  /** Its source, the file that is started first. */
  readonly texts: readonly SourceText[]
}

/** Names one possible cause, with its remedy; undefined: this is not it. */
export type SymptomRule = (symptom: Symptom) => Wording | undefined

/** Whether it gave an answer, and that was wrong. */
export function isWrong(fault: Symptom['fault']): boolean {
  if (fault === 'refused') return false
  const { fact, mute } = faultOf(fault)
  return !fact && !mute
}
