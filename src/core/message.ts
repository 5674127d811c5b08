/** Options that a message may name, by their names in the application. Each door spells them: a flag, a field of a request. */
export const OPTION_NAMES = [
  'admitAnyway',
  'against',
  'budget',
  'by',
  'class',
  'confidence',
  'csv',
  'fresh',
  'game',
  'host',
  'jobs',
  'labels',
  'limit',
  'margin',
  'match',
  'matches',
  'maxFaults',
  'mend',
  'only',
  'option',
  'out',
  'port',
  'quick',
  'resume',
  'seed',
  'store',
  'strictTiming',
  'trust',
  'unsafeNoIsolation',
  'untilSettled',
  'wire',
  'workersOnly',
  'url',
  'workspace',
] as const
export type OptionName = (typeof OPTION_NAMES)[number]

/** An option in a message, with the value that it should have or has. */
export interface Mention {
  readonly option: OptionName
  readonly value?: string | number
}

/** What a reader may do next, in a message: words after `agon` on the command line. */
export interface Command {
  readonly command: string
}

/** How a door writes an option, and what its users may do next. */
export type Spell = (named: Mention | Command) => string

export const option = (name: OptionName, value?: string | number): Mention => ({
  option: name,
  value,
})

/** Names a command in a `message`, as `run CONTEST`. */
export const command = (words: string): Command => ({ command: words })

type Part = string | Mention | Command

const plain: Spell = (named) =>
  'command' in named
    ? `agon ${named.command}`
    : `the option "${named.option}"${named.value === undefined ? '' : ` (${named.value})`}`

/** A text for people that names options and commands: each door writes them as its users do. */
export class Message {
  constructor(readonly parts: readonly Part[]) {}

  /** The text, with each option and each command as the door writes it. */
  spelled(spell: Spell): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : spell(part))).join('')
  }

  /** The same message with another text in place of one of its own. */
  replaceAll(text: string, by: string): Message {
    return new Message(this.parts.map((part) => (typeof part === 'string' ? part.replaceAll(text, by) : part)))
  }

  /** The text for a reader of whom nothing is known: `the option "maxFaults"`, `the option "matches" (8)`, `agon runs`. */
  toString(): string {
    return this.spelled(plain)
  }

  /** In data it is plain text. */
  toJSON(): string {
    return this.toString()
  }
}

/** Wording for people; a `Message` where it names options. */
export type Wording = string | Message

/** A message from a template: message`choose another with ${option('workspace')}`. Texts and other messages may stand in it. */
export function message(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | Mention | Command | Message)[]
): Message {
  return new Message(
    texts.flatMap((text, i) => {
      const value = values[i]
      if (value instanceof Message) return [text, ...value.parts]
      return value === undefined ? [text] : [text, typeof value === 'object' ? value : String(value)]
    }),
  )
}

/** A text with its options as `spell` writes them; without it, as a reader needs it of whom nothing is known. */
export const spelled = (text: Wording, spell: Spell | undefined): string =>
  typeof text === 'string' || spell === undefined ? String(text) : text.spelled(spell)
