import { type Interface, type Key, createInterface, emitKeypressEvents } from 'node:readline'
import {
  type Answer,
  type GameDefinition,
  type Player,
  type Question,
  UserError,
  didYouMean,
  visible,
  visibleLines,
  isLegal,
  listed,
} from '../core/index.js'
import { playHelp } from '../app/look/play-help.js'
import { interrupt } from './exit.js'
import { flagOf } from '../app/flag.js'
import { actionText } from '../app/look/move-table.js'
import { choicesText, typedAction } from '../app/look/typed-action.js'
import { print } from './terminal.js'

/** A move, and the view that it was made on, as JSON. */
interface Made {
  readonly seen: string
  readonly action: string
}

/**
 * A person at the keyboard: a key an action where every action is one character, else a line. There is no hurry. Where a match is void
 * and played again, the moves that were made are made again for as long as what is seen is the same.
 */
export class Person implements Player {
  /** By seat, once they are known. */
  names: readonly string[] = []
  /** Whether single keys are enough. */
  readonly keys: boolean
  private readonly lines: Interface | undefined
  private readonly typed: string[] = []
  private waiting: ((text: string | undefined) => void) | undefined
  private closed = false
  /** The moves of this match, and those of the void match before it that are still to be made again. */
  private made: Made[] = []
  private before: Made[] = []

  constructor(
    private readonly definition: GameDefinition,
    private readonly seat: number,
  ) {
    const actions = Object.keys(definition.actions ?? {})
    this.keys = process.stdin.isTTY && actions.length > 0 && actions.every((action) => action.length === 1)
    if (this.keys) {
      emitKeypressEvents(process.stdin)
      process.stdin.setRawMode(true).on('keypress', this.pressed).on('end', this.ended)
    } else {
      this.lines = createInterface({ input: process.stdin, output: process.stdout, terminal: process.stdin.isTTY })
      this.lines
        .on('line', (line) => this.received(line))
        .on('close', this.ended)
        .on('SIGINT', () => interrupt(GIVEN_UP))
    }
  }

  async begin(): Promise<void> {
    this.waiting = undefined
    this.before = [...this.made, ...this.before]
    this.made = []
  }
  async ready(): Promise<Answer> {
    return { output: {}, wallUs: 0 }
  }
  send(): void {
    // The next question shows all.
  }
  dismiss(): void {
    // The verb that plays closes the keyboard.
  }
  async end(): Promise<void> {
    // Nor here: the match may be void.
  }

  /** Rejects with a UserError where the input ends. */
  async ask({ view, legal: legalOf }: Question): Promise<Answer> {
    const began = performance.now()
    const { definition } = this
    const legal = legalOf?.(view) ?? definition.game.legal(view)
    const seen = JSON.stringify(view)
    const again = this.before.shift()
    if (again?.seen === seen) {
      print(`your move again: ${actionText(definition, again.action)}`)
      return this.moved(again, began)
    }
    this.before = []
    print(definition.text ? visibleLines(definition.text(view, this.seat)) : visible(JSON.stringify(view)))
    let words: readonly string[] = []
    for (;;) {
      const shown = choicesText(legal, this.names, (action) => actionText(definition, action))
      print(words.length === 0 ? `your move (? helps): ${shown}` : `so far ${words.join(' ')}: and?`)
      const text = await this.next()
      if (text === undefined) throw new UserError('the input ended before the match did: the match is abandoned')
      if (text.trim() === '?' && !isLegal(legal, '?')) {
        print(playHelp(definition, view, legal, flagOf))
        continue
      }
      const typed = typedAction(text, legal, definition.actions, words)
      if (typed !== undefined && 'action' in typed) return this.moved({ seen, action: typed.action }, began)
      words = typed?.words ?? []
      if (typed === undefined && text.trim() !== '')
        print(`${JSON.stringify(visible(text))} is not among them${didYouMean(text, listed(legal))}`)
    }
  }

  /** Lets go of the keyboard. */
  leave(): void {
    this.lines?.close()
    if (this.keys) process.stdin.setRawMode(false).off('keypress', this.pressed)
    process.stdin.pause()
  }

  private moved(move: Made, began: number): Answer {
    this.made.push(move)
    return { output: { out: move.action }, wallUs: (performance.now() - began) * 1000, thoughtUs: 0 }
  }

  private readonly pressed = (text: string | undefined, key: Key): void => {
    if (key.ctrl && (key.name === 'c' || key.name === 'd')) interrupt(GIVEN_UP)
    if (text !== undefined) this.received(text)
  }

  private readonly ended = (): void => {
    this.closed = true
    this.waiting?.(undefined)
  }

  private received(text: string): void {
    const { waiting } = this
    this.waiting = undefined
    if (waiting) waiting(text)
    else this.typed.push(text)
  }

  /** What is typed next; undefined: the input has ended. */
  private async next(): Promise<string | undefined> {
    const before = this.typed.shift()
    if (before !== undefined || this.closed) return before
    return new Promise((done) => {
      this.waiting = done
    })
  }
}

const GIVEN_UP = 'interrupted: the match is abandoned'
