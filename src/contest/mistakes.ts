import { UserError } from '../core/index.js'

const MOST = 20

export class FileMistake extends UserError {
  constructor(
    readonly file: string,
    /** From 1. */
    readonly line: number,
    message: string,
  ) {
    super(`${file}:${line}: ${message}`)
  }
}

/** What is wrong with a file, gathered so all of it is reported at once. */
export class Mistakes {
  private readonly found: UserError[] = []

  get none(): boolean {
    return this.found.length === 0
  }

  add(mistake: UserError): void {
    this.found.push(...(mistake instanceof SeveralMistakes ? mistake.mistakes : [mistake]))
  }

  /** What the work gives; undefined: it threw a UserError, which is kept. Throws whatever else it throws. */
  try<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      return this.keep(error)
    }
  }

  /** Keeps a UserError. Throws whatever else it is. */
  keep(error: unknown): undefined {
    if (!(error instanceof UserError)) throw error
    this.add(error)
  }

  /** All that was found, as one; there is some. */
  all(): UserError {
    return severalMistakes(this.found)
  }
}

/** A UserError of all these, at least one: a line each, those of one file in the order of its lines. */
export function severalMistakes(mistakes: readonly UserError[]): UserError {
  const [first] = mistakes
  if (first !== undefined && mistakes.length === 1) return first
  const sorted = [...mistakes].sort((a, b) =>
    a instanceof FileMistake && b instanceof FileMistake && a.file === b.file ? a.line - b.line : 0,
  )
  const lines = [...new Set(sorted.flatMap(({ message }) => message.split('\n')))]
  const more = lines.length - MOST
  return new SeveralMistakes(sorted, [...lines.slice(0, MOST), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'))
}

/** Some of these, as one. */
export class SeveralMistakes extends UserError {
  constructor(
    readonly mistakes: readonly UserError[],
    text: string,
  ) {
    super(text)
  }
}
