import { InvalidArgumentError } from 'commander'

/** Reads an option's whole number from `least` on. */
export const countFrom =
  (least: number) =>
  (value: string): number => {
    const n = Number(value)
    if (!Number.isInteger(n) || n < least) throw new InvalidArgumentError(`It must be a whole number from ${least}.`)
    return n
  }

export const count = countFrom(1)

/** The parts of a list with commas, without the blanks around them. */
export const parted = (text: string): string[] => text.split(',').map((part) => part.trim())

/** Reads an option's text, which may not be empty. */
export function words(value: string): string {
  if (value === '') throw new InvalidArgumentError('It must not be empty.')
  return value
}
