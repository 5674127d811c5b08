import { visible } from '../core/index.js'

/** A text of several lines without what could change a screen; its line ends stay. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
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
