import { basename, extname } from 'node:path'
import { type SourceText, type Wording, didYouMean, message, nearest, option, tellingLine } from '../../core/index.js'
import { HELPER, type Signs, type SymptomRule, UTF16, foundBy } from './symptom.js'

/** Interpreters take the \r of a Windows line end for part of a word. */
function windowsLines({ texts }: Signs): string | undefined {
  const isScript = ({ file, text }: SourceText): boolean =>
    /\.(?:sh|bash|pl|rb|awk|tcl)$/.test(file) || text.startsWith('#!')
  const found = texts.find((each) => each.text.includes('\r\n') && isScript(each))?.file
  return found && `${found} has Windows line ends (CRLF): save it with \\n alone, or sed -i 's/\\r$//' ${found}`
}

/** Invisible before the first letter, and part of it to whatever runs the file; Python takes it for what it is. */
function byteOrderMark({ fault, texts }: Signs): string | undefined {
  const wide = texts.find(({ text }) => UTF16.test(text))
  if (wide !== undefined) return `${wide.file} is written in UTF-16, which no interpreter reads: save it as UTF-8`
  const found = texts.find(({ file, text }) => text.startsWith('\uFEFF') && !/\.(?:py|[cm]?[jt]s)$/.test(file))
  return fault === 'timeout' || found === undefined
    ? undefined
    : `${found.file} begins with a byte order mark (BOM), which is taken for part of its first word: save it as UTF-8 without BOM`
}

/** A file that is started by itself says in its first line what runs it; the shell is tried where it does not. */
function noInterpreter({ fault, why, stderr, main }: Signs): string | undefined {
  if (main.text === '' || extname(main.file) !== '') return undefined
  const named = foundBy(/^#! *(\S+)/, main.text)
  if (fault === 'refused' && named !== undefined && /ENOENT|could not be started/.test(why))
    return `the first line of ${main.file} names ${named}, which is not there: #!/usr/bin/env python3 finds python3 wherever it is`
  return named === undefined && /not found|[Ss]yntax error/.test(stderr)
    ? `${main.file} has no first line that says what runs it, so the shell does: begin it with #!/usr/bin/env python3, or name it in the command: "python3 ${main.file}"`
    : undefined
}

function notCompiled({ fault, word, main }: Signs): string | undefined {
  const source = foundBy(/^(?:sh|bash|python3?|perl|node)\s(?:.*\s)?(\S+\.(?:c|cc|cpp|cxx|java|rs|go))(?:\s|$)/, word)
  return fault !== 'timeout' && source !== undefined
    ? `${main.file || source} is to be compiled: name the file alone, and agon builds it`
    : undefined
}

function noFunction({ fault, why, word, texts, main }: Signs): string | undefined {
  if (fault !== 'refused' || !/default export/.test(why)) return undefined
  if (/^export\b/m.test(main.text))
    return `${main.file} exports no function by default: export default (view, chance, legal) => …, or default before the function that answers`
  const reads = texts.some(({ text }) => /process\.stdin|readline|console\.log/.test(text))
  return `a .js or .ts file by itself is a module, whose default export is called with the view; ${
    reads ? 'this one reads its standard input: give it' : 'a program that reads its standard input is given'
  } as a command: "node ${word}"`
}

const NETWORK =
  /in name resolution|[Nn]etwork is unreachable|ENETUNREACH|EAI_AGAIN|getaddrinfo|UnknownHostException|[Cc]ould not resolve host/
const MEMORY = /OutOfMemoryError|\bMemoryError\b|bad_alloc|Not enough space|Cannot allocate memory|heap out of memory/
const PROCESSES =
  /Resource temporarily unavailable|BlockingIOError|can't start new thread|create native thread|annot fork/

function pastLimits({ fault, isWrong, why, stderr }: Signs): Wording | undefined {
  if (fault === 'flood' && /standard error/.test(why))
    return 'it writes too much to its standard error: print less there'
  if (isWrong) return undefined
  if (NETWORK.test(`${stderr}\n${why}`)) return 'it reaches for the network, and a bot has none'
  if (MEMORY.test(stderr))
    return message`it needs more memory than it may have (${option('limit', 'memory=…')}): make it need less`
  return PROCESSES.test(stderr)
    ? message`it has more processes or threads at once than it may (${option('limit', 'processes=…')}): start fewer, and wait for those that have ended`
    : undefined
}

/** What languages say plainly in a standard error, and what it comes from. */
const PLAIN: readonly (readonly [says: RegExp, cause: string])[] = [
  [
    /Cannot use import statement outside a module/,
    'Node.js takes it for a CommonJS file, which has no import: let its name end in .mjs, or use require',
  ],
  [
    /require is not defined in ES module scope/,
    'Node.js takes it for an ES module, which has no require: use import, or let its name end in .cjs',
  ],
  [
    /Missing parentheses in call to 'print'|multiple exception types must be parenthesized|name '(?:raw_input|xrange|unicode|basestring|unichr)' is not defined|has no attribute '(?:has_key|iteritems|itervalues|iterkeys)'/,
    'it is written for Python 2, and Python 3 runs it: print(…) and input() are functions there, and range() and items() take the place of xrange() and iteritems()',
  ],
  [
    /Double cannot be cast to class java\.lang\.(?:Integer|Long|Short)/,
    'the numbers of a view are Double in Java: ((Double) view.get("…")).intValue() makes a whole number of one',
  ],
]

const saidPlainly = ({ stderr }: Signs): string | undefined => PLAIN.find(([says]) => says.test(stderr))?.[1]

/** A file of its own that a JavaScript bot imports as a package, or without its ending. */
function ownImport({ stderr, texts }: Signs): string | undefined {
  const named = foundBy(/Cannot find (?:package|module) '([^']+)' imported from/, stderr)
  const file = texts
    .map((one) => basename(one.file))
    .find((one) => named && one.replace(/\.\w*$/, '') === basename(named))
  return file && `${file} is its own file: import … from './${file}'`
}

/** On many systems sh is a smaller shell than bash. */
function notBash({ stderr, word, main }: Signs): string | undefined {
  const isScript = /^(?:\S*\/)?sh\s/.test(word) || main.file.endsWith('.sh') || /^#! *\S*\bsh\b/.test(main.text)
  const isBash =
    /\[\[: not found|"\(" unexpected|[Bb]ad substitution|(?:source|declare|shopt|let|typeset|mapfile): not found/
  return isScript && isBash.test(stderr)
    ? `it is written for bash, and sh runs it: begin the command with bash ("bash ${main.file || 'bot.sh'}")`
    : undefined
}

const NO_PROGRAM = /([^\s:]+): (?:command )?not found/

/** What only shells take for a program: an assignment with blanks, and a function that is defined further down. */
function shellWord({ stderr, main }: Signs): string | undefined {
  const word = foundBy(/(\w+): (?:command )?not found/, stderr)
  if (word === undefined) return undefined
  if (new RegExp(`(?:^|[;{])\\s*${word}\\s+=`, 'm').test(main.text))
    return `a shell takes ${word} for a program: write ${word}=…, without blanks around the =`
  return new RegExp(`^\\s*${word}\\s*\\(\\)`, 'm').test(main.text)
    ? `${main.file} calls ${word} before it defines it: put functions first, and what calls them (play) last`
    : undefined
}

const NEWER_PYTHON =
  /^\s*(type \w+ =.*|match .*:|except\*.*)\n\s*\^+\n\s*SyntaxError|cannot import name '(\w+)' from '(?:itertools|functools|typing|collections|math|asyncio|enum)'|No module named '(tomllib|zoneinfo|graphlib)'/m

function newerPython({ stderr }: Signs): string | undefined {
  const newer = foundBy(NEWER_PYTHON, stderr)
  return (
    newer &&
    `it is written for a newer Python than the one that runs it, which does not know ${newer}: python3 -V tells which; name a newer one in its command, or do without`
  )
}

/** An interpreter that its command or its first line names, and this machine lacks. */
function missingProgram({ stderr, why, word }: Signs): string | undefined {
  // Managers of versions put programs on the path that stand in for those that they manage.
  const standIn = /\b(pyenv|rbenv|nodenv|asdf)\b[^\n]*(?:No such file|not found|not installed)/
  const manager = /exit code 127/.test(why) ? foundBy(standIn, stderr) : undefined
  const first = manager && basename(word.split(/\s+/)[0] ?? '')
  const program = foundBy(/\benv: ['\u2018]?([\w.+-]+)['\u2019]?: No such file/, stderr) ?? first
  if (program === undefined) return undefined
  const stands = manager === undefined ? '' : ` (what bears its name is a stand-in of ${manager})`
  return `${program} is not there${stands}: name ${program.startsWith('python') ? 'python3' : 'a program that is'} instead`
}

/** A file, a package or a class, as interpreters, shells and tools say that it is not there; a group each. */
const MISSING =
  /No module named '?([\w.]+)|Can't locate (\S+) in @INC|Cannot find (?:module|package) '([^']+)'|cannot load such file -- (\S+)|(?:find or load main class|NoClassDefFoundError:) (\S+)|can't open(?: file)? '?([^':\s]+)|[Nn]o such file or directory(?:: '|, open '| @ rb_sysopen - )([^'\n]+)|(?:FileNotFoundException|NoSuchFileException): ([^\n(]*[^\s(])|cannot open '?([^\n']+?)'? (?:for reading: |\()No such file|cannot open ([^\n:]+): No such file|^(?![^\n]*cannot open)[^\n]*?([^\s:]+): No such file or directory/m

/** Whether something that it needs may be missing: it gave no answer. */
const isWithout = ({ fault, said, isNever }: Signs): boolean =>
  ['crash', 'refused', 'silent'].includes(fault) || (said.trim() === '' && !isNever)

/** A file outside of its own that it would write: its sandbox does not even have the folder. */
function writesOutside(signs: Signs): string | undefined {
  const { stderr, main } = signs
  const file = foundBy(/[Nn]o such file or directory: '(\/[^'\n]+)'/, stderr)
  if (file === undefined || !isWithout(signs)) return undefined
  const [, behind] = main.text.split(file, 2)
  return behind !== undefined && /^['"]\s*,\s*(?:mode\s*=\s*)?['"][wax]/.test(behind)
    ? `it writes to ${file}, and a bot may write in /tmp and in its own folder alone: write there, or to standard error, which check and logs show`
    : undefined
}

export const notFound = (file: string): string =>
  `it does not find ${file}: a bot has only its own files, those that its command names, or all of folder = "." in its bot.toml`

function missingPart(signs: Signs): string | undefined {
  const { stderr, why, texts } = signs
  if (!isWithout(signs)) return undefined
  const program = foundBy(NO_PROGRAM, stderr)
  // A path is that of a file of its own.
  const file = foundBy(MISSING, `${stderr}\n${why}`) ?? (program?.includes('/') ? program : undefined)
  if (file !== undefined && /^agon$/i.test(file) && !texts.some((one) => /^agon\.\w+$/i.test(basename(one.file))))
    return `it does not find agon, the file that \`new bot\` made beside it: name the bot's folder (or its bot.toml, with folder = "."), which brings all its files along`
  if (file !== undefined) return `${notFound(file)}; packages that are installed for a user alone are not there`
  if (program !== undefined)
    return `it calls the program ${program}, which is not there: a bot has the machine's own programs, and none that are installed for a user alone`
  return /exit code 127/.test(why) ? 'its script calls a program that is not there (exit code 127)' : undefined
}

function dictAsObject({ stderr }: Signs): string | undefined {
  const key = foundBy(/'dict' object has no attribute '(\w+)'/, stderr)
  return key && `a view is a dict in Python: view["${key}"]`
}

/** What starts another process and leaves it: in a shell, an & at the end of a line. */
const FORKS = /\bfork\s*\(|\bfork;|\bPopen\s*\(|\bsetsid\b|\bnohup\b|\bdaemon\b|[^&]&\s*$/m

function forked({ isOver, texts }: Signs): string | undefined {
  const file = isOver ? texts.find(({ text }) => FORKS.test(text))?.file : undefined
  return (
    file &&
    `${file} starts another process, and the first one ends: whatever it started is ended with it, so the process that agon starts has to answer, or to wait for the other`
  )
}

/** A bot of a kit whose last line was lost, or never written. */
function neverPlays({ isOver, stderr, main, helper }: Signs): string | undefined {
  if (!isOver || stderr.trim() !== '' || helper === undefined || /\bplay\b/.test(main.text)) return undefined
  const call = { '.py': 'agon.play(choose)', '.mjs': 'play(choose)', '.sh': '. ./agon.sh and play' }[extname(helper)]
  return `${main.file} never plays: ${helper} reads the questions once it is told to${call === undefined ? '' : `; end it with ${call}`}`
}

export const SURE_OF_PROGRAMS: readonly SymptomRule[] = [
  windowsLines,
  byteOrderMark,
  noInterpreter,
  notCompiled,
  noFunction,
  pastLimits,
  saidPlainly,
  ownImport,
  notBash,
  shellWord,
  newerPython,
  missingProgram,
  writesOutside,
  missingPart,
  dictAsObject,
  forked,
  neverPlays,
]

/** How a part of the view is asked for, by its key. */
const ANYWHERE = /\bview(?:\.get\(|\[|->\{|\{)\s*["':]?(\w+)|\b(?:agon_)?get\(\s*view\s*,\s*"(\w+)"/g
const BY_ENDING: readonly (readonly [ending: RegExp, asks: RegExp])[] = [
  [/\.(?:m?js|ts)$/, /\bview\??\.(\w+)/g],
  [/\.sh$/, /\bget (\w+)/g],
]

/** Parts of the view that a source asks for, that no view has had, and that are spelt nearly like one that each has. */
export function strangeKeys(texts: readonly SourceText[], keys: readonly string[]): string[] {
  return texts.flatMap(({ file, text }) => {
    if (HELPER.test(basename(file))) return []
    const own = BY_ENDING.flatMap(([ending, asks]) => (ending.test(file) ? [asks] : []))
    const asked = [ANYWHERE, ...own].flatMap((asks) =>
      [...text.matchAll(asks)].map(([, one, other]) => one ?? other ?? ''),
    )
    return [...new Set(asked)]
      .filter((key) => !keys.includes(key) && nearest(key, keys) !== undefined)
      .map((key) => `${file} asks the view for "${key}", which it has not${didYouMean(key, keys)}`)
  })
}

const strangeKey = ({ fault, texts, keys = [] }: Signs): string | undefined =>
  fault === 'timeout' || fault === 'flood' ? undefined : strangeKeys(texts, keys)[0]

const READS =
  /sys\.stdin|\binput\(|<STDIN>|process\.stdin|std::cin|\bcin\s*>>|System\.in\b|\bgets\b|\$stdin|STDIN\.|readFileSync\(\s*0/

/** A bot that waits for lines, where its questions stand in its arguments. */
function waitsForLines({ stays, said, main, helper }: Signs): Wording | undefined {
  if (stays !== false || said.trim() !== '') return undefined
  const readsJson = /json\.loads|JSON\.parse|decode_json|JSON::/.test(main.text) && READS.test(main.text)
  if (!readsJson && (helper === undefined || !/\bplay\b/.test(main.text))) return undefined
  return message`${helper ?? main.file} reads its questions as lines of JSON, and this wire gives them as arguments: ${option('wire', 'jsonl')} (in bot.toml: wire = "jsonl")`
}

function noInput(signs: Signs): string | undefined {
  const { stays, stderr, said, main } = signs
  const reads = said.trim() === '' && READS.test(main.text) && waitsForLines(signs) === undefined
  return stays === false && (reads || /EOFError|EOF when reading/.test(stderr))
    ? 'it reads standard input, which is empty on this wire: what it is sent stands in its arguments'
    : undefined
}

const CLOSES = /\bclose\(1\)|stdout\.close\(|System\.out\.close|fclose\(\s*stdout|exec\s+1?>&-|\bclose\(?\s*\*?STDOUT/

function closedOutput({ fault, said, stderr, texts }: Signs): string | undefined {
  if (/Bad file descriptor|EBADF|BrokenPipe|Broken pipe|EPIPE|closed file|write after end/.test(stderr))
    return 'it writes to a standard output that is closed: it has closed that itself, or goes on once the match is over'
  const file = said === '' && fault !== 'refused' ? texts.find(({ text }) => CLOSES.test(text))?.file : undefined
  return file && `${file} closes its standard output, where the answers go: leave it open`
}

function onStandardError({ fault, said, stderr, legal }: Signs): string | undefined {
  const lines = stderr.trim().split('\n')
  return fault !== 'crash' && said.trim() === '' && lines.every((line) => legal.includes(line.trim()))
    ? 'it writes its answer to standard error: an answer goes to standard output'
    : undefined
}

export const SIGNS_OF_INPUT: readonly SymptomRule[] = [strangeKey, waitsForLines]
export const SIGNS_OF_OUTPUT: readonly SymptomRule[] = [noInput, closedOutput, onStandardError]

/** Signals that a program sends itself, as its library and the processor do for it. */
function ended({ fault, why, stays, stderr }: Signs): Wording | undefined {
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

function writes({ stderr }: Signs): string | undefined {
  return /Read-only file system|EROFS|Permission denied: '/.test(stderr)
    ? 'it writes where it may not: a bot may write in /tmp, and docs/sandbox.md shows where else'
    : undefined
}

export const SIGNS_OF_ENDING: readonly SymptomRule[] = [ended, writes]

export function guessOfError({ fault, stderr }: Signs): string | undefined {
  const telling = fault === 'crash' || fault === 'refused' ? tellingLine(stderr) : undefined
  if (telling === undefined || telling === '') return undefined
  // Python names the call that failed last; what is not the bot's own lies elsewhere.
  const [, file, line] = [...stderr.matchAll(/File "\/bot\/([^"\n]+)", line (\d+)/g)].at(-1) ?? []
  return `an error of its own, which nothing in it catches: ${telling}${file === undefined ? '' : ` (${file}, line ${line})`}`
}
