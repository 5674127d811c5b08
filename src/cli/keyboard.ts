import { type Interface, type Key, createInterface, emitKeypressEvents } from 'node:readline'
import {
  type GameDefinition,
  type Legal,
  UserError,
  didYouMean,
  visible,
  visibleLines,
  isLegal,
  listed,
} from '../core/index.js'
import { flagOf } from '../app/flag.js'
import { actionText } from '../app/look/move-table.js'
import { playHelp } from '../app/look/play-help.js'
import { choicesText, typedAction } from '../app/look/typed-action.js'
import { Person } from '../app/person.js'
import { interrupt } from './exit.js'
import { print } from './terminal.js'

/** A person at the keyboard: a key an action if all are one character, else a line. */
export class Keyboard extends Person {
  /** By seat, once they are known. */
  names: readonly string[] = []
  /** Whether single keys are enough. */
  readonly keys: boolean
  private readonly lines: Interface | undefined
  private readonly typed: string[] = []
  private waiting: ((text: string | undefined) => void) | undefined
  private closed = false

  constructor(
    definition: GameDefinition,
    private readonly seat: number,
  ) {
    super(definition)
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

  override async begin(): Promise<void> {
    this.waiting = undefined
    await super.begin()
  }

  dismiss(): void {
    // The verb that plays closes the keyboard.
  }

  protected override moveAgain(action: string): void {
    print(`your move again: ${actionText(this.definition, action)}`)
  }

  /** Rejects with a UserError if the input ends. */
  protected async decide(view: unknown, legal: Legal): Promise<string> {
    const { definition } = this
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
      if (typed !== undefined && 'action' in typed) return typed.action
      words = typed?.words ?? []
      if (typed === undefined && text.trim() !== '')
        print(`${JSON.stringify(visible(text))} is not among them${didYouMean(text, listed(legal))}`)
    }
  }

  leave(): void {
    this.lines?.close()
    if (this.keys) process.stdin.setRawMode(false).off('keypress', this.pressed)
    process.stdin.pause()
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
