/** Encodings of text that a program writes without being asked for them. */
const UTF16_MARK = /^(?:\u00FF\u00FE|\u00FE\u00FF)/
const UTF8_MARK = /^(?:\u00EF\u00BB\u00BF|\uFEFF)/

/** What hides in an answer that looks right when it is printed: a byte order mark, UTF-16, a NUL. */
export function encodingOf(said: string): string | undefined {
  if (UTF16_MARK.test(said)) {
    const order = said.startsWith('\u00FF') ? 'UTF-16, little-endian' : 'UTF-16, big-endian'
    return `it writes its answer in ${order}, and agon reads UTF-8: set the encoding of its standard output to UTF-8, without a byte order mark`
  }
  if (UTF8_MARK.test(said))
    return 'its answer begins with a byte order mark (BOM; bytes EF BB BF), which is taken for part of it: write UTF-8 without BOM ("utf-8" in Python, not "utf-8-sig")'
  return said.includes('\0')
    ? 'its answer holds NUL bytes (\\0): it writes UTF-16, where UTF-8 is read, or a buffer together with its closing \\0; write the letters alone'
    : undefined
}

/** The legal action that an answer comes to but for quotes, small letters, or a whole number written as a fraction. */
export function meantBy(said: string, legal: readonly string[]): string | undefined {
  const bare = said.trim().replace(/^["'](.*)["']$/, '$1')
  const whole = bare.replace(/^(-?\d+)\.0*$/, '$1')
  const meant = [bare, whole].flatMap((text) => legal.find((each) => each.toLowerCase() === text.toLowerCase()) ?? [])
  return meant[0] === said.trim() ? undefined : meant[0]
}

/** The lines of a text, once where it is the same block over and over, as of a program that is started for each question. */
export function linesOnce(text: string): string[] {
  const lines = text.split('\n')
  for (let size = 1; size <= lines.length / 2; size++) {
    if (lines.length % size !== 0 || !lines.every((line, at) => line === lines[at % size])) continue
    return [...lines.slice(0, size), `(this ${lines.length / size} times over)`]
  }
  return lines
}
