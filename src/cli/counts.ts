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
