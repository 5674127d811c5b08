import { visibleJson, visibleLines } from '../core/index.js'

/** A result: to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** A result for programs; `indent`: blanks a level, 0: one line. It may hold strangers' words, and be shown on a terminal. */
export function printJson(value: unknown, indent = 2): void {
  print(visibleJson(value, indent))
}

/** No result: progress, notes, errors, to standard error. Users' and strangers' words in it can change no screen. */
export function notify(text: string): void {
  process.stderr.write(`${visibleLines(text)}\n`)
}

/** A note on a new line, if the last has text, such as a terminal's ^C. */
export function notifyBelow(text: string): void {
  notify(process.stderr.isTTY ? `\n${text}` : text)
}

export function outputColumns(): number {
  return process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY
}

/** Whether a terminal can overwrite its last line. */
export function canRewrite(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && process.env['TERM'] !== 'dumb'
}

/** If the reader of our output stops (`agon games | head -1`), agon ends without error. */
export function surviveClosedPipes(): void {
  process.stdout.on('error', (error: Error) => {
    if (!isClosed(error)) throw error
    process.exit()
  })
  process.stderr.on('error', (error: Error) => {
    if (!isClosed(error)) throw error
  })
}

const isClosed = (error: Error): boolean => 'code' in error && (error.code === 'EPIPE' || error.code === 'EIO')

/** A result, for programs or people as asked. */
export function printEither({ json }: { readonly json?: boolean }, document: unknown, text: () => string): void {
  if (json) printJson(document)
  else print(text())
}
