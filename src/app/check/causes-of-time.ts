import { extname } from 'node:path'
import { type SourceText, type Wording, lookUp, message, option, tellingLine } from '../../core/index.js'
import { type Signs, type SymptomRule, type Times } from './symptom.js'

/** Milliseconds with commas between thousands. */
export const grouped = (ms: number): string => Math.round(ms).toLocaleString('en-US')

export const timesText = ({ wallMs, ownMs, chargedMs }: Times): string =>
  [
    `${grouped(wallMs)} ms by the wall`,
    ...(ownMs === undefined ? [] : [`${grouped(ownMs)} ms of its own computing`]),
    ...(chargedMs === undefined ? [] : [`${grouped(chargedMs)} ms charged`]),
  ].join(', ')

/** Whether it computed for half of its time or more. */
const computed = ({ wallMs, ownMs = 0, chargedMs = wallMs }: Times): boolean => ownMs >= Math.max(1, chargedMs) / 2

function noLineEnd({ isNever, said, stays }: Signs): string | undefined {
  if (!isNever || said === '') return undefined
  if (stays === true) return `it printed ${JSON.stringify(said.slice(0, 40))} and no line end: end each answer with \\n`
  return stays === false
    ? 'it printed its answer and went on running: on this wire the program ends with its answer'
    : undefined
}

function tooSlow({ fault, isLate, why, stderr, times }: Signs): string | undefined {
  if (fault !== 'timeout' || !isLate) return undefined
  if (/printed nothing/.test(why)) {
    const telling = tellingLine(stderr)
    return telling === undefined
      ? 'it ends too late: give it less to compute'
      : `it ended late and without an answer, and its standard error may say why: ${telling}`
  }
  if (times?.nextMs !== undefined && times.nextMs <= times.limitMs)
    return `it is slow to start: its first answer ${why}, and the next one ${grouped(times.nextMs)} ms: let it load and prepare less before the first`
  if (times?.ownMs === undefined) return 'it answers, but too late: give it less to compute'
  const measured = ` (${timesText(times)})`
  const { wallMs, chargedMs = wallMs } = times
  // It waited for a core rather than for anything of its own.
  if (wallMs > 1.5 * chargedMs) return `it answers, but too late${measured}: the machine was busy: check again`
  return computed(times)
    ? `it answers, but too late: give it less to compute${measured}`
    : `it answers, but too late, and waits rather than computes${measured}: what does it sleep or wait for?`
}

/** What it used its processor for, if it was not its answer. */
export function computesOn({ isNever, times, stays }: Signs): string | undefined {
  return isNever && stays !== undefined && times?.ownMs !== undefined && computed(times)
    ? 'it computes without end: it had its processor all that time, and gave no answer'
    : undefined
}

/** A source without its comments, as far as they hold no quotes: these may be texts. */
const withoutRemarks = ({ file, text }: SourceText): string =>
  /\.(?:c|cpp|java)$/.test(file)
    ? text.replaceAll(/\/\*[^"]*?\*\/|\/\/[^"\n]*$/gm, '')
    : text.replaceAll(/(^|\s)#[^'"\n]*$/gm, '$1')

/** What shows that answers stay in a program's own buffer, by the ending of its file: it prints, and nowhere flushes. */
const FLUSHES: Readonly<Record<string, readonly [prints: RegExp, flushes: RegExp, remedy: string]>> = {
  '.py': [/\bprint\s*\(|stdout\.write/, /\bflush\s*=|\.flush\b|line_buffering|\bos\.write\(/, 'print(…, flush=True)'],
  '.pl': [/\bprint\b/, /\$\||autoflush/, '$| = 1;'],
  '.rb': [/\bputs\b|\bprint\b/, /sync\s*=|\.flush\b/, '$stdout.sync = true'],
  '.c': [/\bprintf|\bputs|putchar/, /\b(?:fflush|setvbuf|setbuf|setlinebuf)\s*\(/, 'fflush(stdout)'],
  '.cpp': [
    /cout|printf|puts/,
    /<<\s*(?:std::)?(?:endl|flush)\b|\.flush\b|unitbuf|\b(?:fflush|setvbuf|setbuf)\s*\(/,
    'std::endl or std::flush',
  ],
  '.java': [/PrintWriter|BufferedWriter|PrintStream/, /\bflush\s*\(|,\s*true/, 'flush()'],
}
const READS_ALL =
  /sys\.stdin\.read\(|stdin\.readlines\(|readFileSync\(\s*0|readFileSync\(\s*['"]\/dev\/stdin|[@]\w+\s*=\s*<(?:STDIN)?>|STDIN\.read\b|\$stdin\.read\b|\$\(cat\)/

function mute({ fault, isNever, said, stays, texts, why, word }: Signs): Wording | undefined {
  if (stays === undefined) {
    // A function is only waited for: nothing of it is read or written.
    if (fault === 'refused' && /no whole line within/.test(why))
      return 'what stands at the top of its file never ends: a loop without end, or an await of what does not come'
    return isNever ? 'its function does not return: a loop without end, or an await of what does not come' : undefined
  }
  if (!(isNever && said === '') && !(fault === 'refused' && /not ready/.test(why))) return undefined
  if (!stays)
    return 'nothing came though it runs: does it compute without end, or wait in a loop for standard input, which is empty here? Its input stands in its arguments'
  const all = texts.find(({ text }) => READS_ALL.test(text))
  if (all !== undefined)
    return `nothing came though it runs: ${all.file} reads to the end of its input before it answers, and that comes after the match: read a line at a time`
  const printing = texts.flatMap((source) => {
    const [prints, flushes, remedy] = lookUp(FLUSHES, extname(source.file)) ?? []
    const bare = withoutRemarks(source)
    return prints?.test(bare) ? [{ flushed: flushes?.test(bare), file: source.file, remedy }] : []
  })
  const unflushed = / -u\b/.test(word) ? undefined : printing.find(({ flushed }) => !flushed)
  if (unflushed !== undefined)
    return `nothing came though it runs: ${unflushed.file} prints and does not flush: ${unflushed.remedy}`
  const flush = printing.length === 0 ? 'does it flush its output after each answer? Does it' : 'does it'
  return message`nothing came though it runs: ${flush} wait for more lines than it is sent, or for the end of its input? Does it compute without end? Does it wait for another protocol (${option('wire')})?`
}

export const SIGNS_OF_TIME: readonly SymptomRule[] = [noLineEnd, tooSlow, mute]
