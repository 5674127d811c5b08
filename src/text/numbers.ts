import type { OneSided } from '../core/index.js'

/** Points, scores and tallies: '12.5', '3', '0.0125'; three decimals, or as many digits of small ones; '' for none. */
export function number(value: number | null): string {
  if (value === null) return ''
  // Very great numbers have no decimals, and three more digits might exceed a number.
  if (Math.abs(value) >= 1e12) return String(value)
  return String(Math.abs(value) < 0.1 ? Number(value.toPrecision(3)) : Math.round(value * 1000) / 1000)
}

/** A share as per cent: '57 %', '99.8 %', '0 %', '< 0.1 %': 0 % is none, and 100 % all. */
export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return '< 0.1 %'
  if (share > 0.9995 && share < 1) return '> 99.9 %'
  const text = (100 * share).toFixed(share > 0.995 || share < 0.005 ? 1 : 0)
  return `${text.replace(/\.0$/, '')} %`
}

/** A probability or its bounds: '57 %', '17–46 %', '< 1 %', '> 99 %': no estimate is certain. */
export function chance(of: number | readonly [low: number, high: number]): string {
  if (typeof of !== 'number') return `${chance(of[0]).slice(0, -2)}–${chance(of[1])}`
  return of < 0.01 ? '< 1 %' : of > 0.99 ? '> 99 %' : `${Math.round(100 * of)} %`
}

/** 'Ant', 'Ant and Bee', 'Ant, Bee and Cat'. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`
}

/** Why a table calls no order sure: results decided who met whom, few scores carry the variance, or seats decide. */
export type Doubt = 'unlike' | 'rare' | 'seats'

export const DOUBTS: Readonly<Record<Doubt, string>> = {
  unlike:
    'Results decide whom an entrant meets in this format, so means are against unlike opponents. They cannot be compared, and no probability of a first place is given.',
  rare: 'Few scores carry nearly all of the variance: how many of them came up is chance, so no order is called sure. A game that says between which numbers its scores lie has intervals all the same.',
  seats:
    'Sitting first decides more than chance explains, and seats are not swapped: strength and seat cannot be told apart, and no order is called sure.',
}

type PlacesBy = Readonly<Partial<Record<'again' | 'byStrength' | 'scores', true>>>

export function placesNote({ again, byStrength, scores }: PlacesBy): string {
  if (again)
    return 'First place and ranks are how often the contest would come out so if the same entrants held it again, by its own rules.'
  const what = byStrength ? 'strength' : scores ? 'mean score' : 'points'
  return `First place and ranks are those by the true ${what} of the entrants, as far as the matches tell.`
}

/** The heading of half an interval. */
const HALF = '±'

/** A cell beside the points; for an endless ± what is known instead: 'below 1320'. */
export const tableCell = (head: string, cell: number | null, bound: OneSided | undefined, text = number): string =>
  cell === null && bound !== undefined && head === HALF ? boundText(bound) : text(cell)

/** 'below 1320', 'above −40'. */
export const boundText = (bound: OneSided): string =>
  'below' in bound ? `below ${minus(String(bound.below))}` : `above ${minus(String(bound.above))}`

/** A whole number with sign: '+12', '−7', '0'; without a bound '+∞' or '−∞'. */
export function signed(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '' : value > 0 ? '+∞' : '−∞'
  const whole = Math.round(value)
  return whole > 0 ? `+${whole}` : minus(String(whole))
}

/** A number's text with a minus instead of a hyphen. */
export const minus = (text: string): string => text.replace('-', '−')

/** '1 match', '3 matches'. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`
}

/** Bytes in the largest unit that gives a whole number: '1 GiB', '16 MiB', '1000 bytes'. */
export function byteText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB']
  const unit = [3, 2, 1].find((power) => bytes > 0 && bytes % 1024 ** power === 0) ?? 0
  return `${bytes / 1024 ** unit} ${units[unit]}`
}

/** Milliseconds as people say them: '1.2 s', '3 min 05 s', '2 h 10 min'. */
export function duration(ms: number): string {
  const s = Math.round(ms / 1000)
  if (ms < 950) return `${Math.round(ms)} ms`
  if (s < 60) return `${ms < 9950 ? (ms / 1000).toFixed(1) : s} s`
  if (s < 3600) return `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, '0')} s`
  return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, '0')} min`
}
