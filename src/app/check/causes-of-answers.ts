import { extname } from 'node:path'
import { type Wording, command, fromLatin1, message, option, tellingLine } from '../../core/index.js'
import { LANGUAGES } from '../../kits/index.js'
import { type Signs, type SymptomRule, foundBy } from './symptom.js'

function otherEncoding({ isWrong, said }: Signs): string | undefined {
  if (!isWrong) return undefined
  const [, little] = /^(?:(\u00FF\u00FE)|\u00FE\u00FF)/.exec(said) ?? []
  if (little !== undefined || said.startsWith('\u00FE\u00FF'))
    return `it writes its answer in UTF-16, ${little ? 'little' : 'big'}-endian, and agon reads UTF-8: set the encoding of its standard output to UTF-8, without a byte order mark`
  if (/^(?:\u00EF\u00BB\u00BF|\uFEFF)/.test(said))
    return 'its answer begins with a byte order mark (BOM; bytes EF BB BF), which is taken for part of it: write UTF-8 without BOM ("utf-8" in Python, not "utf-8-sig")'
  return said.includes('\0')
    ? 'its answer holds NUL bytes (\\0): it writes UTF-16, where UTF-8 is read, or a buffer together with its closing \\0; write the letters alone'
    : undefined
}

function returnsObject({ why }: Signs): string | undefined {
  const kind = foundBy(/^returned (\w+), not a text/, why)
  return kind && `it returned ${kind === 'object' ? 'an object' : `a ${kind}`}: return the action itself, a text`
}

/** The value of a line; undefined: it is no JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(fromLatin1(line)) as unknown
  } catch {
    return undefined
  }
}

/** Numbers that languages print and that JSON does not have. */
const NO_NUMBER = /([:[,]\s*)-?(NaN|Infinity)\b/g

function holdsNaN({ said }: Signs): string | undefined {
  if (parsed(said) !== undefined || parsed(said.replace(NO_NUMBER, '$1null')) === undefined) return undefined
  const [[, , number] = []] = said.matchAll(NO_NUMBER)
  return `its answer holds ${number}, which JSON does not have: leave it out, or write null (json.dumps(…, allow_nan=False) of Python fails where it comes from)`
}

function nothingReturned({ isWrong, said }: Signs): string | undefined {
  if (!isWrong) return undefined
  if (said.trim() === '' || /^\s*\{\s*"action":\s*""/.test(said))
    return 'its answer is an empty text: somewhere it has no action'
  const nothing = foundBy(/^"?(None|null|undefined|nil|NaN)"?\s*$|"action":\s*"?(null|None|undefined|nil|NaN)\b/, said)
  return nothing && `it answers ${nothing}: somewhere it returns no action`
}

/** The legal action that an answer comes to but for quotes, small letters, or a whole number written as a fraction. */
function almostLegal({ isWrong, fault, said, wire, legal }: Signs): string | undefined {
  // Whatever is no answer on that wire means nothing yet.
  if (!isWrong || (wire === 'jsonl' && fault === 'unparsable')) return undefined
  const bare = said.trim().replace(/^["'](.*)["']$/, '$1')
  const whole = bare.replace(/^(-?\d+)\.0*$/, '$1')
  const [meant] = [bare, whole].flatMap((text) => legal.find((each) => each.toLowerCase() === text.toLowerCase()) ?? [])
  return meant === undefined || meant === said.trim()
    ? undefined
    : `it means ${JSON.stringify(meant)}: an action is written exactly so`
}

function calledByMeaning({ isWrong, said, actions = {} }: Signs): string | undefined {
  const word = said.trim().replaceAll('"', '').toLowerCase()
  const found = Object.entries(actions).find(([, meaning]) => word !== '' && meaning.toLowerCase() === word)
  return isWrong && found
    ? `it means ${JSON.stringify(found[0])} (${found[1]}): an action is written exactly so`
    : undefined
}

const form = ({ legal }: Signs, action = legal[0] ?? '…'): string => JSON.stringify({ action })

const KINDS: readonly (readonly [begins: RegExp, kind: string])[] = [
  [/^\[/, 'a list'],
  [/^\{/, 'an object'],
  [/^-?\d/, 'a number'],
  [/^(?:true|false)/, 'true or false'],
]

function notText({ said, legal }: Signs): string | undefined {
  if (/^\s*\{\s*\}\s*$/.test(said)) return 'its answer has no action: somewhere it returns nothing'
  const value = foundBy(/^\s*\{\s*"action":\s*([^"\s].*)/s, said)
  const kind = KINDS.find(([begins]) => value !== undefined && begins.test(value))?.[1]
  const such = legal[0] === undefined ? '' : `, such as ${JSON.stringify(legal[0])}`
  return kind && `its action is ${kind}, and an action is a text: one of the legal ones as it stands${such}`
}

function pythonDict({ said }: Signs): string | undefined {
  return /^\s*\{\s*'/.test(said)
    ? 'it prints a dict as Python writes it, with single quotes, and JSON has double ones: print(json.dumps({"action": …}), flush=True)'
    : undefined
}

function severalAnswers({ said }: Signs): string | undefined {
  const several = parsed(said) ?? parsed(`[${said.replaceAll(/\}\s*,?\s*\{/g, '},{')}]`)
  return parsed(said) === undefined && Array.isArray(several) && several.length > 1
    ? `${several.length} answers stand on one line: print one for each question, and end it with \\n`
    : undefined
}

/** An object without an action: its action has another name. */
function wrongKey(signs: Signs): string | undefined {
  const { said, legal } = signs
  const answer = parsed(said)
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer) || 'action' in answer) return undefined
  const entries = Object.entries(answer)
  const [key, value] = entries.find(([, each]) => legal.includes(String(each))) ?? entries[0] ?? []
  const action = legal.find((each) => each === value)
  return key && `the key is \`action\`, and not \`${key}\`: ${form(signs, action)}`
}

/** A bot of a kit that prints its action by itself. */
function printsItself({ said, legal, helper }: Signs): string | undefined {
  const action = said.trim()
  if (helper === undefined || !legal.includes(action)) return undefined
  const remedy = helper === 'agon.sh' ? `set action=${action} in choose` : 'return it from choose'
  return `it prints its action, and ${helper} prints the answers: ${remedy}`
}

function bareAnswer(signs: Signs): string | undefined {
  const answer = parsed(signs.said)
  const word = typeof answer === 'string' ? answer : signs.said.trim()
  const meant = signs.legal.find((each) => each.toLowerCase() === word.toLowerCase())
  if (meant !== undefined)
    return `it prints its action alone, and an answer is a line of JSON, an object: ${form(signs, meant)}`
  return Array.isArray(answer) ? `its answer is a list, and should be an object: ${form(signs)}` : undefined
}

/** What begins like an object, and does not go on like one. */
function brokenJson(signs: Signs): string | undefined {
  const said = signs.said.trim()
  if (said === '{') return `its JSON goes over several lines, and an answer is one: ${form(signs)}`
  if (!said.startsWith('{')) return undefined
  try {
    JSON.parse(fromLatin1(said))
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `its JSON is broken (${why}): let a library write it (json.dumps, JSON.stringify), as ${form(signs)}`
  }
}

const ofJson =
  (rule: SymptomRule): SymptomRule =>
  (signs) =>
    signs.fault === 'unparsable' && signs.wire === 'jsonl' ? rule(signs) : undefined

export const SURE_OF_ANSWERS: readonly SymptomRule[] = [
  otherEncoding,
  returnsObject,
  ofJson(holdsNaN),
  nothingReturned,
  almostLegal,
  calledByMeaning,
  ...[notText, pythonDict, severalAnswers, wrongKey, printsItself, bareAnswer, brokenJson].map(ofJson),
]

/** A JSON value, or the beginning of an object; a single word or number is no sign of either. */
function looksLikeJson(text: string): boolean {
  const value = parsed(text)
  return value === undefined ? /^\s*\{\s*["']/.test(text) : typeof value === 'object'
}

const NO_JSON = /JSONDecodeError|not valid JSON|in JSON at|malformed JSON|json\.exception|JSON::ParserError/i

/** A bot of another wire than the one that it plays on. */
export function wrongWire({ fault, isWrong, isNever, wire, said, stderr, texts }: Signs): Wording | undefined {
  const declare = message`${option('wire', 'jsonl')} (in bot.toml: wire = "jsonl")`
  if (wire === 'jsonl') {
    const sources = texts.filter(({ text }) => text !== '')
    const speaksJson = sources.length === 0 || sources.some(({ text }) => /json|\baction\b/i.test(text))
    return fault === 'unparsable' && !speaksJson
      ? message`on this wire an answer is a line of JSON, {"action":"…"}; ${command('wires GAME')} lists the others, to be chosen with ${option('wire')}`
      : undefined
  }
  if (isWrong && looksLikeJson(said)) return message`it answers in JSON, and this wire does not use it: ${declare}`
  const waits = isNever && said === ''
  const parses = waits && texts.some(({ text }) => /json\.loads?\b|JSON\.parse|decode_json|JSON::/.test(text))
  return parses || (fault === 'crash' && NO_JSON.test(stderr))
    ? message`it reads its input as JSON, which this wire does not send: ${declare}`
    : undefined
}

function notLegal({ fault, legal }: Signs): string | undefined {
  const known = legal.slice(0, 12).map((action) => JSON.stringify(action))
  return fault !== 'illegal' || legal.length === 0
    ? undefined
    : `legal was ${known.join(', ')}${legal.length > 12 ? ' …' : ''}`
}

function chatter({ fault, wire, texts, main, stays }: Signs): string | undefined {
  if (fault !== 'unparsable' && !(fault === 'flood' && stays !== undefined)) return undefined
  const debug = LANGUAGES.find(({ bot }) => extname(bot) === extname(main.file))?.debug
  const remedy = `print it to standard error (stderr)${debug === undefined ? '' : `: ${debug}`}`
  if (texts.some(({ text }) => /\binput\(\s*[frbu]*['"]/.test(text)))
    return `standard output is for answers alone, and input(…) prints its prompt there: call input() without one, or ${remedy}`
  const line = wire === 'jsonl' ? ', a line of JSON each, {"action":"…"}' : ''
  return `standard output is for answers alone${line}; where it is anything else (a banner, a debug print), ${remedy}`
}

function silence({ fault, stays, stderr }: Signs): string | undefined {
  if (fault !== 'silent') return undefined
  const telling = tellingLine(stderr)
  if (telling !== undefined)
    return `it printed no answer, and what it wrote to its standard error may say why: ${telling}`
  return stays === undefined ? 'it returned nothing: return the action' : 'it printed no action: print one'
}

export const GUESSES_OF_ANSWERS: readonly SymptomRule[] = [notLegal, chatter, silence]
