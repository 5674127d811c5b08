import type { Fault } from './game.js'
import type { Wire } from './wire.js'

/** What a game says of itself to engines that speak UCI. */
export interface UciGame<View> {
  /** What follows the word position: 'startpos moves e2e4 e7e5', 'fen 8/… w - - 0 1'. The view must hold it. */
  readonly position: (view: View) => string
  /** What follows the word go, as 'depth 4'; absent: 'movetime 100'. */
  readonly go?: string
  /** What follows the word setoption: 'name Threads value 1'. */
  readonly options?: readonly string[]
}

/** Universal Chess Interface, actions like 'e7e8q'. A bestmove (none) or 0000 is '0000', illegal if not the game's. */
export function uciWire<View>({ position, go = 'movetime 100', options = [] }: UciGame<View>): Wire<View, string> {
  return {
    transport: 'lines',
    summary: 'the Universal Chess Interface (UCI)',
    anonymous: true,
    limits: { turn: 1000, ready: 10_000 },
    ready: {
      at: 'match',
      within: 'ready',
      input: { lines: ['uci'] },
      expects: 'print uciok',
      ok: ({ out }) => out?.trim() === 'uciok',
    },
    start: () => ({ lines: [...options.map((one) => `setoption ${one}`), 'ucinewgame'] }),
    sync: { input: { lines: ['isready'] }, ok: (line) => line.trim() === 'readyok' },
    ask: (view) => ({ lines: [`position ${position(view)}`, `go ${go}`] }),
    read: ({ out = '' }) => {
      const [word, move] = out.trim().split(/\s+/)
      if (word !== 'bestmove') return undefined
      if (move === undefined) return { fault: 'unparsable', why: 'a bestmove without a move', said: out }
      return move === '(none)' ? '0000' : move
    },
  }
}

/** What a game says of itself to engines that speak GTP. */
export interface GtpGame<View> {
  readonly size: number
  /** Absent: 6.5. */
  readonly komi?: number
  /** All moves so far, in order: ['B', 'D4'], ['W', 'pass']. The view must hold them. */
  readonly moves: (view: View) => readonly (readonly [colour: 'B' | 'W', vertex: string])[]
  /** Whose turn it is. */
  readonly colour: (view: View) => 'B' | 'W'
}

/** The number of the one command whose answer is awaited: others have none. */
const GENMOVE = 1

/**
 * The Go Text Protocol, for actions like 'D4', 'pass', 'resign'. Each question brings the whole game: the referee's
 * position holds.
 */
export function gtpWire<View>({ size, komi = 6.5, moves, colour }: GtpGame<View>): Wire<View, string> {
  return {
    transport: 'lines',
    summary: 'the Go Text Protocol (GTP), version 2',
    anonymous: true,
    limits: { turn: 5000, ready: 10_000 },
    ready: {
      at: 'match',
      within: 'ready',
      input: { lines: ['protocol_version'] },
      expects: 'answer protocol_version',
      ok: ({ out }) => out?.trim() === '= 2',
    },
    ask: (view) => ({
      lines: [
        `boardsize ${size}`,
        'clear_board',
        `komi ${komi}`,
        ...moves(view).map(([who, vertex]) => `play ${who} ${vertex}`),
        `${GENMOVE} genmove ${colour(view)}`,
      ],
    }),
    read: ({ out = '' }) => answerOf(out),
  }
}

/** '=1 D4' is the answer; '= ' and empty lines answer earlier commands. */
function answerOf(out: string): string | Fault | undefined {
  const found = /^([=?])1(?:\s+(.*?))?\s*$/.exec(out)
  if (found === null) return undefined
  const [, sign, text = ''] = found
  if (sign === '?') return { fault: 'unparsable', why: `it refuses: ${text}`, said: out }
  return /^(pass|resign)$/i.test(text) ? text.toLowerCase() : text.toUpperCase()
}
