/** What bots say never reaches a terminal as it is: control characters, escapes among them, are shown as \xNN. */
export function visible(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the very characters to be shown
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (c) =>
    c === '\n' ? '\\n' : c === '\t' ? '\\t' : c === '\r' ? '\\r' : `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

/** The same for a text of several lines, whose line ends stay. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** A text of at most that many characters, its end replaced by an ellipsis. */
export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
/** For what is no result: progress, notes, errors. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** '1.2 s', '3 min 05 s', '2 h 10 min'. */
export function duration(ms: number): string {
  const s = Math.round(ms / 1000)
  if (ms < 950) return `${Math.round(ms)} ms`
  if (s < 60) return `${ms < 9950 ? (ms / 1000).toFixed(1) : s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, '0')} s`
  return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, '0')} min`
}
