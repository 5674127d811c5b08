import { type FormatSpec, type Options, type ScoringSpec, type Teams, visible } from '../core/index.js'
import { chance as chanceText } from '../text/numbers.js'
import type { ReportDocument } from './document.js'

/** '57 %', '17–46 %'. No line begins with the sign. */
export const chance = (of: Parameters<typeof chanceText>[0]): string => chanceText(of).replaceAll(' ', '\u00a0')

/** By default two digits after the point, a real minus; what rounds to nothing is 0. */
export function figure(value: number, digits = 2): string {
  return value.toLocaleString('en', { maximumFractionDigits: digits, signDisplay: 'negative' }).replace('-', '−')
}

/** 'Heron – Abacus'. No line begins with the dash. */
export const versus = (names: readonly string[], most = Infinity): string => fewOf(names, most, '\u00a0– ')

/** Microseconds as '840 µs', '3.2 ms', '1.05 s'. */
export function duration(us: number): string {
  if (us < 1000) return `${Math.round(us)} µs`
  if (us < 1_000_000) return `${figure(us / 1000, us < 10_000 ? 2 : us < 100_000 ? 1 : 0)} ms`
  return `${figure(us / 1_000_000)} s`
}

/** A share as a percentage; small ones are not rounded to nothing. No line begins with the sign. */
export function percent(share: number): string {
  const value = share * 100
  if (value > 0 && value < 0.1) return '<\u00a00.1\u00a0%'
  return `${figure(value, value < 10 ? 1 : 0)}\u00a0%`
}

export function counted(n: number, one: string, many = `${one}s`): string {
  return `${figure(n)} ${n === 1 ? one : many}`
}

/** 'Ant, Bee and 7 more'. */
export function fewOf(names: readonly string[], most: number, between = ', '): string {
  const more = names.length > most ? ` and ${figure(names.length - most)} more` : ''
  return `${names.slice(0, most).map(visible).join(between)}${more}`
}

/** '1 a win, 0.5 a draw, 0 a loss'. */
export function pointsText({ by, per, of, points, win, draw, loss }: ScoringSpec): string {
  if (points !== undefined) return `${of === 'total' ? 'sum' : 'mean'} of the points of places: ${points.join(', ')}`
  if (by !== 'score') return `${win} a win, ${draw} a draw, ${loss} a loss`
  return `${of === 'total' ? 'sum' : 'mean'} of the game’s scores${per === 'turn' ? ' a turn' : ''}`
}

export const formatText = ({ kind, repetitions }: FormatSpec): string => `${kind.replaceAll('-', ' ')} × ${repetitions}`

export const optionTexts = (options: Options): readonly (readonly [name: string, value: string])[] =>
  Object.entries(options).map(([name, value]) => [name, Array.isArray(value) ? value.join(' ') : String(value)])

/** 'Nov 27, 2026, 6:05 PM', of ISO 8601. */
export const dateText = (at: string): string =>
  new Date(at).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Seats of one team, by the number of seats; undefined: everyone plays alone. */
export const teamsIn = ({ scoring, format }: Pick<ReportDocument, 'scoring' | 'format'>): Teams | undefined =>
  scoring.teams ?? format.teams

/** 'won', 'drew', 'lost', '1st' of several but not all, such as a team, or '3rd'. */
export function resultWord(places: readonly number[], seat: number): string {
  const place = places[seat] ?? 0
  const first = places.filter((each) => each === 1).length
  if (place === 1 && first === 1) return 'won'
  if (place === 1 && first === places.length) return 'drew'
  if (places.length === 2) return 'lost'
  const ending = place % 100 > 10 && place % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')
  return `${place}${ending}`
}

/** 'Ant wins a card'; of the person, 'you win a card'. */
export function said(name: string | undefined, deed: string): string {
  if (name !== 'you') return `${name} ${deed}`
  const [, verb = '', rest = ''] = /^(\w*)([^]*)$/.exec(deed) ?? []
  return `you ${IRREGULAR.get(verb) ?? verb.replace(/(ss|sh|ch|x)es$|s$/, '$1')}${rest}`
}
const IRREGULAR = new Map([
  ['is', 'are'],
  ['was', 'were'],
  ['has', 'have'],
  ['does', 'do'],
  ['goes', 'go'],
])

/** 'round 2, match 3' of the key '2/Ant-Bee/3', 'playoff 1' of 'playoff-1/Ant-Bee'. Players are named beside it. */
export function matchLabel(key: string): string {
  const [round = '', names, number] = key.split('/')
  if (names === undefined) return visible(key)
  const named = /^\d+$/.test(round) ? `round ${round}` : visible(round.replaceAll('-', ' '))
  return number === undefined ? named : `${named}, match ${visible(number)}`
}
