/** Draws a whole number from 0 to n - 1. */
export type Below = (n: number) => number

/* Decimal numbers as written: 0.07 is seven hundredths, which no binary fraction is. So edges and steps are exact. */

/** A number as JSON writes it. */
const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]{1,4}))?$/
/** Characters of a number at most: longer arithmetic takes long. */
const LONGEST = 400

/** Numbers as whole ones, times ten to the power of `places`; undefined: a text is no number. */
function wholes(
  numbers: readonly (string | number)[],
): { readonly values: readonly bigint[]; readonly places: number } | undefined {
  const found = numbers.flatMap((one) => (String(one).length > LONGEST ? [] : [NUMBER.exec(String(one)) ?? []]))
  if (found.length < numbers.length || found.some(({ length }) => length === 0)) return undefined
  const parts = found.map(([, sign = '', whole = '', part = '', power = '0']) => ({
    digits: BigInt(`${sign}${whole}${part}`),
    places: part.length - Number(power),
  }))
  const places = Math.max(0, ...parts.map((one) => one.places))
  return { values: parts.map((one) => one.digits * 10n ** BigInt(places - one.places)), places }
}

/** Whether a text is a JSON number from `min` to `max`. */
export function isWithin(text: string, min: number, max: number): boolean {
  const [value, least = 0n, most = 0n] = wholes([text, min, max])?.values ?? []
  return value !== undefined && value >= least && value <= most
}

/** Whether a number is a whole number of steps above `min`. */
export function isExact(text: string, min: number, step: number): boolean {
  const [value, least = 0n, each = 1n] = wholes([text, min, step])?.values ?? []
  return value !== undefined && (value - least) % each === 0n
}

/** Parts that a range without steps is drawn in. */
const PARTS = 10n ** 6n

/** A random number of the range: each step is equally likely. */
export function numberText(
  { min, max, step }: { readonly min: number; readonly max: number; readonly step?: number },
  below: Below,
): string {
  const { values = [], places = 0 } = wholes([min, max, step ?? 1]) ?? {}
  const [least = 0n, most = 0n, each = 1n] = values
  if (step !== undefined) return textOf(least + each * randomBelow((most - least) / each + 1n, below), places)
  return textOf(least * PARTS + (most - least) * randomBelow(PARTS + 1n, below), places + 6)
}

const WORD = 2 ** 32

/** From 0 to n - 1, where n may exceed one draw. */
function randomBelow(n: bigint, below: Below): bigint {
  if (n <= WORD) return BigInt(below(Number(n)))
  let drawn = 0n
  // Twice the range's bits: the remainder's bias is below one in a thousand million.
  for (let range = 1n; range < n * BigInt(WORD); range *= BigInt(WORD))
    drawn = drawn * BigInt(WORD) + BigInt(below(WORD))
  return drawn % n
}

function textOf(digits: bigint, places: number): string {
  const sign = digits < 0n ? '-' : ''
  const text = String(digits < 0n ? -digits : digits).padStart(places + 1, '0')
  const part = text.slice(text.length - places).replace(/0+$/, '')
  const whole = text.slice(0, text.length - places)
  const number = part === '' ? whole : `${whole}.${part}`
  return number === '0' ? '0' : sign + number
}
