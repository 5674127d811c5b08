import { visible } from '../../core/index.js'
import { counted } from '../../text/index.js'

/** How much of a game the matches of a trial have shown a bot. */
export interface Covered {
  readonly matches: number
  readonly questions: number
  /** The last turn in which it was asked, from 1. */
  readonly turns: number
  /** How matches ended, in the game's words. */
  readonly ends: readonly string[]
  /** What kinds of questions it was asked, in the game's words; none where the game names no kinds. */
  readonly kinds: readonly string[]
}

/** Records which actions and views a match shows. */
export interface Seen {
  /** A question: its step, from 0, and its kind. */
  asked(step: number, kind: string | undefined): void
  ended(reason: string): void
}

/** Records what was seen, and how many questions ago something new was. */
export class Coverage {
  questions = 0
  /** Matches since one that showed something new. */
  stale = 0
  private matches = 0
  private turns = 0
  private readonly ends = new Set<string>()
  private readonly kinds = new Set<string>()

  get covered(): Covered {
    const { matches, questions, turns, ends, kinds } = this
    return { matches, questions, turns, ends: [...ends], kinds: [...kinds] }
  }

  /** A match begins. */
  begin(): Seen {
    this.matches++
    this.stale++
    const add = (set: Set<string>, text: string): void => {
      if (!set.has(text)) this.stale = 0
      set.add(text)
    }
    return {
      asked: (step, kind) => {
        this.questions++
        this.turns = Math.max(this.turns, step + 1)
        if (kind !== undefined) add(this.kinds, kind)
      },
      ended: (reason) => add(this.ends, reason),
    }
  }
}

/** What was covered, in a line. */
export function coveredText({ turns, ends, kinds }: Covered): string {
  const parts = [
    counted(turns, 'turn'),
    ...(kinds.length > 0 ? [counted(kinds.length, 'kind of question', 'kinds of questions')] : []),
    `${counted(ends.length, 'end')}${ends.length > 0 ? ` (${ends.map(visible).join(', ')})` : ''}`,
  ]
  return `covered: ${parts.join(', ')}`
}
