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

/** What a reader sees of a name: without characters that show nothing, composed and wide forms as plain ones (NFKC), one blank for many. */
export const lookOf = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
