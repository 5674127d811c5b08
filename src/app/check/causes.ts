import { type Spell, spelled } from '../../core/index.js'
import { GUESSES_OF_ANSWERS, SIGNS_OF_TIME, SURE_OF_ANSWERS, computesOn, wrongWire } from './causes-of-answers.js'
import { SIGNS_OF_ENDING, SIGNS_OF_INPUT, SIGNS_OF_OUTPUT, SURE_OF_PROGRAMS, ownError } from './causes-of-programs.js'
import { type Symptom, type SymptomRule, causesBy, signsOf } from './symptom.js'

const RULES: readonly (readonly [rules: readonly SymptomRule[], most: number])[] = [
  // The answer, the system's message or the program's own leave no doubt of these causes; each stands before its consequences.
  [[...SURE_OF_PROGRAMS, computesOn, ...SURE_OF_ANSWERS], 1],
  [[...SIGNS_OF_INPUT, wrongWire, ...SIGNS_OF_OUTPUT, ...SIGNS_OF_TIME, ...SIGNS_OF_ENDING], 3],
  [[...GUESSES_OF_ANSWERS, ownError], 1],
]

/** What has probably caused a fault, with the remedy, a line each: what is certain alone, else the likeliest first; none if nothing is known. */
export function causesOf(symptom: Symptom, spell?: Spell): readonly string[] {
  const signs = signsOf(symptom)
  const found = RULES.map(([rules, most]) => causesBy(rules, signs).slice(0, most))
  return (found.find((causes) => causes.length > 0) ?? []).map((text) => spelled(text, spell))
}
