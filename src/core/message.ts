/** Options in messages, by the application's names. Each door spells them: a flag, a field of a request. */
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

/** An option in a message, with its value. */
export interface Mention {
  readonly option: OptionName
  readonly value?: string | number
}

/** What a reader may do next: words after `agon` on the command line. */
export interface Command {
  readonly command: string
}

/** How a door writes an option, and what users may do next. */
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

/** A text for people with options and commands, which each door writes as its users do. */
export class Message {
  constructor(readonly parts: readonly Part[]) {}

  /** The text, with options and commands as the door writes them. */
  spelled(spell: Spell): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : spell(part))).join('')
  }

  /** The message with another text for one of its own. */
  replaceAll(text: string, by: string): Message {
    return new Message(this.parts.map((part) => (typeof part === 'string' ? part.replaceAll(text, by) : part)))
  }

  /** For an unknown reader: `the option "maxFaults"`, `the option "matches" (8)`, `agon runs`. */
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

/** From a template: message`choose another with ${option('workspace')}`. Texts and other messages may stand in it. */
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

/** A text with options as `spell` writes them; without it, for an unknown reader. */
export const spelled = (text: Wording, spell: Spell | undefined): string =>
  typeof text === 'string' || spell === undefined ? String(text) : text.spelled(spell)
