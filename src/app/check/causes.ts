import { extname } from 'node:path'
import { type Spell, type Wording, message, option, spelled, tellingLine } from '../../core/index.js'
import { LANGUAGES } from '../../kits/index.js'
import { encodingOf, meantBy } from './answers.js'
import {
  bareAnswer,
  brokenJson,
  holdsNaN,
  notText,
  pythonDict,
  severalAnswers,
  wrongKey,
  wrongWire,
} from './json-answers.js'
import { computesOn, mute, noLineEnd, tooSlow } from './late.js'
import {
  missingPart,
  missingProgram,
  notBash,
  otherModules,
  otherPython,
  pastLimits,
  writesOutside,
} from './missing.js'
import {
  calledByMeaning,
  neverPlays,
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
export function causesOf(known: Symptom, spell?: Spell): readonly string[] {
  const symptom = withoutBinaries(known)
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
  otherPython,
  missingProgram,
  writesOutside,
  missingPart,
  computesOn,
  holdsNaN,
  nothingReturned,
  notText,
  pythonDict,
  severalAnswers,
  wrongKey,
  almostLegal,
  calledByMeaning,
  printsItself,
  bareAnswer,
  brokenJson,
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
const GUESSES: readonly SymptomRule[] = [notLegal, chatter, silence, ownError]

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

/** Letters of ASCII with a NUL before or behind each, with or without a byte order mark, which no UTF-8 reader understands. */
const UTF16 = /^(?:\uFFFD\uFFFD(?:[\t\n\r -~]\0|\0[\t\n\r -~])|(?:[\t\n\r -~]\0){4}|(?:\0[\t\n\r -~]){4})/

/** Invisible before the first letter, and part of it to whatever runs the file; Python takes it for what it is. */
function byteOrderMark({ fault, texts }: Symptom): string | undefined {
  const wide = texts.find(({ text }) => UTF16.test(text))
  if (wide !== undefined) return `${wide.file} is written in UTF-16, which no interpreter reads: save it as UTF-8`
  const found = texts.find(({ file, text }) => text.startsWith('\uFEFF') && !/\.(?:py|[cm]?[jt]s)$/.test(file))
  return fault === 'timeout' || found === undefined
    ? undefined
    : `${found.file} begins with a byte order mark (BOM), which is taken for part of its first word: save it as UTF-8 without BOM`
}

/** Programs that were compiled, and data, say nothing to rules that read a source. */
const withoutBinaries = (symptom: Symptom): Symptom => ({
  ...symptom,
  texts: symptom.texts.map(({ file, text }) => ({ file, text: text.includes('\0') && !UTF16.test(text) ? '' : text })),
})

/** A file that is started by itself says in its first line what runs it; the shell is tried where it does not. */
function noInterpreter({ fault, why, stderr, texts }: Symptom): string | undefined {
  const [main] = texts
  if (main === undefined || main.text === '' || extname(main.file) !== '') return undefined
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

function otherEncoding({ fault, said }: Symptom): string | undefined {
  return isWrong(fault) ? encodingOf(said) : undefined
}

function almostLegal({ fault, said, wire, legal }: Symptom): string | undefined {
  // Whatever is no answer on that wire means nothing yet.
  if (!isWrong(fault) || (wire === 'jsonl' && fault === 'unparsable')) return undefined
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

function chatter({ fault, wire, texts, stays }: Symptom): string | undefined {
  if (fault !== 'unparsable' && !(fault === 'flood' && stays !== undefined)) return undefined
  const kind = extname(texts[0]?.file ?? '')
  const debug = LANGUAGES.find(({ bot }) => extname(bot) === kind)?.debug
  const remedy = `print it to standard error (stderr)${debug === undefined ? '' : `: ${debug}`}`
  const prompt = texts.map(({ text }) => /\binput\(\s*[frbu]*['"]/.test(text)).includes(true)
  if (prompt)
    return `standard output is for answers alone, and input(…) prints its prompt there: call input() without one, or ${remedy}`
  const form = wire === 'jsonl' ? ', a line of JSON each, {"action":"…"}' : ''
  return `standard output is for answers alone${form}; where it is anything else (a banner, a debug print), ${remedy}`
}

function silence({ fault, stays, stderr }: Symptom): string | undefined {
  if (fault !== 'silent') return undefined
  const telling = tellingLine(stderr)
  if (telling !== undefined)
    return `it printed no answer, and what it wrote to its standard error may say why: ${telling}`
  return stays === undefined ? 'it returned nothing: return the action' : 'it printed no action: print one'
}

function ownError({ fault, stderr }: Symptom): string | undefined {
  const telling = fault === 'crash' || fault === 'refused' ? tellingLine(stderr) : undefined
  if (telling === undefined || telling === '') return undefined
  // Python names the call that failed last; what is not the bot's own lies elsewhere.
  const [, file, line] = [...stderr.matchAll(/File "\/bot\/([^"\n]+)", line (\d+)/g)].at(-1) ?? []
  return `an error of its own, which nothing in it catches: ${telling}${file === undefined ? '' : ` (${file}, line ${line})`}`
}
