import { type Answer, type Player, type Question, type Say, visible } from '../core/index.js'
import { shorten } from '../text/index.js'

/** An exchange for a person, a line for each part. */
export function exchangeLines({ said, view, answer }: Exchange): string[] {
  const { heard } = answer
  const sent = said.flatMap((say) => [
    ...(say.argv === undefined ? [] : [`sent arguments: ${say.argv.map((word) => quoted(word, 120)).join(' ')}`]),
    ...(say.file === undefined ? [] : [`sent file:      ${quoted(say.file, 300)}`]),
    ...(say.lines ?? []).map((line) => `sent line:      ${visible(shorten(line, 300))}`),
  ])
  const bare = said.every((say) => say.argv === undefined && say.lines === undefined && say.file === undefined)
  const said2 = heard.out === undefined ? '(nothing)' : quoted(heard.out, 300)
  return [
    ...(bare ? [`sent view:      ${visible(shorten(JSON.stringify(view), 300))}`] : sent),
    `said:           ${said2}${heard.exit === undefined ? '' : `, exit code ${heard.exit}`}`,
    ...(heard.file === undefined ? [] : [`left file:      ${quoted(heard.file, 300)}`]),
    ...(heard.trouble === undefined
      ? []
      : [`trouble:        ${heard.trouble}${heard.why ? `: ${visible(heard.why)}` : ''}`]),
    `took:           ${(answer.wallUs / 1000).toFixed(1)} ms`,
  ]
}

const quoted = (text: string, columns: number): string => visible(JSON.stringify(shorten(text, columns)))

/** All that a bot was sent up to a question, and what it answered. */
interface Exchange {
  readonly said: readonly Say[]
  readonly view: unknown
  readonly answer: Answer
}

/** A bot whose questions and answers are written down. */
export class Watched implements Player {
  readonly exchanges: Exchange[] = []
  gaveUp = false
  private said: Say[] = []

  constructor(private readonly player: Player) {}

  begin(key: string): Promise<void> {
    return this.player.begin(key)
  }
  ready(say: Say | undefined, limit: number): Promise<Answer> {
    return this.player.ready(say, limit)
  }
  tell(say: Say): Promise<void> | void {
    this.said.push(say)
    return this.player.tell(say)
  }
  async ask(question: Question): Promise<Answer> {
    const answer = await this.player.ask(question)
    if (!this.gaveUp) this.exchanges.push({ said: [...this.said, question.say], view: question.view, answer })
    this.said = []
    return answer
  }
  dismiss(): void {
    this.player.dismiss()
  }
  end(): Promise<void> {
    return this.player.end()
  }
  giveUp(): void {
    this.gaveUp = true
    this.player.dismiss()
  }
}
