/** What a thread that asks a program shares with the thread that keeps it: numbers, then a text about its end. */
export const MARKS = { state: 0, pid: 1, question: 2, length: 3 } as const
export const STATES = { starts: 0, runs: 1, ended: 2 } as const
/** Where the text begins, in bytes, and how long it may be: of a character of JSON there may be six. */
export const TEXT_AT = 64
export const TEXT_BYTES = 64 * 1024

export interface ProgramStart {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Descriptors of this process. */
  readonly input: number
  readonly output: number
  /** Further ones, for the program's descriptors from `firstData` on. */
  readonly data: readonly number[]
  readonly firstData: number
  /** What an answer may take. */
  readonly limitMs: number
  readonly marks: SharedArrayBuffer
}
