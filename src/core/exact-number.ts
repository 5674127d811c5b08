/** Draws a whole number from 0 to n - 1. */
export type Below = (n: number) => number

/*
 * Decimal numbers as they are written: 0.07 is seven hundredths, which no binary fraction is. So edges and steps are exact.
 */

/** `digits` times ten to the power of `-places`. */
interface Decimal {
  readonly digits: bigint
  readonly places: number
}

/** A number as JSON writes it. */
const NUMBER = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]{1,4}))?$/
/** Characters that a number may have: with more its arithmetic would take long. */
const LONGEST = 400

function decimalOf(text: string): Decimal | undefined {
  const found = text.length > LONGEST ? null : NUMBER.exec(text)
  if (found === null) return undefined
  const [, sign = '', whole = '', part = '', power = '0'] = found
  const places = part.length - Number(power)
  const digits = BigInt(`${sign}${whole}${part}`)
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places }
}

/** Of a number in this program, as it is written; its text is one that JSON could hold. */
const decimal = (value: number): Decimal => decimalOf(String(value)) as Decimal

/** The same numbers with as many places each. */
function aligned(numbers: readonly Decimal[]): readonly bigint[] {
  const places = Math.max(...numbers.map((one) => one.places))
  return numbers.map((one) => one.digits * 10n ** BigInt(places - one.places))
}

/** Whether a text is a number as JSON writes it, from `min` to `max`. */
export function isWithin(text: string, min: number, max: number): boolean {
  const own = decimalOf(text)
  if (own === undefined) return false
  const [value = 0n, least = 0n, most = 0n] = aligned([own, decimal(min), decimal(max)])
  return value >= least && value <= most
}

/** Whether a number is a whole number of steps above `min`. */
export function isExact(text: string, min: number, step: number): boolean {
  const own = decimalOf(text)
  if (own === undefined) return false
  const [value = 0n, least = 0n, each = 1n] = aligned([own, decimal(min), decimal(step)])
  return (value - least) % each === 0n
}

/** Parts that a range without steps is drawn in. */
const PARTS = 10n ** 6n

/** A random number of the range: each step is equally likely. */
export function numberText(
  { min, max, step }: { readonly min: number; readonly max: number; readonly step?: number },
  below: Below,
): string {
  const numbers = aligned([decimal(min), decimal(max), decimal(step ?? 1)])
  const places = Math.max(...[min, max, step ?? 1].map((value) => decimal(value).places))
  const [least = 0n, most = 0n, each = 1n] = numbers
  if (step !== undefined) return textOf(least + each * randomBelow((most - least) / each + 1n, below), places)
  return textOf(least * PARTS + (most - least) * randomBelow(PARTS + 1n, below), places + 6)
}

const WORD = 2 ** 32

/** From 0 to n - 1, of numbers that may be larger than one draw gives. */
function randomBelow(n: bigint, below: Below): bigint {
  if (n <= WORD) return BigInt(below(Number(n)))
  let drawn = 0n
  // Twice as many bits as the range has: what the remainder prefers is less than one in a thousand million.
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
