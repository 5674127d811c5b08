import { UserError, didYouMean } from '../core/index.js'

/** A language that a bot can be begun in. */
export interface Language {
  readonly name: string
  /** Its folder among the templates. */
  readonly folder: string
  /** Other words for it, in lower case. */
  readonly aliases: readonly string[]
  /** What a machine needs to build and to run it. */
  readonly needs: readonly string[]
  /** How the bot is started: the keys of its bot.toml. */
  readonly start:
    | { readonly command: readonly string[]; readonly build?: readonly string[] }
    /** agon itself calls the function: there is no wire. */
    | { readonly module: string }
    /** A header with a class, which agon makes a program. */
    | { readonly class: string }
  /** Where the bot decides, and what reads its questions and writes its answers. */
  readonly bot: string
  readonly wire: string
  /** How to print something that is no answer. */
  readonly debug: string
  /** It asks a language model, which is told the rules. Absent: it decides itself. */
  readonly asksModel?: true
}

/** What JavaScript and TypeScript print with. */
const CONSOLE = 'console'

export const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    folder: 'python',
    aliases: ['py', 'python3'],
    needs: ['python3'],
    start: { command: ['python3', 'bot.py'] },
    bot: 'bot.py',
    wire: 'agon.py',
    debug: 'print(…, file=sys.stderr)',
  },
  {
    name: 'JavaScript',
    folder: 'javascript',
    aliases: ['js', 'node', 'mjs'],
    needs: ['node'],
    start: { command: ['node', 'bot.mjs'] },
    bot: 'bot.mjs',
    wire: 'agon.mjs',
    debug: `${CONSOLE}.error(…)`,
  },
  {
    name: 'TypeScript',
    folder: 'typescript',
    aliases: ['ts'],
    needs: [],
    start: { module: 'bot.ts' },
    bot: 'bot.ts',
    wire: 'view.ts',
    debug: `${CONSOLE}.error(…)`,
  },
  {
    name: 'C++',
    folder: 'cpp',
    aliases: ['cpp', 'cxx', 'cc'],
    needs: ['c++'],
    start: { command: ['./bot'], build: ['c++', '-std=c++17', '-O2', '-pthread', '-o', 'bot', 'bot.cpp'] },
    bot: 'bot.cpp',
    wire: 'agon.hpp',
    debug: 'std::cerr',
  },
  {
    name: 'C',
    folder: 'c',
    aliases: [],
    needs: ['cc'],
    start: { command: ['./bot'], build: ['cc', '-std=c99', '-O2', '-o', 'bot', 'bot.c', '-lm'] },
    bot: 'bot.c',
    wire: 'agon.h',
    debug: 'fprintf(stderr, …)',
  },
  {
    name: 'Java',
    folder: 'java',
    aliases: [],
    needs: ['javac', 'java'],
    start: {
      command: ['java', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', '.', 'Bot'],
      build: ['javac', '-d', '.', 'Bot.java', 'Agon.java'],
    },
    bot: 'Bot.java',
    wire: 'Agon.java',
    debug: 'System.err',
  },
  {
    name: 'Rust',
    folder: 'rust',
    aliases: ['rs'],
    needs: ['rustc'],
    start: { command: ['./bot'], build: ['rustc', '-O', '--edition', '2021', '-o', 'bot', 'bot.rs'] },
    bot: 'bot.rs',
    wire: 'agon.rs',
    debug: 'eprintln!(…)',
  },
  {
    name: 'Go',
    folder: 'go',
    aliases: ['golang'],
    needs: ['go'],
    start: { command: ['./bot'], build: ['go', 'build', '-o', 'bot', 'bot.go', 'agon.go'] },
    bot: 'bot.go',
    wire: 'agon.go',
    debug: 'println(…)',
  },
  {
    name: 'Perl',
    folder: 'perl',
    aliases: ['pl'],
    needs: ['perl'],
    start: { command: ['perl', 'bot.pl'] },
    bot: 'bot.pl',
    wire: 'Agon.pm',
    debug: 'warn …',
  },
  {
    name: 'Ruby',
    folder: 'ruby',
    aliases: ['rb'],
    needs: ['ruby'],
    start: { command: ['ruby', 'bot.rb'] },
    bot: 'bot.rb',
    wire: 'agon.rb',
    debug: 'warn …',
  },
  {
    name: 'shell',
    folder: 'shell',
    aliases: ['sh', 'bash', 'dash'],
    needs: ['sh'],
    start: { command: ['sh', 'bot.sh'] },
    bot: 'bot.sh',
    wire: 'agon.sh',
    debug: 'echo … >&2',
  },
  {
    name: 'LLM',
    folder: 'llm',
    aliases: ['gpt', 'model'],
    needs: ['python3'],
    start: { command: ['python3', 'bot.py'] },
    bot: 'bot.py',
    wire: 'bot.py',
    debug: 'print(…, file=sys.stderr)',
    asksModel: true,
  },
]

/** The language that a word means, in any case. Throws UserError with a guess. */
export function languageNamed(word: string): Language {
  const lower = word.toLowerCase()
  const found = LANGUAGES.find(({ name, aliases }) => name.toLowerCase() === lower || aliases.includes(lower))
  if (found !== undefined) return found
  const known = LANGUAGES.map(({ name }) => name)
  const guess = didYouMean(word, [...known, ...LANGUAGES.flatMap(({ aliases }) => aliases)])
  throw new UserError(`no language ${JSON.stringify(word)}${guess}; there are ${known.join(', ')}`)
}
