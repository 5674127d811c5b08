import { type Wording, command, fromLatin1, message, option } from '../../core/index.js'
import { isWrong, type Symptom } from './symptom.js'

/** What readers of JSON say of something else. */
const NO_JSON = /JSONDecodeError|not valid JSON|in JSON at|malformed JSON|json\.exception|JSON::ParserError/i

/** A bot of another wire than the one that it plays on. */
export function wrongWire({ fault, why, wire, said, stderr, texts }: Symptom): Wording | undefined {
  const declare = message`${option('wire', 'jsonl')} (in bot.toml: wire = "jsonl")`
  if (wire === 'jsonl') {
    const sources = texts.filter(({ text }) => text !== '')
    const speaksJson = sources.length === 0 || sources.some(({ text }) => /json|\baction\b/i.test(text))
    return fault === 'unparsable' && !speaksJson
      ? message`on this wire an answer is a line of JSON, {"action":"…"}; ${command('wires GAME')} lists the others, to be chosen with ${option('wire')}`
      : undefined
  }
  if (isWrong(fault) && looksLikeJson(said))
    return message`it answers in JSON, and this wire does not use it: ${declare}`
  const waits = fault === 'timeout' && said === '' && !why.startsWith('took ')
  const parses = waits && texts.some(({ text }) => /json\.loads?\b|JSON\.parse|decode_json|JSON::/.test(text))
  return parses || (fault === 'crash' && NO_JSON.test(stderr))
    ? message`it reads its input as JSON, which this wire does not send: ${declare}`
    : undefined
}

/** A JSON value, or the beginning of an object; a single word or number is no sign of either. */
function looksLikeJson(text: string): boolean {
  const value = parsed(text)
  return value === undefined ? /^\s*\{\s*["']/.test(text) : typeof value === 'object'
}

/** The value of a line; undefined: it is no JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(fromLatin1(line)) as unknown
  } catch {
    return undefined
  }
}

/** It answered on agon's own wire, and what it said is no answer there. */
const isNoAnswer = ({ fault, wire }: Symptom): boolean => fault === 'unparsable' && wire === 'jsonl'

/** How an answer should look. */
const form = ({ legal }: Symptom, action = legal[0] ?? '…'): string => JSON.stringify({ action })

const KINDS: readonly (readonly [begins: RegExp, kind: string])[] = [
  [/^\[/, 'a list'],
  [/^\{/, 'an object'],
  [/^-?\d/, 'a number'],
  [/^(?:true|false)/, 'true or false'],
]

/** An action that is none, or something else than a text. */
export function notText(symptom: Symptom): string | undefined {
  const { said, legal } = symptom
  if (!isNoAnswer(symptom)) return undefined
  if (/^\s*\{\s*\}\s*$/.test(said)) return 'its answer has no action: somewhere it returns nothing'
  const [, value] = /^\s*\{\s*"action":\s*([^"\s].*)/s.exec(said) ?? []
  const kind = KINDS.find(([begins]) => value !== undefined && begins.test(value))?.[1]
  const such = legal[0] === undefined ? '' : `, such as ${JSON.stringify(legal[0])}`
  return kind && `its action is ${kind}, and an action is a text: one of the legal ones as it stands${such}`
}

/** Numbers that languages print and that JSON does not have. */
const NO_NUMBER = /([:[,]\s*)-?(NaN|Infinity)\b/g

export function holdsNaN(symptom: Symptom): string | undefined {
  const { said } = symptom
  if (!isNoAnswer(symptom) || parsed(said) !== undefined || parsed(said.replace(NO_NUMBER, '$1null')) === undefined)
    return undefined
  const [, , number] = new RegExp(NO_NUMBER.source).exec(said) ?? []
  return (
    number &&
    `its answer holds ${number}, which JSON does not have: leave it out, or write null (json.dumps(…, allow_nan=False) of Python fails where it comes from)`
  )
}

/** What Python prints of a dict. */
export function pythonDict(symptom: Symptom): string | undefined {
  return isNoAnswer(symptom) && /^\s*\{\s*'/.test(symptom.said)
    ? 'it prints a dict as Python writes it, with single quotes, and JSON has double ones: print(json.dumps({"action": …}), flush=True)'
    : undefined
}

export function severalAnswers(symptom: Symptom): string | undefined {
  const { said } = symptom
  if (!isNoAnswer(symptom) || parsed(said) !== undefined) return undefined
  const several = parsed(`[${said.replaceAll(/\}\s*,?\s*\{/g, '},{')}]`)
  return Array.isArray(several) && several.length > 1
    ? `${several.length} answers stand on one line: print one for each question, and end it with \\n`
    : undefined
}

/** An object without an action: its action has another name. */
export function wrongKey(symptom: Symptom): string | undefined {
  const { said, legal } = symptom
  const answer = isNoAnswer(symptom) ? parsed(said) : undefined
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer) || 'action' in answer) return undefined
  const entries = Object.entries(answer)
  const [key, value] = entries.find(([, each]) => legal.includes(String(each))) ?? entries[0] ?? []
  return (
    key &&
    `the key is \`action\`, and not \`${key}\`: ${form(
      symptom,
      legal.find((each) => each === value),
    )}`
  )
}

/** An action alone, or in a list. */
export function bareAnswer(symptom: Symptom): string | undefined {
  const { said, legal } = symptom
  if (!isNoAnswer(symptom)) return undefined
  const answer = parsed(said)
  const word = typeof answer === 'string' ? answer : said.trim()
  const meant = legal.find((each) => each.toLowerCase() === word.toLowerCase())
  if (meant !== undefined)
    return `it prints its action alone, and an answer is a line of JSON, an object: ${form(symptom, meant)}`
  return Array.isArray(answer) ? `its answer is a list, and should be an object: ${form(symptom)}` : undefined
}

/** What begins like an object, and does not go on like one. */
export function brokenJson(symptom: Symptom): string | undefined {
  const said = symptom.said.trim()
  if (!isNoAnswer(symptom) || !said.startsWith('{')) return undefined
  if (said === '{') return `its JSON goes over several lines, and an answer is one: ${form(symptom)}`
  try {
    JSON.parse(fromLatin1(said))
    return undefined
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `its JSON is broken (${why}): let a library write it (json.dumps, JSON.stringify), as ${form(symptom)}`
  }
}
