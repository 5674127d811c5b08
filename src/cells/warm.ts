import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PLACES } from './bubblewrap.js'

/** The warm parent's program, and where a cell has it. */
const WARM = fileURLToPath(new URL('warm/warm.py', import.meta.url))
export const WARM_TOOLS: Readonly<Record<string, string>> = { 'warm.py': WARM }

/** Options of Python that are the warm parent's too. */
const OPTIONS = /^-(u|O|OO|B|E|s|S|I|b|q)$/

/**
 * The command of a warm parent for a bot's command, as its cell has it: for Python with a script. Undefined: each turn is a
 * fresh start.
 */
export function warmCommand(argv: readonly string[]): string[] | undefined {
  const [program = '', ...rest] = argv
  if (!isPython(program)) return undefined
  const script = rest.findIndex((word) => !OPTIONS.test(word))
  if (rest[script] === undefined || rest[script].startsWith('-')) return undefined
  return [program, ...rest.slice(0, script), `${PLACES.tools}/warm.py`, String(script + 1)]
}

/** Python orders sets by a hash that is seeded at its start; a warm parent has but one. So that both modes agree, it is fixed. */
export function interpreterEnvironment(argv: readonly string[]): Record<string, string> {
  return isPython(argv[0] ?? '') ? { PYTHONHASHSEED: '0' } : {}
}

const isPython = (program: string): boolean => /^python3?(\.\d+)?$/.test(basename(program))
