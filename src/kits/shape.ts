/** What values of one place look like, all that were seen together. */
export interface Shape {
  /** 'number', 'string', 'boolean', 'null'. */
  readonly plain: ReadonlySet<string>
  /** What its items look like, where it is a list. */
  readonly items?: Shape
  /** What its parts look like, where it is an object; `missing`: in some of them it is not there. */
  readonly parts?: ReadonlyMap<string, { readonly shape: Shape; readonly missing: boolean }>
}

/** What these values, plain data all, look like. */
export function shapeOf(values: readonly unknown[]): Shape {
  const plain = new Set<string>()
  const lists: (readonly unknown[])[] = []
  const objects: Readonly<Record<string, unknown>>[] = []
  for (const value of values) {
    if (value === null) plain.add('null')
    else if (Array.isArray(value)) lists.push(value)
    else if (typeof value === 'object') objects.push(value as Record<string, unknown>)
    else plain.add(typeof value)
  }
  const keys = [...new Set(objects.flatMap((object) => Object.keys(object)))]
  const parts = keys.map((key) => {
    const owners = objects.filter((object) => Object.hasOwn(object, key))
    return [
      key,
      { shape: shapeOf(owners.map((object) => object[key])), missing: owners.length < objects.length },
    ] as const
  })
  return {
    plain,
    items: lists.length > 0 ? shapeOf(lists.flat()) : undefined,
    parts: objects.length > 0 ? new Map(parts) : undefined,
  }
}

/** A shape as a type of TypeScript, on one line. */
export function typeText({ plain, items, parts }: Shape): string {
  const each = items && typeText(items)
  const types = [
    ...(each === undefined ? [] : [`readonly ${each.includes(' ') && !each.startsWith('{') ? `(${each})` : each}[]`]),
    ...(parts === undefined ? [] : [`{ ${[...parts].map(partText).join('; ')} }`]),
    ...['number', 'string', 'boolean', 'null'].filter((name) => plain.has(name)),
  ]
  return types.length === 0 ? 'unknown' : types.join(' | ')
}

const partText = ([key, { shape, missing }]: readonly [string, { shape: Shape; missing: boolean }]): string =>
  `readonly ${propertyName(key)}${missing ? '?' : ''}: ${typeText(shape)}`

/** A key as it is written in a type. */
export const propertyName = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key))
