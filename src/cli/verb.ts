import { type Command, InvalidArgumentError, Option } from 'commander'
import { flagNamed } from '../app/flag.js'

/** An option of a verb, which gives a `T`. */
export interface Opt<T> {
  /** As help shows its value: `<n>`; absent: it has none. */
  readonly value?: string
  readonly text: string
  read?(text: string, before?: T): T
  readonly usual?: T
  readonly choices?: readonly string[]
  readonly isRequired?: boolean
  readonly isOff?: boolean
}
type Opts = Readonly<Record<string, Opt<unknown>>>

/** A verb's option values by name. */
export type Given<O> = { readonly [K in keyof O]: O[K] extends Opt<infer T> ? T : never }

export const flag = (text: string): Opt<true | undefined> => ({ text })

/** An option that takes a value, read by `read`; without `usual` it may be absent. */
export function value(value: string, text: string): Opt<string | undefined>
export function value<T>(value: string, text: string, read: (text: string, before?: T) => T): Opt<T | undefined>
export function value<T>(value: string, text: string, read: (text: string, before?: T) => T, usual: T): Opt<T>
export function value<T>(what: string, text: string, read?: Opt<T>['read'], usual?: T): Opt<T> {
  return { value: what, text, read, usual }
}

export const required = (what: string, text: string, read?: (text: string) => string): Opt<string> => ({
  value: what,
  text,
  read,
  isRequired: true,
})

interface Verb<O extends Opts, A extends readonly unknown[]> {
  /** As commander takes each: `<game>`, what it is, and its default. */
  readonly takes?: readonly (readonly [name: string, text: string, usual?: string])[]
  readonly options?: O
  /** Shown behind the options. */
  readonly help?: string
  /** Does it, with options and arguments. */
  readonly run: (given: Given<O>, ...words: A) => unknown
}

/** Adds a verb's arguments and options to its command. */
export const verb =
  <O extends Opts, A extends readonly unknown[]>({ takes = [], options, help, run }: Verb<O, A>) =>
  (command: Command): void => {
    for (const [name, text, usual] of takes) command.argument(name, text, usual)
    for (const [name, opt] of Object.entries<Opt<unknown>>(options ?? {})) {
      const flags = `${flagNamed(name).replace('--', opt.isOff ? '--no-' : '--')} ${opt.value ?? ''}`.trim()
      const option = new Option(flags, opt.text).makeOptionMandatory(opt.isRequired ?? false)
      if (opt.choices !== undefined) option.choices(opt.choices)
      else if (opt.read !== undefined) option.argParser((text, before) => opt.read?.(text, before))
      if (opt.usual !== undefined) option.default(opt.usual)
      command.addOption(option)
    }
    if (help !== undefined) command.addHelpText('after', help)
    command.action(async (...all: unknown[]) => {
      const words = all.slice(0, takes.length) as unknown as A
      await run(all[takes.length] as Given<O>, ...words)
    })
  }

export const numberIf =
  (isTaken: (n: number) => boolean, must: string) =>
  (text: string): number => {
    const n = text.trim() === '' ? NaN : Number(text)
    if (!isTaken(n)) throw new InvalidArgumentError(`It must be ${must}.`)
    return n
  }

/** Reads a whole number from `least` on. */
export const countFrom = (least: number) =>
  numberIf((n) => Number.isInteger(n) && n >= least, `a whole number from ${least}`)

export const count = countFrom(1)

/** A comma-separated list's parts, trimmed. */
export const parted = (text: string): string[] => text.split(',').map((part) => part.trim())

/** Collects the values of a repeatable option. */
export const append = (text: string, before: readonly string[] = []): readonly string[] => [...before, text]

/** Reads a text, which may not be empty. */
export function words(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.')
  return text
}
