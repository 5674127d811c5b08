import { basename, extname } from 'node:path'
import { type SourceText, type Wording, didYouMean, message, option } from '../../core/index.js'
import { isWrong, type Symptom } from './symptom.js'

/** A file, a package or a class, as interpreters, shells and tools say that it is not there; a group each. */
const MISSING =
  /No module named '?([\w.]+)|Can't locate (\S+) in @INC|Cannot find (?:module|package) '([^']+)'|cannot load such file -- (\S+)|(?:find or load main class|NoClassDefFoundError:) (\S+)|can't open(?: file)? '?([^':\s]+)|[Nn]o such file or directory(?:: '|, open '| @ rb_sysopen - )([^'\n]+)|(?:FileNotFoundException|NoSuchFileException): ([^\n(]*[^\s(])|cannot open '?([^\n']+?)'? (?:for reading: |\()No such file|cannot open ([^\n:]+): No such file|^(?![^\n]*cannot open)[^\n]*?([^\s:]+): No such file or directory/m
/** A program that a shell does not find. */
const NO_PROGRAM = /([^\s:]+): (?:command )?not found/

/** Whether something that it needs may be missing: it gave no answer. */
const isWithout = ({ fault, said, why }: Symptom): boolean =>
  ['crash', 'refused', 'silent'].includes(fault) || (said.trim() === '' && (fault !== 'timeout' || isLate(why)))

/** It did end, though too late. */
const isLate = (why: string): boolean => why.startsWith('took ')

const notFound = (file: string): string =>
  `it does not find ${file}: a bot has only its own files, those that its command names, or all of folder = "." in its bot.toml`

/** How compilers say that they lack a header, a file, or a class of Java. */
const NOT_COMPILED =
  /fatal error: ([^\n:]+): No such file|symbol: +(?:class|variable) (\w+)|error: package (\w+)[\w.]* does not exist/g

/**
 * Which file a build lacks that lies beside the bot; undefined: none does. `log`: what the build said; `isBeside`: whether a file or folder
 * of that name does.
 */
export function lackingInBuild(log: string, isBeside: (name: string) => boolean): string | undefined {
  for (const [, header, symbol, within] of log.matchAll(NOT_COMPILED)) {
    const name = header ?? (symbol === undefined ? within : `${symbol}.java`)
    if (name !== undefined && isBeside(name)) return notFound(name)
  }
  return undefined
}

/** How compilers say that a file which their command names is not there. */
const NO_SOURCE =
  /file not found: (\S+\.java)|error: (\S+\.\w+): No such file|couldn't read `?([^`\s:]+)|no such file: (\S+\.go)/
/** How linkers say that a function is nowhere. */
const UNDEFINED = /undefined (?:reference to|symbol:?) [`']?(\w+)/

/**
 * What a build of several files lacks, as far as its log and its own files show it; undefined: nothing is known. `words`: those of
 * its commands.
 */
export function lackingOfBuild(
  log: string,
  texts: readonly SourceText[],
  words: readonly string[],
): string | undefined {
  const names = texts.map(({ file }) => basename(file))
  const absent = NO_SOURCE.exec(log)
    ?.slice(1)
    .find((each) => each !== undefined)
  if (absent !== undefined && words.includes(absent) && !names.includes(absent))
    return `its build names ${absent}, which is not there${didYouMean(absent, names)}: call the file so, or change build in bot.toml`
  const packaged = texts.find(({ file, text }) => file.endsWith('.java') && /^\s*package\s+[\w.]+;/m.test(text))
  if (packaged !== undefined && /cannot find symbol[^]*symbol: +(?:variable|class) \w+/.test(log))
    return `${packaged.file} is in a package, and the files beside it are in none: remove its line "package …;"`
  const symbol = UNDEFINED.exec(log)?.[1]
  if (symbol === 'main') return 'no file of its build has a main(): the program begins there'
  const kind = words.map((word) => extname(word)).find((end) => /^\.(?:c|cc|cpp|cxx)$/.test(end))
  const left = texts.find(
    ({ file, text }) =>
      extname(file) === kind && !words.includes(basename(file)) && symbol !== undefined && text.includes(symbol),
  )
  return left && `its build leaves out ${left.file}, which has ${symbol}: name it in build in bot.toml`
}

export function missingPart(symptom: Symptom): string | undefined {
  const { stderr, why, texts } = symptom
  if (!isWithout(symptom)) return undefined
  const name = MISSING.exec(`${stderr}\n${why}`)
    ?.slice(1)
    .find((each) => each !== undefined)
  const program = NO_PROGRAM.exec(stderr)?.[1]
  // A path is that of a file of its own.
  const file = name ?? (program?.includes('/') ? program : undefined)
  if (file !== undefined && /^agon$/i.test(file) && !texts.some((one) => /^agon\.\w+$/i.test(basename(one.file))))
    return `it does not find agon, the file that \`new bot\` made beside it: name the bot's folder (or its bot.toml, with folder = "."), which brings all its files along`
  if (file !== undefined) return `${notFound(file)}; packages that are installed for a user alone are not there`
  if (program !== undefined)
    return `it calls the program ${program}, which is not there: a bot has the machine's own programs, and none that are installed for a user alone`
  return /exit code 127/.test(why) ? 'its script calls a program that is not there (exit code 127)' : undefined
}

/** What Python says of a program that is written for another version of it. */
const PYTHON_2 =
  /Missing parentheses in call to 'print'|multiple exception types must be parenthesized|name '(?:raw_input|xrange|unicode|basestring|unichr)' is not defined|has no attribute '(?:has_key|iteritems|itervalues|iterkeys)'/
const NEWER_PYTHON =
  /^\s*(type \w+ =.*|match .*:|except\*.*)\n\s*\^+\n\s*SyntaxError|cannot import name '(\w+)' from '(?:itertools|functools|typing|collections|math|asyncio|enum)'|No module named '(tomllib|zoneinfo|graphlib)'/m

export function otherPython({ stderr }: Symptom): string | undefined {
  if (PYTHON_2.test(stderr))
    return 'it is written for Python 2, and Python 3 runs it: print(…) and input() are functions there, and range() and items() take the place of xrange() and iteritems()'
  const newer = NEWER_PYTHON.exec(stderr)
    ?.slice(1)
    .find((each) => each !== undefined)
  return (
    newer &&
    `it is written for a newer Python than the one that runs it, which does not know ${newer}: python3 -V tells which; name a newer one in its command, or do without`
  )
}

/** The stand-ins of programs that managers of versions put on the path, and what env says. */
const STAND_IN = /\b(pyenv|rbenv|nodenv|asdf)\b[^\n]*(?:No such file|not found|not installed)/
const NO_ENV_PROGRAM = /\benv: ['\u2018]?([\w.+-]+)['\u2019]?: No such file/

/** An interpreter that its command or its first line names, and this machine lacks. */
export function missingProgram({ stderr, why, word }: Symptom): string | undefined {
  const [first = ''] = word.split(/\s+/)
  const manager = /exit code 127/.test(why) ? STAND_IN.exec(stderr)?.[1] : undefined
  const program = NO_ENV_PROGRAM.exec(stderr)?.[1] ?? (manager === undefined ? undefined : basename(first))
  if (program === undefined) return undefined
  const stands = manager === undefined ? '' : ` (what bears its name is a stand-in of ${manager})`
  return `${program} is not there${stands}: name ${program.startsWith('python') ? 'python3' : 'a program that is'} instead`
}

/** A file outside of its own that it would write: its sandbox does not even have the folder. */
export function writesOutside(symptom: Symptom): string | undefined {
  const { stderr, texts } = symptom
  const [, file] = /[Nn]o such file or directory: '(\/[^'\n]+)'/.exec(stderr) ?? []
  const opens = file === undefined ? -1 : (texts[0]?.text.indexOf(file) ?? -1)
  return isWithout(symptom) &&
    opens >= 0 &&
    /^['"]\s*,\s*(?:mode\s*=\s*)?['"][wax]/.test(texts[0]?.text.slice(opens + (file?.length ?? 0)) ?? '')
    ? `it writes to ${file}, and a bot may write in /tmp and in its own folder alone: write there, or to standard error, which check and logs show`
    : undefined
}

/** What sh says where a script is written for bash. */
const NOT_BASH =
  /\[\[: not found|"\(" unexpected|[Bb]ad substitution|(?:source|declare|shopt|let|typeset|mapfile): not found/

/** On many systems sh is a smaller shell than bash. */
export function notBash({ stderr, word, texts }: Symptom): string | undefined {
  const [main] = texts
  const isScript =
    /^(?:\S*\/)?sh\s/.test(word) || main?.file.endsWith('.sh') === true || /^#! *\S*\bsh\b/.test(main?.text ?? '')
  return isScript && NOT_BASH.test(stderr)
    ? `it is written for bash, and sh runs it: begin the command with bash ("bash ${main?.file ?? 'bot.sh'}")`
    : undefined
}

/** Node.js has two kinds of modules, and an ending for each. */
export function otherModules({ stderr }: Symptom): string | undefined {
  if (/Cannot use import statement outside a module/.test(stderr))
    return 'Node.js takes it for a CommonJS file, which has no import: let its name end in .mjs, or use require'
  return /require is not defined in ES module scope/.test(stderr)
    ? 'Node.js takes it for an ES module, which has no require: use import, or let its name end in .cjs'
    : undefined
}

const NETWORK =
  /in name resolution|[Nn]etwork is unreachable|ENETUNREACH|EAI_AGAIN|getaddrinfo|UnknownHostException|[Cc]ould not resolve host/

/** A limit of the sandbox that it ran into, and was told so. */
export function pastLimits({ fault, why, stderr }: Symptom): Wording | undefined {
  if (fault === 'flood' && /standard error/.test(why))
    return 'it writes too much to its standard error: print less there'
  if (isWrong(fault)) return undefined
  if (NETWORK.test(`${stderr}\n${why}`)) return 'it reaches for the network, and a bot has none'
  if (
    /OutOfMemoryError|\bMemoryError\b|bad_alloc|Not enough space|Cannot allocate memory|heap out of memory/.test(stderr)
  )
    return message`it needs more memory than it may have (${option('limit', 'memory=…')}): make it need less`
  return /Resource temporarily unavailable|BlockingIOError|can't start new thread|create native thread|annot fork/.test(
    stderr,
  )
    ? message`it has more processes or threads at once than it may (${option('limit', 'processes=…')}): start fewer, and wait for those that have ended`
    : undefined
}
