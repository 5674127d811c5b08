import type { Symptom } from '../../src/app/check/symptom.js'

/** A bot of lines that made a fault, and what else is known. */
export const symptomOf = (known: Partial<Symptom>): Symptom => ({
  fault: 'timeout',
  why: '',
  said: '',
  wire: 'lines',
  stays: true,
  legal: ['0', '1', 'W'],
  stderr: '',
  word: 'bot.py',
  texts: [{ file: 'bot.py', text: '' }],
  ...known,
})

/** That its source is this one file. */
export const source = (file: string, text: string): Pick<Symptom, 'texts'> => ({ texts: [{ file, text }] })
