/*
 * Bots and people choose these texts, and SQLite's text is not a JavaScript string: what stands behind a NUL would be lost, and half of a
 * surrogate pair would become another character. Their checksum would then call the file damaged. Such a text is stored as JSON behind a
 * mark, all others as they are.
 */

/** A code point that is no character; a text that begins with it is stored as JSON, too. */
const MARK = '\uFDD0'

/** Whether a text column gives this text back. */
const isFit = (text: string): boolean => !text.includes('\0') && !text.startsWith(MARK) && !/\p{Cs}/u.test(text)

/** Any text as a column holds it. */
export const columnOf = (text: string): string => (isFit(text) ? text : MARK + JSON.stringify(text))

/** The text that a column holds. */
export function textOf(column: string): string {
  if (!column.startsWith(MARK)) return column
  try {
    const text: unknown = JSON.parse(column.slice(MARK.length))
    return typeof text === 'string' ? text : column
  } catch {
    // From a version that stored it as it was.
    return column
  }
}
