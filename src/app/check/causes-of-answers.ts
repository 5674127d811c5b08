import { extname } from 'node:path'
import {
  type SourceText,
  type Wording,
  command,
  fromLatin1,
  lookUp,
  message,
  messageOf,
  option,
  tellingLine,
} from '../../core/index.js'
import { LANGUAGES } from '../../kits/index.js'
import { type Signs, type SymptomRule, type Times, causesBy, foundBy } from './symptom.js'

/** The value of a line; undefined: it is no JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(fromLatin1(line)) as unknown
  } catch {
    return undefined
  }
}

const form = ({ legal }: Signs, action = legal[0] ?? '…'): string => JSON.stringify({ action })

const KINDS: readonly (readonly [begins: RegExp, kind: string])[] = [
  [/^\[/, 'a list'],
  [/^\{/, 'an object'],
  [/^-?\d/, 'a number'],
  [/^(?:true|false)/, 'true or false'],
]

/** Numbers that JSON does not have. */
const NO_NUMBER = /([:[,]\s*)-?(NaN|Infinity)\b/g

const OF_JSON: readonly SymptomRule[] = [
  ({ said }) => {
    if (parsed(said) !== undefined || parsed(said.replace(NO_NUMBER, '$1null')) === undefined) return undefined
    const [[, , number] = []] = said.matchAll(NO_NUMBER)
    return `its answer holds ${number}, which JSON does not have: leave it out, or write null (json.dumps(…, allow_nan=False) of Python fails where it comes from)`
  },
  ({ said, legal }) => {
    if (/^\s*\{\s*\}\s*$/.test(said)) return 'its answer has no action: somewhere it returns nothing'
    const value = foundBy(/^\s*\{\s*"action":\s*([^"\s].*)/s, said) ?? ''
    const kind = KINDS.find(([begins]) => begins.test(value))?.[1]
    const such = legal[0] === undefined ? '' : `, such as ${JSON.stringify(legal[0])}`
    return kind && `its action is ${kind}, and an action is a text: one of the legal ones as it stands${such}`
  },
  ({ said }) =>
    /^\s*\{\s*'/.test(said) &&
    'it prints a dict as Python writes it, with single quotes, and JSON has double ones: print(json.dumps({"action": …}), flush=True)',
  ({ said }) => {
    const several = parsed(said) ?? parsed(`[${said.replaceAll(/\}\s*,?\s*\{/g, '},{')}]`)
    if (parsed(said) !== undefined || !Array.isArray(several) || several.length < 2) return undefined
    return `${several.length} answers stand on one line: print one for each question, and end it with \\n`
  },
  (signs) => {
    const { said, legal } = signs
    const answer = parsed(said)
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer) || 'action' in answer) return undefined
    const entries = Object.entries(answer)
    const [key, value] = entries.find(([, each]) => legal.includes(String(each))) ?? entries[0] ?? []
    const action = legal.find((each) => each === value)
    return key && `the key is \`action\`, and not \`${key}\`: ${form(signs, action)}`
  },
  ({ said, legal, helper }) => {
    const action = said.trim()
    if (helper === undefined || !legal.includes(action)) return undefined
    const remedy = helper === 'agon.sh' ? `set action=${action} in choose` : 'return it from choose'
    return `it prints its action, and ${helper} prints the answers: ${remedy}`
  },
  (signs) => {
    const answer = parsed(signs.said)
    const word = typeof answer === 'string' ? answer : signs.said.trim()
    const meant = signs.legal.find((each) => each.toLowerCase() === word.toLowerCase())
    if (meant !== undefined)
      return `it prints its action alone, and an answer is a line of JSON, an object: ${form(signs, meant)}`
    return Array.isArray(answer) && `its answer is a list, and should be an object: ${form(signs)}`
  },
  (signs) => {
    const said = signs.said.trim()
    if (said === '{') return `its JSON goes over several lines, and an answer is one: ${form(signs)}`
    try {
      JSON.parse(said.startsWith('{') ? fromLatin1(said) : '{}')
      return undefined
    } catch (error) {
      return `its JSON is broken (${messageOf(error)}): let a library write it (json.dumps, JSON.stringify), as ${form(signs)}`
    }
  },
]

export const SURE_OF_ANSWERS: readonly SymptomRule[] = [
  ({ isWrong, said }) => {
    if (!isWrong) return undefined
    const order = { '\u00FF\u00FE': 'little', '\u00FE\u00FF': 'big' }[said.slice(0, 2)]
    if (order !== undefined)
      return `it writes its answer in UTF-16, ${order}-endian, and agon reads UTF-8: set the encoding of its standard output to UTF-8, without a byte order mark`
    if (/^(?:\u00EF\u00BB\u00BF|\uFEFF)/.test(said))
      return 'its answer begins with a byte order mark (BOM; bytes EF BB BF), which is taken for part of it: write UTF-8 without BOM ("utf-8" in Python, not "utf-8-sig")'
    if (!said.includes('\0')) return undefined
    return 'its answer holds NUL bytes (\\0): it writes UTF-16, where UTF-8 is read, or a buffer together with its closing \\0; write the letters alone'
  },
  ({ why }) => {
    const kind = foundBy(/^returned (\w+), not a text/, why)
    return kind && `it returned ${kind === 'object' ? 'an object' : `a ${kind}`}: return the action itself, a text`
  },
  ({ isWrong, said }) => {
    if (!isWrong) return undefined
    if (said.trim() === '' || /^\s*\{\s*"action":\s*""/.test(said))
      return 'its answer is an empty text: somewhere it has no action'
    const nothing = /^"?(None|null|undefined|nil|NaN)"?\s*$|"action":\s*"?(null|None|undefined|nil|NaN)\b/
    const word = foundBy(nothing, said)
    return word && `it answers ${word}: somewhere it returns no action`
  },
  // Legal but for quotes, small letters or a whole number as a fraction; or in words of its meaning.
  ({ isWrong, fault, said, wire, legal, actions = {} }) => {
    if (!isWrong) return undefined
    const bare = said
      .trim()
      .replace(/^["'](.*)["']$/, '$1')
      .toLowerCase()
    const whole = bare.replace(/^(-?\d+)\.0*$/, '$1')
    const meant = legal.find((each) => [bare, whole].includes(each.toLowerCase()))
    // What is no answer on that wire means nothing yet.
    if (meant !== undefined && meant !== said.trim() && (wire !== 'jsonl' || fault !== 'unparsable'))
      return `it means ${JSON.stringify(meant)}: an action is written exactly so`
    const named = Object.entries(actions).find(([, meaning]) => bare !== '' && meaning.toLowerCase() === bare)
    return named && `it means ${JSON.stringify(named[0])} (${named[1]}): an action is written exactly so`
  },
  (signs) => signs.fault === 'unparsable' && signs.wire === 'jsonl' && causesBy(OF_JSON, signs)[0],
]

/** A JSON value, or an object's beginning; a single word or number is no sign of it. */
function looksLikeJson(text: string): boolean {
  const value = parsed(text)
  return value === undefined ? /^\s*\{\s*["']/.test(text) : typeof value === 'object'
}

const NO_JSON = /JSONDecodeError|not valid JSON|in JSON at|malformed JSON|json\.exception|JSON::ParserError/i

export const wrongWire: SymptomRule = ({ fault, isWrong, isNever, wire, said, stderr, texts }) => {
  const declare = message`${option('wire', 'jsonl')} (in bot.toml: wire = "jsonl")`
  if (wire === 'jsonl') {
    const sources = texts.filter(({ text }) => text !== '')
    const speaksJson = sources.length === 0 || sources.some(({ text }) => /json|\baction\b/i.test(text))
    if (fault !== 'unparsable' || speaksJson) return undefined
    return message`on this wire an answer is a line of JSON, {"action":"…"}; ${command('wires GAME')} lists the others, to be chosen with ${option('wire')}`
  }
  if (isWrong && looksLikeJson(said)) return message`it answers in JSON, and this wire does not use it: ${declare}`
  const waits = isNever && said === ''
  const parses = waits && texts.some(({ text }) => /json\.loads?\b|JSON\.parse|decode_json|JSON::/.test(text))
  const fails = fault === 'crash' && NO_JSON.test(stderr)
  return (parses || fails) && message`it reads its input as JSON, which this wire does not send: ${declare}`
}

export const GUESSES_OF_ANSWERS: readonly SymptomRule[] = [
  ({ fault, legal }) => {
    const known = legal.slice(0, 12).map((action) => JSON.stringify(action))
    return fault === 'illegal' && known.length > 0 && `legal was ${known.join(', ')}${legal.length > 12 ? ' …' : ''}`
  },
  ({ fault, wire, texts, main, stays }) => {
    if (fault !== 'unparsable' && !(fault === 'flood' && stays !== undefined)) return undefined
    const debug = LANGUAGES.find(({ bot }) => extname(bot) === extname(main.file))?.debug
    const remedy = `print it to standard error (stderr)${debug === undefined ? '' : `: ${debug}`}`
    if (texts.some(({ text }) => /\binput\(\s*[frbu]*['"]/.test(text)))
      return `standard output is for answers alone, and input(…) prints its prompt there: call input() without one, or ${remedy}`
    const line = wire === 'jsonl' ? ', a line of JSON each, {"action":"…"}' : ''
    return `standard output is for answers alone${line}; where it is anything else (a banner, a debug print), ${remedy}`
  },
  ({ fault, stays, stderr }) => {
    if (fault !== 'silent') return undefined
    const telling = tellingLine(stderr)
    if (telling !== undefined)
      return `it printed no answer, and what it wrote to its standard error may say why: ${telling}`
    return stays === undefined ? 'it returned nothing: return the action' : 'it printed no action: print one'
  },
]

/** Milliseconds with commas between thousands. */
export const grouped = (ms: number): string => Math.round(ms).toLocaleString('en-US')

const timesText = ({ wallMs, ownMs, chargedMs }: Times): string =>
  [
    `${grouped(wallMs)} ms by the wall`,
    ...(ownMs === undefined ? [] : [`${grouped(ownMs)} ms of its own computing`]),
    ...(chargedMs === undefined ? [] : [`${grouped(chargedMs)} ms charged`]),
  ].join(', ')

const computed = ({ wallMs, ownMs = 0, chargedMs = wallMs }: Times): boolean => ownMs >= Math.max(1, chargedMs) / 2

/** What used its processor without an answer. */
export const computesOn: SymptomRule = ({ isNever, times, stays }) =>
  isNever &&
  stays !== undefined &&
  times?.ownMs !== undefined &&
  computed(times) &&
  'it computes without end: it had its processor all that time, and gave no answer'

/** Without comments; those with quotes may be texts. */
const withoutRemarks = ({ file, text }: SourceText): string =>
  /\.(?:c|cpp|java)$/.test(file)
    ? text.replaceAll(/\/\*[^"]*?\*\/|\/\/[^"\n]*$/gm, '')
    : text.replaceAll(/(^|\s)#[^'"\n]*$/gm, '$1')

/** By file ending: a program that prints and nowhere flushes keeps answers in its buffer. */
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

function mute(texts: readonly SourceText[], word: string): Wording {
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

export const SIGNS_OF_TIME: readonly SymptomRule[] = [
  ({ isNever, said, stays }) => {
    if (!isNever || said === '') return undefined
    if (stays === true)
      return `it printed ${JSON.stringify(said.slice(0, 40))} and no line end: end each answer with \\n`
    return stays === false && 'it printed its answer and went on running: on this wire the program ends with its answer'
  },
  ({ fault, isLate, why, stderr, times }) => {
    if (fault !== 'timeout' || !isLate) return undefined
    if (/printed nothing/.test(why)) {
      const telling = tellingLine(stderr)
      return telling === undefined
        ? 'it ends too late: give it less to compute'
        : `it ended late and without an answer, and its standard error may say why: ${telling}`
    }
    if (times?.ownMs === undefined) return 'it answers, but too late: give it less to compute'
    const measured = ` (${timesText(times)})`
    const { wallMs, chargedMs = wallMs } = times
    // It waited for a core.
    if (wallMs > 1.5 * chargedMs) return `it answers, but too late${measured}: the machine was busy: check again`
    return computed(times)
      ? `it answers, but too late: give it less to compute${measured}`
      : `it answers, but too late, and waits rather than computes${measured}: what does it sleep or wait for?`
  },
  ({ fault, isNever, said, stays, texts, why, word }) => {
    if (stays === undefined) {
      // A function is only waited for.
      if (fault === 'refused' && /no whole line within/.test(why))
        return 'what stands at the top of its file never ends: a loop without end, or an await of what does not come'
      return isNever && 'its function does not return: a loop without end, or an await of what does not come'
    }
    if (!(isNever && said === '') && !(fault === 'refused' && /not ready/.test(why))) return undefined
    return stays
      ? mute(texts, word)
      : 'nothing came though it runs: does it compute without end, or wait in a loop for standard input, which is empty here? Its input stands in its arguments'
  },
]
