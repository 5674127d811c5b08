/** A recorded game with one lie in it, and where the lie is. */
export interface Bent {
  readonly game: unknown
  readonly where: string
}

/**
 * Every way to change one thing of a parsed line of a conformance file: a number by one, a letter of a text, a text without its
 * last letter, null, a list without its last part, an object without a part.
 */
export function* bent(value: unknown): Generator<Bent> {
  for (const { part, where } of changes(value, '')) yield { game: part, where }
}

function* changes(value: unknown, where: string): Generator<{ part: unknown; where: string }> {
  if (typeof value === 'number') yield { part: value + 1, where }
  else if (value === null) yield { part: 0, where }
  else if (typeof value === 'string') {
    for (const [k, letter] of [...value].entries()) {
      yield { part: `${value.slice(0, k)}${letter === '1' ? '2' : '1'}${value.slice(k + 1)}`, where: `${where}[${k}]` }
    }
    yield { part: `${value}0`, where: `${where}, longer` }
    if (value !== '') yield { part: value.slice(0, -1), where: `${where}, shorter` }
  } else if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    if (list.length > 0) yield { part: list.slice(0, -1), where: `${where}, one less` }
    for (const [k, each] of list.entries()) {
      for (const change of changes(each, `${where}.${k}`))
        yield { part: list.map((old, i) => (i === k ? change.part : old)), where: change.where }
    }
  } else if (typeof value === 'object') {
    for (const [key, each] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>
      yield { part: rest, where: `${where}, no ${key}` }
      for (const change of changes(each, `${where}.${key}`)) {
        yield { part: { ...value, [key]: change.part }, where: change.where }
      }
    }
  }
}
