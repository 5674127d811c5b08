import { basename, extname } from 'node:path'
import { type SourceText, didYouMean, message, nearest, option, tellingLine } from '../../core/index.js'
import { HELPER, type Signs, type SymptomRule, UTF16, foundBy, says } from './symptom.js'

/** How interpreters, shells and tools name a missing file, package or class; a group each. */
const MISSING =
  /No module named '?([\w.]+)|Can't locate (\S+) in @INC|Cannot find (?:module|package) '([^']+)'|cannot load such file -- (\S+)|(?:find or load main class|NoClassDefFoundError:) (\S+)|can't open(?: file)? '?([^':\s]+)|[Nn]o such file or directory(?:: '|, open '| @ rb_sysopen - )([^'\n]+)|(?:FileNotFoundException|NoSuchFileException): ([^\n(]*[^\s(])|cannot open '?([^\n']+?)'? (?:for reading: |\()No such file|cannot open ([^\n:]+): No such file|^(?![^\n]*cannot open)[^\n]*?([^\s:]+): No such file or directory/m
const NO_PROGRAM = /([^\s:]+): (?:command )?not found/

const NETWORK =
  /in name resolution|[Nn]etwork is unreachable|ENETUNREACH|EAI_AGAIN|getaddrinfo|UnknownHostException|[Cc]ould not resolve host/
const MEMORY = /OutOfMemoryError|\bMemoryError\b|bad_alloc|Not enough space|Cannot allocate memory|heap out of memory/
const PROCESSES =
  /Resource temporarily unavailable|BlockingIOError|can't start new thread|create native thread|annot fork/

const NEWER_PYTHON =
  /^\s*(type \w+ =.*|match .*:|except\*.*)\n\s*\^+\n\s*SyntaxError|cannot import name '(\w+)' from '(?:itertools|functools|typing|collections|math|asyncio|enum)'|No module named '(tomllib|zoneinfo|graphlib)'/m
const NOT_BASH =
  /\[\[: not found|"\(" unexpected|[Bb]ad substitution|(?:source|declare|shopt|let|typeset|mapfile): not found/
/** What starts another process and leaves it: in a shell, an & at the end of a line. */
const FORKS = /\bfork\s*\(|\bfork;|\bPopen\s*\(|\bsetsid\b|\bnohup\b|\bdaemon\b|[^&]&\s*$/m

const isScript = ({ file, text }: SourceText): boolean =>
  /\.(?:sh|bash|pl|rb|awk|tcl)$/.test(file) || text.startsWith('#!')

/** Something may be missing: it gave no answer. */
const isWithout = ({ fault, said, isNever }: Signs): boolean =>
  ['crash', 'refused', 'silent'].includes(fault) || (said.trim() === '' && !isNever)

const replacing = (program: string): string => (program.startsWith('python') ? 'python3' : 'a program that is')

export const SURE_OF_PROGRAMS: readonly SymptomRule[] = [
  // Interpreters take the \r of a Windows line end for part of a word.
  ({ texts }) => {
    const found = texts.find((each) => each.text.includes('\r\n') && isScript(each))?.file
    return found && `${found} has Windows line ends (CRLF): save it with \\n alone, or sed -i 's/\\r$//' ${found}`
  },
  ({ texts }) => {
    const wide = texts.find(({ text }) => UTF16.test(text))?.file
    return wide && `${wide} is written in UTF-16, which no interpreter reads: save it as UTF-8`
  },
  // Invisible, and part of the first letter to whatever runs the file, except Python.
  ({ fault, texts }) => {
    const found = texts.find(({ file, text }) => text.startsWith('\uFEFF') && !/\.(?:py|[cm]?[jt]s)$/.test(file))?.file
    if (fault === 'timeout' || found === undefined) return undefined
    return `${found} begins with a byte order mark (BOM), which is taken for part of its first word: save it as UTF-8 without BOM`
  },
  // The first line says what runs a file; if not, the shell is tried.
  ({ fault, why, stderr, main }) => {
    if (main.text === '' || extname(main.file) !== '') return undefined
    const named = foundBy(/^#! *(\S+)/, main.text)
    if (fault === 'refused' && named !== undefined && /ENOENT|could not be started/.test(why))
      return `the first line of ${main.file} names ${named}, which is not there: #!/usr/bin/env python3 finds python3 wherever it is`
    if (named !== undefined || !/not found|[Ss]yntax error/.test(stderr)) return undefined
    return `${main.file} has no first line that says what runs it, so the shell does: begin it with #!/usr/bin/env python3, or name it in the command: "python3 ${main.file}"`
  },
  ({ fault, word, main }) => {
    const source = foundBy(/^(?:sh|bash|python3?|perl|node)\s(?:.*\s)?(\S+\.(?:c|cc|cpp|cxx|java|rs|go))(?:\s|$)/, word)
    if (fault === 'timeout' || source === undefined) return undefined
    return `${main.file || source} is to be compiled: name the file alone, and agon builds it`
  },
  ({ fault, why, word, texts, main }) => {
    if (fault !== 'refused' || !/default export/.test(why)) return undefined
    if (/^export\b/m.test(main.text))
      return `${main.file} exports no function by default: export default (view, chance, legal) => …, or default before the function that answers`
    const reads = texts.some(({ text }) => /process\.stdin|readline|console\.log/.test(text))
    return `a .js or .ts file by itself is a module, whose default export is called with the view; ${
      reads ? 'this one reads its standard input: give it' : 'a program that reads its standard input is given'
    } as a command: "node ${word}"`
  },
  ({ fault, isWrong, why, stderr }) => {
    if (fault === 'flood' && /standard error/.test(why))
      return 'it writes too much to its standard error: print less there'
    if (isWrong) return undefined
    if (NETWORK.test(`${stderr}\n${why}`)) return 'it reaches for the network, and a bot has none'
    if (MEMORY.test(stderr))
      return message`it needs more memory than it may have (${option('limit', 'memory=…')}): make it need less`
    if (!PROCESSES.test(stderr)) return undefined
    return message`it has more processes or threads at once than it may (${option('limit', 'processes=…')}): start fewer, and wait for those that have ended`
  },
  says(
    /Cannot use import statement outside a module/,
    'Node.js takes it for a CommonJS file, which has no import: let its name end in .mjs, or use require',
  ),
  says(
    /require is not defined in ES module scope/,
    'Node.js takes it for an ES module, which has no require: use import, or let its name end in .cjs',
  ),
  says(
    /Missing parentheses in call to 'print'|multiple exception types must be parenthesized|name '(?:raw_input|xrange|unicode|basestring|unichr)' is not defined|has no attribute '(?:has_key|iteritems|itervalues|iterkeys)'/,
    'it is written for Python 2, and Python 3 runs it: print(…) and input() are functions there, and range() and items() take the place of xrange() and iteritems()',
  ),
  says(
    /Double cannot be cast to class java\.lang\.(?:Integer|Long|Short)/,
    'the numbers of a view are Double in Java: ((Double) view.get("…")).intValue() makes a whole number of one',
  ),
  ({ stderr, texts }) => {
    const named = foundBy(/Cannot find (?:package|module) '([^']+)' imported from/, stderr)
    const files = texts.map((one) => basename(one.file))
    const file = files.find((one) => named && one.replace(/\.\w*$/, '') === basename(named))
    return file && `${file} is its own file: import … from './${file}'`
  },
  // On many systems sh is a smaller shell than bash.
  ({ stderr, word, main }) =>
    NOT_BASH.test(stderr) &&
    /^(?:\S*\/)?sh\s|\.sh$|^#! *\S*\bsh\b/m.test(`${word}\n${main.file}\n${main.text.split('\n', 1)[0]}`) &&
    `it is written for bash, and sh runs it: begin the command with bash ("bash ${main.file || 'bot.sh'}")`,
  ({ stderr, main }) => {
    const word = foundBy(/(\w+): (?:command )?not found/, stderr)
    if (word === undefined) return undefined
    if (new RegExp(`(?:^|[;{])\\s*${word}\\s+=`, 'm').test(main.text))
      return `a shell takes ${word} for a program: write ${word}=…, without blanks around the =`
    if (!new RegExp(`^\\s*${word}\\s*\\(\\)`, 'm').test(main.text)) return undefined
    return `${main.file} calls ${word} before it defines it: put functions first, and what calls them (play) last`
  },
  says(
    NEWER_PYTHON,
    (newer) =>
      `it is written for a newer Python than the one that runs it, which does not know ${newer}: python3 -V tells which; name a newer one in its command, or do without`,
  ),
  // Version managers put stand-ins on the path.
  ({ stderr, why, word }) => {
    const manager = foundBy(/\b(pyenv|rbenv|nodenv|asdf)\b[^\n]*(?:No such file|not found|not installed)/, stderr)
    const program = basename(word.split(/\s+/)[0] ?? '')
    if (manager === undefined || !/exit code 127/.test(why)) return undefined
    return `${program} is not there (what bears its name is a stand-in of ${manager}): name ${replacing(program)} instead`
  },
  says(
    /\benv: ['\u2018]?([\w.+-]+)['\u2019]?: No such file/,
    (program) => `${program} is not there: name ${replacing(program)} instead`,
  ),
  // It would write where its sandbox has no folder.
  (signs) => {
    const file = foundBy(/[Nn]o such file or directory: '(\/[^'\n]+)'/, signs.stderr)
    if (file === undefined || !isWithout(signs)) return undefined
    const [, behind = ''] = signs.main.text.split(file, 2)
    if (!/^['"]\s*,\s*(?:mode\s*=\s*)?['"][wax]/.test(behind)) return undefined
    return `it writes to ${file}, and a bot may write in /tmp and in its own folder alone: write there, or to standard error, which check and logs show`
  },
  (signs) => {
    const { stderr, why, texts } = signs
    if (!isWithout(signs)) return undefined
    const program = foundBy(NO_PROGRAM, stderr)
    // A path names a file of its own.
    const file = foundBy(MISSING, `${stderr}\n${why}`) ?? (program?.includes('/') ? program : undefined)
    if (file !== undefined && /^agon$/i.test(file) && !texts.some((one) => /^agon\.\w+$/i.test(basename(one.file))))
      return `it does not find agon, the file that \`new bot\` made beside it: name the bot's folder (or its bot.toml, with folder = "."), which brings all its files along`
    if (file !== undefined) return `${notFound(file)}; packages that are installed for a user alone are not there`
    if (program !== undefined)
      return `it calls the program ${program}, which is not there: a bot has the machine's own programs, and none that are installed for a user alone`
    return /exit code 127/.test(why) && 'its script calls a program that is not there (exit code 127)'
  },
  says(/'dict' object has no attribute '(\w+)'/, (key) => `a view is a dict in Python: view["${key}"]`),
  ({ isOver, texts }) => {
    const file = isOver ? texts.find(({ text }) => FORKS.test(text))?.file : undefined
    if (file === undefined) return undefined
    return `${file} starts another process, and the first one ends: whatever it started is ended with it, so the process that agon starts has to answer, or to wait for the other`
  },
  ({ isOver, stderr, main, helper }) => {
    if (!isOver || stderr.trim() !== '' || helper === undefined || /\bplay\b/.test(main.text)) return undefined
    const call = { '.py': 'agon.play(choose)', '.mjs': 'play(choose)', '.sh': '. ./agon.sh and play' }[extname(helper)]
    return `${main.file} never plays: ${helper} reads the questions once it is told to${call === undefined ? '' : `; end it with ${call}`}`
  },
]

const notFound = (file: string): string =>
  `it does not find ${file}: a bot has only its own files, those that its command names, or all of folder = "." in its bot.toml`

/** How a part of the view is asked for, by its key. */
const ANYWHERE = /\bview(?:\.get\(|\[|->\{|\{)\s*["':]?(\w+)|\b(?:agon_)?get\(\s*view\s*,\s*"(\w+)"/g
const BY_ENDING: readonly (readonly [ending: RegExp, asks: RegExp])[] = [
  [/\.(?:m?js|ts)$/, /\bview\??\.(\w+)/g],
  [/\.sh$/, /\bget (\w+)/g],
]

/** Parts of the view that a source asks for, that no view had, spelt nearly like one that each has. */
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

const READS =
  /sys\.stdin|\binput\(|<STDIN>|process\.stdin|std::cin|\bcin\s*>>|System\.in\b|\bgets\b|\$stdin|STDIN\.|readFileSync\(\s*0/

/** It waits for lines, though its questions stand in its arguments. */
const waitsForLines: SymptomRule = ({ stays, said, main, helper }) => {
  if (stays !== false || said.trim() !== '') return undefined
  const readsJson = /json\.loads|JSON\.parse|decode_json|JSON::/.test(main.text) && READS.test(main.text)
  if (!readsJson && (helper === undefined || !/\bplay\b/.test(main.text))) return undefined
  return message`${helper ?? main.file} reads its questions as lines of JSON, and this wire gives them as arguments: ${option('wire', 'jsonl')} (in bot.toml: wire = "jsonl")`
}

export const SIGNS_OF_INPUT: readonly SymptomRule[] = [
  ({ fault, texts, keys = [] }) => (fault === 'timeout' || fault === 'flood' ? undefined : strangeKeys(texts, keys)[0]),
  waitsForLines,
]

const CLOSES = /\bclose\(1\)|stdout\.close\(|System\.out\.close|fclose\(\s*stdout|exec\s+1?>&-|\bclose\(?\s*\*?STDOUT/

export const SIGNS_OF_OUTPUT: readonly SymptomRule[] = [
  (signs) => {
    const { stays, stderr, said, main } = signs
    const reads = said.trim() === '' && READS.test(main.text) && waitsForLines(signs) === undefined
    if (stays !== false || !(reads || /EOFError|EOF when reading/.test(stderr))) return undefined
    return 'it reads standard input, which is empty on this wire: what it is sent stands in its arguments'
  },
  ({ fault, said, stderr, texts }) => {
    if (/Bad file descriptor|EBADF|BrokenPipe|Broken pipe|EPIPE|closed file|write after end/.test(stderr))
      return 'it writes to a standard output that is closed: it has closed that itself, or goes on once the match is over'
    const file = said === '' && fault !== 'refused' ? texts.find(({ text }) => CLOSES.test(text))?.file : undefined
    return file && `${file} closes its standard output, where the answers go: leave it open`
  },
  ({ fault, said, stderr, legal }) => {
    const isAnswer = stderr
      .trim()
      .split('\n')
      .every((line) => legal.includes(line.trim()))
    if (fault === 'crash' || said.trim() !== '' || !isAnswer) return undefined
    return 'it writes its answer to standard error: an answer goes to standard output'
  },
]

export const SIGNS_OF_ENDING: readonly SymptomRule[] = [
  // Signals that a program, its library or the processor raises.
  ({ fault, why, stays, stderr }) => {
    if (fault !== 'crash' && fault !== 'refused') return undefined
    if (/SIGSEGV|SIGBUS/.test(why) || (/SIGABRT/.test(why) && /free\(\)|malloc|corrupt|smashing/.test(stderr)))
      return 'it reached beyond its memory (a wrong pointer or index, or a recursion without end): compile with -g -fsanitize=address to see where'
    if (/SIGABRT/.test(why))
      return 'it gave up by itself (abort): an exception that nothing caught, or an assert that failed; its standard error names it'
    if (/SIGFPE/.test(why)) return 'it divided a whole number by zero'
    if (/SIGKILL/.test(why))
      return message`it was killed: by itself, or because it took more memory than it may (${option('limit', 'memory=…')})`
    if (stays !== true || !/exit code 0|ended without|before its answer/.test(why)) return undefined
    return 'it ended: on this wire a program stays, and answers question after question in a loop'
  },
  says(
    /Read-only file system|EROFS|Permission denied: '/,
    'it writes where it may not: a bot may write in /tmp, and docs/sandbox.md shows where else',
  ),
]

/** The last error of standard error, if nothing more is known. */
export const ownError: SymptomRule = ({ fault, stderr }) => {
  const telling = fault === 'crash' || fault === 'refused' ? tellingLine(stderr) : undefined
  if (telling === undefined || telling === '') return undefined
  // Python names the failed call last; files elsewhere are not the bot's.
  const [, file, line] = [...stderr.matchAll(/File "\/bot\/([^"\n]+)", line (\d+)/g)].at(-1) ?? []
  return `an error of its own, which nothing in it catches: ${telling}${file === undefined ? '' : ` (${file}, line ${line})`}`
}

const NOT_COMPILED =
  /fatal error: ([^\n:]+): No such file|symbol: +(?:class|variable) (\w+)|error: package (\w+)[\w.]* does not exist/g
/** How compilers name a missing file of their command. */
const NO_SOURCE =
  /file not found: (\S+\.java)|error: (\S+\.\w+): No such file|couldn't read `?([^`\s:]+)|no such file: (\S+\.go)/

/**
 * What a build lacks, by log and files. `words`: of its commands; `isBeside`: a name lies beside the bot, not in it.
 */
export function lackingInBuild(
  log: string,
  texts: readonly SourceText[],
  words: readonly string[],
  isBeside: (name: string) => boolean,
): string | undefined {
  for (const [, header, symbol, within] of log.matchAll(NOT_COMPILED)) {
    const name = header ?? (symbol === undefined ? within : `${symbol}.java`)
    if (name !== undefined && isBeside(name)) return notFound(name)
  }
  const names = texts.map(({ file }) => basename(file))
  const absent = foundBy(NO_SOURCE, log)
  if (absent !== undefined && words.includes(absent) && !names.includes(absent))
    return `its build names ${absent}, which is not there${didYouMean(absent, names)}: call the file so, or change build in bot.toml`
  const packaged = texts.find(({ file, text }) => file.endsWith('.java') && /^\s*package\s+[\w.]+;/m.test(text))
  if (packaged !== undefined && /cannot find symbol[^]*symbol: +(?:variable|class) \w+/.test(log))
    return `${packaged.file} is in a package, and the files beside it are in none: remove its line "package …;"`
  const symbol = foundBy(/undefined (?:reference to|symbol:?) [`']?(\w+)/, log)
  if (symbol === undefined) return undefined
  if (symbol === 'main') return 'no file of its build has a main(): the program begins there'
  const kind = words.map((word) => extname(word)).find((end) => /^\.(?:c|cc|cpp|cxx)$/.test(end))
  const left = texts.find(
    ({ file, text }) => extname(file) === kind && !words.includes(basename(file)) && text.includes(symbol),
  )
  return left && `its build leaves out ${left.file}, which has ${symbol}: name it in build in bot.toml`
}
