import { quote } from './explain.js'

/** Why a text cannot be an entrant's name: it stands in keys, file names and tables. */
export function refuseName(name: string): string | undefined {
  const refusals: readonly (readonly [isRefused: boolean, why: string])[] = [
    [lookOf(name) === '', 'is empty'],
    [/\p{Cc}/u.test(name), 'has a control character'],
    [[...name].length > 64, 'is longer than 64 characters'],
    [/[/\\]/.test(name), 'has a slash'],
    [name === '.' || name === '..', 'is a folder'],
    [name !== name.trim(), 'begins or ends with a blank'],
  ]
  const [, why] = refusals.find(([isRefused]) => isRefused) ?? []
  return why && `the name ${quote(name)} ${why}: choose another`
}

/** What a reader sees of a name: without invisible characters, composed and wide forms as plain ones (NFKC), one blank for many. */
export const lookOf = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()

/* Strangers' names stand beside each other in tables: one must not pass for another, nor change how the rest reads. */

/** Letters of other alphabets, each before the Latin one that it looks like. */
const LOOKS =
  'аa еe оo рp сc уy хx іi јj ѕs ԁd һh ӏl ԛq ԝw АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЅS ЈJ ' +
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa οo ρp νv ιi κk ıi ɑa ɡg'
const LATIN = new Map(LOOKS.split(' ').map((pair) => [...pair] as [string, string]))

/** Names whose looks are kept: each that comes in is compared with all there. */
const KEPT = 20_000
const kept = new Map<string, string>()

/** A name by its looks. */
function looks(name: string): string {
  const known = kept.get(name)
  if (known !== undefined) return known
  const latin = Array.from(lookOf(name), (letter) => LATIN.get(letter) ?? letter).join('')
  const look = latin.replace(/\p{Z}+/gu, ' ').trim()
  if (kept.size >= KEPT) kept.clear()
  kept.set(name, look)
  return look
}

/** Whether two names are one to a reader. */
export function alike(one: string, other: string): boolean {
  const [a, b] = [looks(one), looks(other)]
  const drawn = (text: string): string => text.replace(/[I1|]/g, 'l').replace(/0/g, 'O').toLowerCase()
  return a.toLowerCase() === b.toLowerCase() || drawn(a) === drawn(b)
}

/** Why a name can stand in no table; undefined: it can. */
export function unreadable(name: string): string | undefined {
  if (/[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/u.test(name))
    return 'has a character that is not seen, or that turns the direction of writing'
  if (/^[\p{M}\p{Z}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(name)) return 'has nothing that is seen'
  return /\p{M}{5}/u.test(name) ? 'has more marks on a letter than any writing' : undefined
}
