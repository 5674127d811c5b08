import { basename, extname } from 'node:path'
import { type SourceText, type Wording, didYouMean, message, nearest, option } from '../../core/index.js'
import { isWrong, type Symptom } from './symptom.js'

/** What the kits' own files are called: each reads the questions and writes the answers. */
const HELPER = /^agon\.(?:py|mjs|hpp|h|java|rs|go|pm|rb|sh)$/i
const helperOf = (texts: readonly SourceText[]): string | undefined =>
  texts.map(({ file }) => basename(file)).find((file) => HELPER.test(file))

/** An action that is called by what it means. */
export function calledByMeaning({ fault, said, actions = {} }: Symptom): string | undefined {
  if (!isWrong(fault)) return undefined
  const word = said.trim().replaceAll('"', '').toLowerCase()
  const found = Object.entries(actions).find(([, meaning]) => word !== '' && meaning.toLowerCase() === word)
  return found && `it means ${JSON.stringify(found[0])} (${found[1]}): an action is written exactly so`
}

/** A bot of a kit whose last line was lost, or never written. */
export function neverPlays({ fault, why, stderr, texts }: Symptom): string | undefined {
  const [main] = texts
  const helper = helperOf(texts)
  const isOver = stderr.trim() === '' && (fault === 'silent' || (fault === 'crash' && /exit code 0/.test(why)))
  if (!isOver || helper === undefined || main === undefined || /\bplay\b/.test(main.text)) return undefined
  const call = { '.py': 'agon.play(choose)', '.mjs': 'play(choose)', '.sh': '. ./agon.sh and play' }[extname(helper)]
  return `${main.file} never plays: ${helper} reads the questions once it is told to${call === undefined ? '' : `; end it with ${call}`}`
}

/** A bot of a kit that prints its action by itself. */
export function printsItself({ fault, wire, said, legal, texts }: Symptom): string | undefined {
  const helper = helperOf(texts)
  if (fault !== 'unparsable' || wire !== 'jsonl' || helper === undefined || !legal.includes(said.trim()))
    return undefined
  return `it prints its action, and ${helper} prints the answers: ${
    helper === 'agon.sh' ? `set action=${said.trim()} in choose` : 'return it from choose'
  }`
}

/** What languages say of a value that is used for another kind than it is. */
export function wrongKind({ stderr }: Symptom): string | undefined {
  if (/Double cannot be cast to class java\.lang\.(?:Integer|Long|Short)/.test(stderr))
    return 'the numbers of a view are Double in Java: ((Double) view.get("…")).intValue() makes a whole number of one'
  const [, key] = /'dict' object has no attribute '(\w+)'/.exec(stderr) ?? []
  return key && `a view is a dict in Python: view["${key}"]`
}

/** A file of its own that a JavaScript bot imports as a package, or without its ending. */
export function ownImport({ stderr, texts }: Symptom): string | undefined {
  const [, named = ''] = /Cannot find (?:package|module) '([^']+)' imported from/.exec(stderr) ?? []
  const file = texts.find((one) => named !== '' && basename(one.file, extname(one.file)) === basename(named))
  return file && `${basename(file.file)} is its own file: import … from './${basename(file.file)}'`
}

/** What only shells take for a program: an assignment with blanks, and a function that is defined further down. */
export function shellWord({ stderr, texts }: Symptom): string | undefined {
  const [, word] = /(\w+): (?:command )?not found/.exec(stderr) ?? []
  const [main] = texts
  if (word === undefined || main === undefined) return undefined
  if (new RegExp(`^\\s*${word}\\s+=|[;{]\\s*${word}\\s+=`, 'm').test(main.text))
    return `a shell takes ${word} for a program: write ${word}=…, without blanks around the =`
  return new RegExp(`^\\s*${word}\\s*\\(\\)`, 'm').test(main.text)
    ? `${main.file} calls ${word} before it defines it: put functions first, and what calls them (play) last`
    : undefined
}

/** A bot that waits for lines, where its questions stand in its arguments. */
export function waitsForLines({ stays, said, texts }: Symptom): Wording | undefined {
  const [main] = texts
  if (stays !== false || said.trim() !== '' || main === undefined) return undefined
  const helper = helperOf(texts)
  const isJson = /json\.loads|JSON\.parse|decode_json|JSON::/.test(main.text) && READS.test(main.text)
  if (!isJson && (helper === undefined || !/\bplay\b/.test(main.text))) return undefined
  const who = helper ?? main.file
  return message`${who} reads its questions as lines of JSON, and this wire gives them as arguments: ${option('wire', 'jsonl')} (in bot.toml: wire = "jsonl")`
}

const READS =
  /sys\.stdin|\binput\(|<STDIN>|process\.stdin|std::cin|\bcin\s*>>|System\.in\b|\bgets\b|\$stdin|STDIN\.|readFileSync\(\s*0/

/** A bot that reads standard input, where its questions stand in its arguments. */
export const readsInput = ({ stays, said, texts }: Symptom): boolean =>
  stays === false && said.trim() === '' && texts[0] !== undefined && READS.test(texts[0].text)

/** How a part of the view is asked for, by its key. */
const ANYWHERE = /\bview(?:\.get\(|\[|->\{|\{)\s*["':]?(\w+)|\b(?:agon_)?get\(\s*view\s*,\s*"(\w+)"/g
const BY_ENDING: Readonly<Record<string, RegExp>> = {
  '.js': /\bview\??\.(\w+)/g,
  '.mjs': /\bview\??\.(\w+)/g,
  '.ts': /\bview\??\.(\w+)/g,
  '.sh': /\bget (\w+)/g,
}

/** Parts of the view that a source asks for, that no view has had, and that are spelt nearly like one that each has. */
export function strangeKeys(texts: readonly SourceText[], keys: readonly string[]): string[] {
  return texts.flatMap(({ file, text }) => {
    if (HELPER.test(basename(file))) return []
    const patterns = [
      ANYWHERE,
      ...(Object.hasOwn(BY_ENDING, extname(file)) ? [BY_ENDING[extname(file)] as RegExp] : []),
    ]
    const asked = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, one, other]) => one ?? other ?? ''))
    return [...new Set(asked)]
      .filter((key) => !keys.includes(key) && nearest(key, keys) !== undefined)
      .map((key) => `${file} asks the view for "${key}", which it has not${didYouMean(key, keys)}`)
  })
}

export const strangeKey = ({ fault, texts, keys = [] }: Symptom): string | undefined =>
  fault === 'timeout' || fault === 'flood' ? undefined : strangeKeys(texts, keys)[0]
