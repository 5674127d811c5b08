import { extname } from 'node:path'
import { type Spell, type Wording, command, message, option, spelled, tellingLine, lookUp } from '../../core/index.js'
import { LANGUAGES } from '../../kits/index.js'
import { encodingOf, meantBy } from './answers.js'
import { missingPart, notBash, otherModules, pastLimits } from './missing.js'
import {
  calledByMeaning,
  neverPlays,
  notText,
  ownImport,
  printsItself,
  readsInput,
  shellWord,
  strangeKey,
  waitsForLines,
  wrongKind,
} from './slips.js'
import { isWrong, type SymptomRule, type Symptom } from './symptom.js'

/** Causes that are given for one fault at most. */
const MOST = 3

/**
 * What has probably caused a fault, with the remedy, the likeliest first; one line each. None where nothing is known. Beside what is as good
 * as certain nothing else is named.
 */
export function causesOf(symptom: Symptom, spell?: Spell): readonly string[] {
  const found = (rules: readonly SymptomRule[], most: number) =>
    rules.flatMap((rule) => rule(symptom) ?? []).slice(0, most)
  const ways = [() => found(SURE, 1), () => found(SIGNS, MOST), () => found(GUESSES, 1)]
  for (const way of ways) {
    const causes = way()
    if (causes.length > 0) return causes.map((text) => spelled(text, spell))
  }
  return []
}

/** Causes that the answer, the system's message or the program's own leave no doubt of, each before its consequences. */
const SURE: readonly SymptomRule[] = [
  windowsLines,
  byteOrderMark,
  otherEncoding,
  noInterpreter,
  notCompiled,
  noFunction,
  returnsObject,
  pastLimits,
  otherModules,
  ownImport,
  notBash,
  shellWord,
  missingPart,
  nothingReturned,
  notText,
  almostLegal,
  calledByMeaning,
  printsItself,
  wrongKind,
  forked,
  neverPlays,
]
/** What something shows. */
const SIGNS: readonly SymptomRule[] = [
  strangeKey,
  waitsForLines,
  wrongWire,
  noInput,
  closedOutput,
  onStandardError,
  noLineEnd,
  tooSlow,
  mute,
  ended,
  writes,
]
/** What is guessed where nothing does. */
const GUESSES: readonly SymptomRule[] = [notLegal, chatter, silence]

/** Interpreters that take the \r of a Windows line end for part of a word. */
const SCRIPTS = /^\.(sh|bash|pl|rb|awk|tcl)$/

function windowsLines({ texts }: Symptom): string | undefined {
  const found = texts.find(
    ({ file, text }) => text.includes('\r\n') && (SCRIPTS.test(extname(file)) || text.startsWith('#!')),
  )
  return (
    found && `${found.file} has Windows line ends (CRLF): save it with \\n alone, or sed -i 's/\\r$//' ${found.file}`
  )
}

/** Invisible before the first letter, and part of it to whatever runs the file; Python takes it for what it is. */
function byteOrderMark({ fault, texts }: Symptom): string | undefined {
  const wide = texts.find(({ text }) => /^[^\n]{0,40}\0/.test(text))
  if (wide !== undefined) return `${wide.file} is written in UTF-16, which no interpreter reads: save it as UTF-8`
  const found = texts.find(({ file, text }) => text.startsWith('\uFEFF') && !/\.(?:py|[cm]?[jt]s)$/.test(file))
  return fault === 'timeout' || found === undefined
    ? undefined
    : `${found.file} begins with a byte order mark (BOM), which is taken for part of its first word: save it as UTF-8 without BOM`
}

/** A file that is started by itself says in its first line what runs it; the shell is tried where it does not. */
function noInterpreter({ fault, why, stderr, texts }: Symptom): string | undefined {
  const [main] = texts
  if (main === undefined || extname(main.file) !== '') return undefined
  const [, named] = /^#! *(\S+)/.exec(main.text) ?? []
  if (fault === 'refused' && named !== undefined && /ENOENT|could not be started/.test(why))
    return `the first line of ${main.file} names ${named}, which is not there: #!/usr/bin/env python3 finds python3 wherever it is`
  return named === undefined && /not found|[Ss]yntax error/.test(stderr)
    ? `${main.file} has no first line that says what runs it, so the shell does: begin it with #!/usr/bin/env python3, or name it in the command: "python3 ${main.file}"`
    : undefined
}

const COMPILED = /\.(?:c|cc|cpp|cxx|java|rs|go)$/

function notCompiled({ fault, word, texts }: Symptom): string | undefined {
  const [main] = texts
  const [first = '', ...rest] = word.split(/\s+/)
  return fault !== 'timeout' &&
    /^(?:sh|bash|python3?|perl|node)$/.test(first) &&
    rest.some((each) => COMPILED.test(each))
    ? `${main?.file ?? rest[0]} is to be compiled: name the file alone, and agon builds it`
    : undefined
}

function noInput(symptom: Symptom): string | undefined {
  const { stays, stderr } = symptom
  const reads = /EOFError|EOF when reading/.test(stderr)
  return stays === false && (reads || (readsInput(symptom) && waitsForLines(symptom) === undefined))
    ? 'it reads standard input, which is empty on this wire: what it is sent stands in its arguments'
    : undefined
}

function returnsObject({ why }: Symptom): string | undefined {
  const [, kind] = /^returned (\w+), not a text/.exec(why) ?? []
  return kind && `it returned ${kind === 'object' ? 'an object' : `a ${kind}`}: return the action itself, a text`
}

/** What closes the standard output. */
const CLOSES = /\bclose\(1\)|stdout\.close\(|System\.out\.close|fclose\(\s*stdout|exec\s+1?>&-|\bclose\(?\s*\*?STDOUT/

function closedOutput({ fault, said, stderr, texts }: Symptom): string | undefined {
  if (/Bad file descriptor|EBADF|BrokenPipe|Broken pipe|EPIPE|closed file|write after end/.test(stderr))
    return 'it writes to a standard output that is closed: it has closed that itself, or goes on once the match is over'
  const found = said === '' && fault !== 'refused' ? texts.find(({ text }) => CLOSES.test(text)) : undefined
  return found && `${found.file} closes its standard output, where the answers go: leave it open`
}

function onStandardError({ fault, said, stderr, legal }: Symptom): string | undefined {
  const lines = stderr.trim().split('\n')
  return fault !== 'crash' && said.trim() === '' && lines.every((line) => legal.includes(line.trim()))
    ? 'it writes its answer to standard error: an answer goes to standard output'
    : undefined
}

function noFunction({ fault, why, word, texts }: Symptom): string | undefined {
  if (fault !== 'refused' || !/default export/.test(why)) return undefined
  const [main] = texts
  if (main !== undefined && /^export\b/m.test(main.text))
    return `${main.file} exports no function by default: export default (view, chance, legal) => …, or default before the function that answers`
  const reads = texts.some(({ text }) => /process\.stdin|readline|console\.log/.test(text))
  return `a .js or .ts file by itself is a module, whose default export is called with the view; ${
    reads ? 'this one reads its standard input: give it' : 'a program that reads its standard input is given'
  } as a command: "node ${word}"`
}

/** What readers of JSON say of something else. */
const NO_JSON = /JSONDecodeError|not valid JSON|in JSON at|malformed JSON|json\.exception|JSON::ParserError/i

function wrongWire({ fault, why, wire, said, stderr, texts }: Symptom): Wording | undefined {
  const declare = message`${option('wire', 'jsonl')} (in bot.toml: wire = "jsonl")`
  if (wire === 'jsonl') {
    return fault === 'unparsable' && !/^\s*\{/.test(said)
      ? message`on this wire an answer is a line of JSON, {"action":"…"}; ${command('wires GAME')} lists the others, to be chosen with ${option('wire')}`
      : undefined
  }
  if (isWrong(fault) && isJson(said)) return message`it answers in JSON, and this wire does not use it: ${declare}`
  const waits = fault === 'timeout' && said === '' && !why.startsWith('took ')
  const parses = waits && texts.some(({ text }) => /json\.loads?\b|JSON\.parse|decode_json|JSON::/.test(text))
  return parses || (fault === 'crash' && NO_JSON.test(stderr))
    ? message`it reads its input as JSON, which this wire does not send: ${declare}`
    : undefined
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return /^\s*\{\s*"/.test(text)
  }
}

function otherEncoding({ fault, said }: Symptom): string | undefined {
  return isWrong(fault) ? encodingOf(said) : undefined
}

function almostLegal({ fault, said, legal }: Symptom): string | undefined {
  if (!isWrong(fault)) return undefined
  const meant = meantBy(said, legal)
  return meant === undefined ? undefined : `it means ${JSON.stringify(meant)}: an action is written exactly so`
}

function nothingReturned({ fault, said }: Symptom): string | undefined {
  if (!isWrong(fault)) return undefined
  const [, bare, json] =
    /^"?(None|null|undefined|nil|NaN)"?\s*$|"action":\s*"?(null|None|undefined|nil|NaN)\b/.exec(said) ?? []
  const nothing = bare ?? json
  if (said.trim() === '' || /^\s*\{\s*"action":\s*""/.test(said))
    return 'its answer is an empty text: somewhere it has no action'
  return nothing && `it answers ${nothing}: somewhere it returns no action`
}

function notLegal({ fault, legal }: Symptom): string | undefined {
  if (fault !== 'illegal') return undefined
  const known = legal.slice(0, 12).map((action) => JSON.stringify(action))
  return legal.length === 0 ? undefined : `legal was ${known.join(', ')}${legal.length > 12 ? ' …' : ''}`
}

function noLineEnd({ fault, said, stays, why }: Symptom): string | undefined {
  // One that was late did end its answer.
  if (fault !== 'timeout' || said === '' || why.startsWith('took ')) return undefined
  if (stays === true) return `it printed ${JSON.stringify(said.slice(0, 40))} and no line end: end each answer with \\n`
  return stays === false
    ? 'it printed its answer and went on running: on this wire the program ends with its answer'
    : undefined
}

function tooSlow({ fault, why, stderr }: Symptom): string | undefined {
  if (fault !== 'timeout' || !why.startsWith('took ')) return undefined
  if (!/printed nothing/.test(why)) return 'it answers, but too late: give it less to compute'
  const telling = tellingLine(stderr)
  return telling === undefined
    ? 'it ends too late: give it less to compute'
    : `it ended late and without an answer, and its standard error may say why: ${telling}`
}

/** What starts another process and leaves it: in a shell, an & at the end of a line. */
const FORKS = /\bfork\s*\(|\bfork;|\bPopen\s*\(|\bsetsid\b|\bnohup\b|\bdaemon\b|[^&]&\s*$/m

function forked({ fault, why, stderr, texts }: Symptom): string | undefined {
  const isOver = (fault === 'silent' && stderr === '') || (fault === 'crash' && /exit code 0/.test(why))
  const found = isOver ? texts.find(({ text }) => FORKS.test(text)) : undefined
  return (
    found &&
    `${found.file} starts another process, and the first one ends: whatever it started is ended with it, so the process that agon starts has to answer, or to wait for the other`
  )
}

/** Signals that a program sends itself, as its library and the processor do for it. */
function ended({ fault, why, stays, stderr }: Symptom): Wording | undefined {
  if (fault !== 'crash' && fault !== 'refused') return undefined
  if (/SIGSEGV|SIGBUS/.test(why) || (/SIGABRT/.test(why) && /free\(\)|malloc|corrupt|smashing/.test(stderr)))
    return 'it reached beyond its memory (a wrong pointer or index, or a recursion without end): compile with -g -fsanitize=address to see where'
  if (/SIGABRT/.test(why))
    return 'it gave up by itself (abort): an exception that nothing caught, or an assert that failed; its standard error names it'
  if (/SIGFPE/.test(why)) return 'it divided a whole number by zero'
  if (/SIGKILL/.test(why))
    return message`it was killed: by itself, or because it took more memory than it may (${option('limit', 'memory=…')})`
  return stays === true && /exit code 0|ended without|before its answer/.test(why)
    ? 'it ended: on this wire a program stays, and answers question after question in a loop'
    : undefined
}

function writes({ stderr }: Symptom): string | undefined {
  return /Read-only file system|EROFS|Permission denied: '/.test(stderr)
    ? 'it writes where it may not: a bot may write in /tmp, and docs/sandbox.md shows where else'
    : undefined
}

function chatter({ fault, texts, stays }: Symptom): string | undefined {
  if (fault !== 'unparsable' && !(fault === 'flood' && stays !== undefined)) return undefined
  if (texts.some(({ text }) => /\binput\(\s*[f'"]/.test(text)))
    return 'standard output is for answers alone, and input(…) prints its question there: input() asks nothing'
  const kind = extname(texts[0]?.file ?? '')
  const debug = LANGUAGES.find(({ bot }) => extname(bot) === kind)?.debug
  return `standard output is for answers alone; print anything else to standard error (stderr)${debug === undefined ? '' : `: ${debug}`}`
}

function silence({ fault, stays, stderr }: Symptom): string | undefined {
  if (fault !== 'silent') return undefined
  const telling = tellingLine(stderr)
  if (telling !== undefined)
    return `it printed no answer, and what it wrote to its standard error may say why: ${telling}`
  return stays === undefined ? 'it returned nothing: return the action' : 'it printed no action: print one'
}

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
function mute({ fault, said, stays, texts, why, word }: Symptom): Wording | undefined {
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
