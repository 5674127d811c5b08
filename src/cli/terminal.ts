import { visibleJson, visibleLines } from '../core/index.js'

/** A result: to standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** A result for programs; `indent`: blanks for each level, 0: one line. It may hold what strangers wrote, and be shown on a terminal. */
export function printJson(value: unknown, indent = 2): void {
  print(visibleJson(value, indent))
}

/** What is no result: progress, notes, errors. To standard error. It may name what users and strangers wrote, so it can change no screen. */
export function notify(text: string): void {
  process.stderr.write(`${visibleLines(text)}\n`)
}

/** A note on a new line, where the last line has text already, such as the ^C that a terminal shows. */
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

/** The reader of our output may stop (`agon games | head -1`): then agon ends, and that is no error. */
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

/** A result, for programs or for people, as its user wishes. */
export function printEither({ json }: { readonly json?: boolean }, document: unknown, text: () => string): void {
  if (json) printJson(document)
  else print(text())
}
