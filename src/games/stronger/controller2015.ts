import type { Fault, Seat } from '../../core/index.js'

/** What one bot's turn comes to. */
export interface Deed {
  /** Power it costs. */
  readonly cost: 0 | 1
  readonly last: string
  readonly said?: string
  readonly target?: Seat
  /** Loses all its life before it is struck. */
  readonly dies?: true
}

/** What the controller of 2015 shows of a bot without output. */
const NO_LINE = 'Exception: No line found'

/** What no legal action means to it (rules 6.1–6.5): it shows the text (`said`), unless that names a bot. */
export function whatIn2015(fault: Fault, seats: number): Deed {
  if (fault.fault === 'timeout' || fault.said === 'T') return { cost: 1, last: 'X', said: 'T', dies: true }
  const shown = fault.said === undefined ? NO_LINE : trim(fault.said)
  const [, stranger, number] = (fault.fault === 'illegal' && /^(#?)([+-]?\d+)$/.exec(shown)) || []
  if (number === undefined) return { cost: 1, last: 'X', said: shown }
  const seat = Number(number)
  if (stranger === '' && seat >= 0 && seat < seats) return { cost: 1, last: String(seat) }
  return { cost: 0, last: 'X', said: number }
}

/** Without blanks and control characters at the ends. */
export function trim(text: string): string {
  let [start, end] = [0, text.length]
  // No regular expression: it looks for the end from every blank on, in the square of their number.
  while (start < end && text.charCodeAt(start) <= BLANK) start++
  while (start < end && text.charCodeAt(end - 1) <= BLANK) end--
  return text.slice(start, end)
}
const BLANK = 0x20
