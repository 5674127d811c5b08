import type { Convention, SourceText } from '../../core/index.js'
import { type Token, tokensOf } from './cpp.js'

/** Non-virtual members of class Player: nobody overrides these. */
const NOT_VIRTUAL: ReadonlySet<string> = new Set(
  (
    'getAmmo getTurn getHistory getHistoryOpponent getOpponent getAmmoOpponent ' +
    'load bullet plasma metal thermal GetRandomInteger'
  ).split(' '),
)
const TYPES: ReadonlySet<string> = new Set(['class', 'struct', 'union', 'enum'])
const isWord = (text: string | undefined): text is string => text !== undefined && /^[A-Za-z_]\w*$/.test(text)

/** A declaration outside of all else: words up to its body or end, and the body's. */
interface Declared {
  readonly head: readonly Token[]
  /** Absent: it has none. */
  readonly body?: readonly Token[]
}

/** Breaches by a C++ entry of the form in rule 22; the first file is its header. */
export function conventions(files: readonly SourceText[]): readonly Convention[] {
  const name = stemOf(files[0]?.file ?? '')
  const read = files.filter(({ file }) => /\.(?:cpp|cc|cxx|hpp|hh|hxx|h)$/.test(file))
  const declared = read.map(({ file, text }) => ({ file, all: declarationsOf(tokensOf(text)) }))
  const known = declared.some(({ all }) => all.some(({ head }) => nameOfType(head)?.text === name))
  const isEntry = ({ head }: Declared): boolean =>
    known ? nameOfType(head)?.text === name : basesOf(head).some(({ text }) => text === 'Player')
  const found = declared.flatMap(({ file, all }) =>
    all.flatMap((one) => (isEntry(one) ? ofClass(one) : ofGlobal(one)).map(([line, text]) => ({ file, line, text }))),
  )
  const misnamed = files
    .filter(({ file }) => !stemOf(file).startsWith(name))
    .map(({ file }) => ({ file, line: 1, text: `the file's name does not begin with ${name}` }))
  return [...found, ...misnamed]
}

type Warning = readonly [line: number, text: string]

function ofClass({ head, body }: Declared): Warning[] {
  const name = nameOfType(head)
  if (name === undefined || body === undefined) return []
  const warnings: Warning[] = []
  const bases = basesOf(head)
  if (!head.some(({ text }) => text === 'final'))
    warnings.push([name.line, `the class ${name.text} is not declared final`])
  const hidden = bases.some(({ text }) => text === 'private' || text === 'protected')
  if (hidden || (head.some(({ text }) => text === 'class') && !bases.some(({ text }) => text === 'public')))
    warnings.push([name.line, `the class ${name.text} does not inherit Player in public`])
  for (const { head: member } of declarationsOf(body)) {
    const named = declaratorOf(member)
    if (named !== undefined && member[0] !== named && named.isCall && NOT_VIRTUAL.has(named.text))
      warnings.push([named.line, `${named.text} of Player is not virtual and must not be overridden`])
  }
  return warnings
}

/** Announced types, using and static_assert bring nothing; members of classes or namespaces are not global. */
function ofGlobal({ head, body }: Declared): Warning[] {
  const [first] = head
  if (first === undefined || first.text === 'static_assert') return []
  if (first.text === 'using' && !head.some(({ text }) => text === '=')) return []
  const type = nameOfType(head)
  if (type !== undefined) return body === undefined ? [] : [[type.line, `the type ${type.text} is in the global scope`]]
  const named = declaratorOf(head)
  if (named === undefined || named.isMember) return []
  return [[named.line, `${named.text} is ${named.isCall ? 'declared' : 'declared or initialised'} in the global scope`]]
}

/** What stands outside of all braces but nameless namespaces' and extern "C"'s, which are global scope too. */
function declarationsOf(tokens: readonly Token[]): Declared[] {
  const all: Declared[] = []
  let head: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token
    const { text } = token
    if (text === '}' || (head.length <= 1 && text === ':' && isAccess(head[0]?.text))) head = []
    else if (text === ';') {
      if (head.length > 0) all.push({ head })
      head = []
    } else if (text !== '{') head.push(token)
    else if (head.length === 1 && (head[0]?.text === 'namespace' || head[0]?.text === 'extern')) head = []
    else {
      const end = endOfBlock(tokens, at)
      // The declaration goes on behind an initialiser's braces.
      const goesOn = tokens[end + 1]?.text === ',' || tokens[end + 1]?.text === '{'
      if (!goesOn && head[0]?.text !== 'namespace') all.push({ head, body: tokens.slice(at + 1, end) })
      if (!goesOn) head = []
      at = end
    }
  }
  if (head.length > 0) all.push({ head })
  return all
}

const isAccess = (text: string | undefined): boolean => text === 'public' || text === 'protected' || text === 'private'

function endOfBlock(tokens: readonly Token[], from: number): number {
  let depth = 0
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at]?.text === '{') depth++
    else if (tokens[at]?.text === '}' && --depth === 0) return at
  }
  return tokens.length - 1
}

/** The name of the type declared here; undefined: none is. */
function nameOfType(head: readonly Token[]): Token | undefined {
  const at = head.findIndex(({ text }) => TYPES.has(text))
  const before = head.slice(0, Math.max(at, 0))
  if (at < 0 || before.some(({ text }) => text === '(' || text === '=')) {
    if (at < 0 || before[0]?.text !== 'template') return undefined
  }
  const rest = head.slice(at + 1)
  const stop = rest.findIndex(({ text }) => text === ':')
  const named = stop < 0 ? rest : rest.slice(0, stop)
  const words = named.filter(({ text }) => isWord(text) && text !== 'final' && !TYPES.has(text))
  // `struct A b` and `class A f()` declare b and f.
  return named.some(({ text }) => text === '(' || text === '=' || text === '::') || words.length > 1
    ? undefined
    : words[0]
}

/** The words behind the colon of a class. */
function basesOf(head: readonly Token[]): readonly Token[] {
  const colon = head.findIndex(({ text }) => text === ':')
  return colon < 0 || nameOfType(head) === undefined ? [] : head.slice(colon + 1)
}

/** The declared name, whether a parenthesis follows, and whether it is a member. */
function declaratorOf(
  head: readonly Token[],
): (Token & { readonly isCall: boolean; readonly isMember: boolean }) | undefined {
  const found = head.findIndex(({ text }) => text === '(' || text === '=' || text === '[')
  const end = found < 0 ? head.length : found
  let at = end - 1
  while (at >= 0 && !isWord(head[at]?.text)) at--
  const token = head[at]
  if (token === undefined) return undefined
  const isMember = head[at - 1]?.text === '::' || head.slice(0, end).some(({ text }) => text === 'operator')
  return { ...token, isCall: head[found]?.text === '(', isMember }
}

const stemOf = (file: string): string => (file.split(/[\\/]/).at(-1) ?? '').replace(/\.[^.]*$/, '')
