import { basename, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PLACES } from './bubblewrap.js'

const WARM = fileURLToPath(new URL('warm/warm.py', import.meta.url))
export const WARM_TOOLS: Readonly<Record<string, string>> = { 'warm.py': WARM }

/** Options of Python that are the warm parent's too. */
const OPTIONS = /^-(u|O|OO|B|E|s|S|I|b|q)$/

/** A warm parent's command for a bot's command: Python with a script. Undefined: each turn is a fresh start. */
export function warmCommand(argv: readonly string[]): string[] | undefined {
  const [program = '', ...rest] = argv
  if (!isPython(program) || !isHosts(program)) return undefined
  const script = rest.findIndex((word) => !OPTIONS.test(word))
  if (rest[script] === undefined || rest[script].startsWith('-')) return undefined
  return [program, ...rest.slice(0, script), `${PLACES.tools}/warm.py`, String(script + 1)]
}

/**
 * A warm parent's folder and home: it runs no file of the bot's (usercustomize, *.pth, modules) before a turn's fork.
 */
export const WARM_PLACE = { folder: '/', home: '/nonexistent' } as const

/** Python orders sets by a hash seeded at its start; a warm parent has but one, so it is fixed for both modes. */
export function interpreterEnvironment(argv: readonly string[]): Record<string, string> {
  return isPython(argv[0] ?? '') ? { PYTHONHASHSEED: '0' } : {}
}

/** An interpreter from the bot, or in its reach, would be the bot's program, with what lies beside it (pyvenv.cfg). */
const isHosts = (program: string): boolean =>
  program.startsWith('/') &&
  program === normalize(program) &&
  [PLACES.source, PLACES.tmp, PLACES.game, '/dev', '/proc'].every((place) => !program.startsWith(`${place}/`))

const isPython = (program: string): boolean => /^python3?(\.\d+)?$/.test(basename(program))
