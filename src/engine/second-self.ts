import type { Answer, Player, PrintedFigure, Question, BotInput } from '../core/index.js'

/** What stands for a match, or a life, in the chance of the second bot of an entrant that meets itself: another than the first's. */
export const secondKey = (key: string): string => `${key}/second`

/** The second bot of an entrant that meets itself. With the first's chance it would do as that does, draw for draw. */
export class SecondSelf implements Player {
  constructor(private readonly player: Player) {}

  begin(key: string): Promise<void> | void {
    return this.player.begin(secondKey(key))
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
}
