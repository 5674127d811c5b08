import type { AnyWire } from '../core/index.js'
import { safely } from './line-wait.js'

/** The questions that a process was late with and may answer yet, in their order. */
export class GivenUp {
  private readonly numbers: number[] = []

  constructor(private readonly wire: Pick<AnyWire, 'numberOf' | 'sync'>) {}

  get any(): boolean {
    return this.numbers.length > 0
  }

  add(number: number): void {
    // Such a wire tells by itself where the answers to what came before end.
    if (this.wire.sync === undefined) this.numbers.push(number)
  }

  clear(): void {
    this.numbers.length = 0
  }

  /** Whether a line answers one of them: the one whose number it says, or else the oldest. `open`: the question that is asked now. */
  takes(line: string, open?: number): boolean {
    if (!this.any) return false
    const number = safely(() => this.wire.numberOf?.(line))
    if (number === undefined) return this.numbers.shift() !== undefined
    const at = this.numbers.indexOf(number)
    // Who answers a later one has passed those before it over.
    this.numbers.splice(0, at < 0 && number === open ? Infinity : at + 1)
    return at >= 0
  }
}
