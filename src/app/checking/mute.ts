import { extname } from 'node:path'
import { type Wording, lookUp, message, option } from '../../core/index.js'
import type { Symptom } from './symptom.js'

/** What shows that answers stay in a program's own buffer, by the ending of its file: it prints, and nowhere flushes. */
const FLUSHES: Readonly<Record<string, readonly [prints: RegExp, flushes: RegExp, remedy: string]>> = {
  '.py': [/\bprint\s*\(|stdout\.write/, /flush|-u\b/, 'print(…, flush=True)'],
  '.pl': [/\bprint\b/, /\$\||autoflush/, '$| = 1;'],
  '.rb': [/\bputs\b|\bprint\b/, /sync\s*=|flush/, '$stdout.sync = true'],
  '.c': [/\bprintf|\bputs|putchar/, /fflush|setvbuf|setbuf/, 'fflush(stdout)'],
  '.cpp': [/cout|printf|puts/, /endl|flush|unitbuf|setvbuf/, 'std::endl or std::flush'],
  '.java': [/PrintWriter|BufferedWriter|PrintStream/, /flush|,\s*true/, 'flush()'],
}
const READS_ALL =
  /sys\.stdin\.read\(|stdin\.readlines\(|readFileSync\(\s*0|readFileSync\(\s*['"]\/dev\/stdin|[@]\w+\s*=\s*<(?:STDIN)?>|STDIN\.read\b|\$stdin\.read\b|\$\(cat\)/

/** Nothing came, though it runs. */
export function mute({ fault, said, stays, texts, why, word }: Symptom): Wording | undefined {
  const nothing =
    (fault === 'timeout' && said === '' && !why.startsWith('took ')) || (fault === 'refused' && /not ready/.test(why))
  if (stays === undefined) return ofModule(fault, why)
  if (!nothing) return undefined
  if (!stays)
    return 'nothing came though it runs: does it compute without end, or wait in a loop for standard input, which is empty here? Its input stands in its arguments'
  const all = texts.find(({ text }) => READS_ALL.test(text))
  if (all !== undefined)
    return `nothing came though it runs: ${all.file} reads to the end of its input before it answers, and that comes after the match: read a line at a time`
  const printing = texts.flatMap(({ file, text }) => {
    const [prints, flushes, remedy] = lookUp(FLUSHES, extname(file)) ?? []
    return prints?.test(text) ? [{ flushed: flushes?.test(`${word}\n${text}`), file, remedy }] : []
  })
  const unflushed = printing.find(({ flushed }) => !flushed)
  if (unflushed !== undefined)
    return `nothing came though it runs: ${unflushed.file} prints and does not flush: ${unflushed.remedy}`
  const flush = printing.length === 0 ? 'does it flush its output after each answer? Does it' : 'does it'
  return message`nothing came though it runs: ${flush} wait for more lines than it is sent, or for the end of its input? Does it compute without end? Does it wait for another protocol (${option('wire')})?`
}

/** A function is only waited for: nothing of it is read or written. */
function ofModule(fault: Symptom['fault'], why: string): string | undefined {
  if (fault === 'refused' && /no whole line within/.test(why))
    return 'what stands at the top of its file never ends: a loop without end, or an await of what does not come'
  return fault === 'timeout' && !why.startsWith('took ')
    ? 'its function does not return: a loop without end, or an await of what does not come'
    : undefined
}
