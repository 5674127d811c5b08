import { counted, figure } from '../format.js'
import type { Contest } from './facts.js'

/** What is being played of bots that remember, behind the number of matches: those of a series are counted together, at its end. */
export function seriesText({ series }: Pick<Contest, 'series'>): string {
  if (series === undefined) return ''
  const { playing, matches } = series
  return playing === 1
    ? `, and a series of ${figure(matches)} is being played`
    : `, and ${counted(playing, 'series', 'series')} of ${figure(matches)} together are being played`
}
