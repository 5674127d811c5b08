import type { Answer, Player, PrintedFigure, Question } from './player.js'
import type { BotInput } from './wire.js'

/** Passes everything on to another player; subclasses change some. */
export class PassingPlayer implements Player {
  constructor(protected readonly player: Player) {}

  begin(key: string): Promise<void> | void {
    return this.player.begin(key)
  }
  ready(input: BotInput | undefined, limit: number): Promise<Answer> {
    return this.player.ready(input, limit)
  }
  send(input: BotInput): Promise<void> | void {
    return this.player.send(input)
  }
  ask(question: Question): Promise<Answer> | Answer {
    return this.player.ask(question)
  }
  dismiss(): void {
    this.player.dismiss()
  }
  end(): Promise<void> | void {
    return this.player.end()
  }
  figures(): readonly PrintedFigure[] {
    return this.player.figures?.() ?? []
  }
  surplusLines(): number {
    return this.player.surplusLines?.() ?? 0
  }
}
