/*
 * What agon and a sandbox's launcher call the things in their frames, each named once. `launcher/protocol.h` has the same names for the
 * launcher, and a test holds the two equal; docs/sandbox.md specifies the frames.
 */

/** The framing's version, which the launcher sends in its first frame, and the most bytes that follow a frame's length. */
export const PROTOCOL = { version: 4, maxFrame: 96 * 1024 ** 2 } as const

/** Kinds of requests. */
export const REQUESTS = {
  /** Run a program to its end. */
  turn: 'T',
  /** Start a program that stays. */
  start: 'S',
  /** Start the warm parent. */
  warm: 'I',
  /** End the turn that runs, or the program that stays. */
  kill: 'K',
  /** Watch a question's time. */
  watch: 'W',
  /** The watched question was answered. */
  answered: 'A',
  /** What was stopped because its time was up goes on. */
  continue: 'C',
  /** Stops the program that stays until the next question. */
  suspend: 'Z',
  /** It is asked next: it goes on. */
  wake: 'Y',
  /** Empty all that can be written. */
  fresh: 'F',
  /** List the files of folders. */
  files: 'G',
  /** Make a folder hold these files. */
  put: 'P',
  /** Our ends of the pipes are open. */
  opened: 'O',
  /** Run on one core, with all that runs already. */
  bind: 'B',
  /** Of a spawner: start a program. */
  spawn: 'N',
  /** Of a spawner: send a signal to one. */
  signal: 'Q',
} as const

/** Kinds of answers. */
export const ANSWERS = {
  /** The first, unasked. */
  hello: 'H',
  /** Before it, where a program is to stay: the pipes are there. */
  pipes: 'O',
  /** A turn has ended. */
  result: 'R',
  /** The program that stays was started, or not. */
  started: 'S',
  /** The warm parent is there, or not. */
  warm: 'I',
  /** The program that stays has ended. */
  ended: 'X',
  /** It wrote to standard error. */
  errors: 'E',
  /** The watched question's time is up, and its family stands still. */
  late: 'L',
  /** Measures of a watched question. */
  measures: 'M',
  /** What stood still goes on. */
  awake: 'Y',
  /** The files of folders. */
  files: 'G',
  /** A spawner's: a program runs, or could not be started. */
  spawned: 'N',
  /** A spawner's: it has ended. */
  gone: 'Q',
} as const

/** Flags of a turn's request. */
export const TURN = { wipe: 1, stdin: 2, put: 4, fetch: 8, warm: 16 } as const

/** How a program ended. */
export const END = { exited: 0, signalled: 1, notStarted: 2 } as const

/** Why the launcher ended a program; `busy`: the hard stop came before its own time was up, others had its core. */
export const STOP = { none: 0, time: 1, stdout: 2, stderr: 3, asked: 4, busy: 5 } as const
export type Stop = Exclude<keyof typeof STOP, 'none'>

/** Further bits beside an end: the file could not be written; a SIGKILL may be the family's own; whether it is, is known. */
export const NOTE = { putFailed: 1, family: 2, known: 4 } as const

/** In place of a length: there is nothing; there is more than was asked for. */
export const LENGTH = { none: 0xffffffff, large: 0xfffffffe } as const
