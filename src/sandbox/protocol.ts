/* The names in frames (docs/sandbox.md). `launcher/protocol.h` says what each is; a test holds the two equal. */

/** The framing's version, in the launcher's first frame, and the most bytes after a frame's length. */
export const PROTOCOL = { version: 6, maxFrame: 96 * 1024 ** 2 } as const

/** Kinds of requests; the last two are a spawner's. */
export const REQUESTS = {
  turn: 'T',
  start: 'S',
  warm: 'I',
  kill: 'K',
  watch: 'W',
  answered: 'A',
  continue: 'C',
  suspend: 'Z',
  wake: 'Y',
  fresh: 'F',
  files: 'G',
  put: 'P',
  opened: 'O',
  bind: 'B',
  spawn: 'N',
  signal: 'Q',
} as const

/** Kinds of answers to what was asked, in that order. */
export const REPLIES = { hello: 'H', result: 'R', started: 'S', warm: 'I', awake: 'Y', files: 'G' } as const

/** Kinds of answers; the last two are a spawner's. */
export const ANSWERS = {
  ...REPLIES,
  pipes: 'O',
  ended: 'X',
  errors: 'E',
  late: 'L',
  measures: 'M',
  spawned: 'N',
  gone: 'Q',
} as const

export const TURN = { wipe: 1, stdin: 2, put: 4, fetch: 8, warm: 16 } as const

export const END = { exited: 0, signalled: 1, notStarted: 2 } as const

/** Why the launcher ended a program; `busy`: the hard stop came first, as others had its core. */
export const STOP = { none: 0, time: 1, stdout: 2, stderr: 3, asked: 4, busy: 5 } as const
export type Stop = Exclude<keyof typeof STOP, 'none'>

/** Further bits beside an end: a SIGKILL may be the family's own; whether it is, is known. */
export const NOTE = { family: 1, known: 2 } as const

/** In place of a length: there is nothing; there is more than was asked for. */
export const LENGTH = { none: 0xffffffff, large: 0xfffffffe } as const
