import { type Spell, spelled } from '../../core/index.js'
import { GUESSES_OF_ANSWERS, SIGNS_OF_TIME, SURE_OF_ANSWERS, computesOn, wrongWire } from './causes-of-answers.js'
import { SIGNS_OF_ENDING, SIGNS_OF_INPUT, SIGNS_OF_OUTPUT, SURE_OF_PROGRAMS, ownError } from './causes-of-programs.js'
import { type Symptom, type SymptomRule, signsOf } from './symptom.js'

/** Causes that the answer, the system's message or the program's own leave no doubt of, each before its consequences. */
const SURE: readonly SymptomRule[] = [...SURE_OF_PROGRAMS, computesOn, ...SURE_OF_ANSWERS]
const SIGNS: readonly SymptomRule[] = [
  ...SIGNS_OF_INPUT,
  wrongWire,
  ...SIGNS_OF_OUTPUT,
  ...SIGNS_OF_TIME,
  ...SIGNS_OF_ENDING,
]
const GUESSES: readonly SymptomRule[] = [...GUESSES_OF_ANSWERS, ownError]

const MOST_CAUSES = 3

/**
 * What has probably caused a fault, with the remedy, the likeliest first; one line each. None where nothing is known. Beside what is as good
 * as certain nothing else is named.
 */
export function causesOf(symptom: Symptom, spell?: Spell): readonly string[] {
  const signs = signsOf(symptom)
  const found = (rules: readonly SymptomRule[], most: number) =>
    rules.flatMap((rule) => rule(signs) ?? []).slice(0, most)
  const sure = found(SURE, 1)
  const shown = sure.length > 0 ? sure : found(SIGNS, MOST_CAUSES)
  return (shown.length > 0 ? shown : found(GUESSES, 1)).map((text) => spelled(text, spell))
}
