import { type Answer, type BotInput, visible } from '../../core/index.js'
import { shorten } from '../../text/index.js'

export function exchangeLines({ inputs, view, answer, limitMs }: Exchange): string[] {
  const { output } = answer
  const sent = inputs.flatMap((input) => [
    ...(input.argv === undefined ? [] : [`sent arguments: ${input.argv.map((word) => quoted(word, 120)).join(' ')}`]),
    ...(input.file === undefined ? [] : [`sent file:      ${quoted(input.file, 300)}`]),
    ...(input.lines ?? []).map((line) => `sent line:      ${visible(shorten(line, 300))}`),
  ])
  const bare = inputs.every(({ argv, lines, file }) => (argv ?? lines ?? file) === undefined)
  const { out, exit, file: left, trouble, why } = output
  const answered = out === undefined ? '(nothing)' : quoted(out, 300)
  return [
    ...(bare ? [`sent view:      ${visible(shorten(JSON.stringify(view), 300))}`] : sent),
    `answered:       ${answered}${exit === undefined ? '' : `, exit code ${exit}`}`,
    ...(left === undefined ? [] : [`left file:      ${quoted(left, 300)}`]),
    ...(trouble === undefined ? [] : [`trouble:        ${trouble}${why ? `: ${visible(why)}` : ''}`]),
    `took:           ${tookText(answer, limitMs)}`,
  ]
}

const quoted = (text: string, columns: number): string => visible(JSON.stringify(shorten(text, columns)))

/** All that a bot was sent up to a question, and what it answered. */
export interface Exchange {
  readonly inputs: readonly BotInput[]
  readonly view: unknown
  readonly answer: Answer
  readonly limitMs?: number
}

/** What an answer took; of one that is later than its limit by the wall, also what it computed and what its limit counts. */
function tookText({ wallUs, cpuUs, chargedUs }: Answer, limitMs = Infinity): string {
  const ms = (us: number): string => `${(us / 1000).toFixed(1)} ms`
  if (wallUs / 1000 <= limitMs || cpuUs === undefined || chargedUs === undefined) return ms(wallUs)
  return `${ms(wallUs)} by the wall; ${ms(cpuUs)} of its own computing; ${ms(chargedUs)} charged`
}
