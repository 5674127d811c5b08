import { type GameDefinition, visible, visibleLines } from '../core/index.js'
import { type MatchEvent, type MatchResult, hostMatch } from '../app/check/match.js'
import { gameNamed } from '../app/look/games.js'
import { outcomeText, seatsText } from '../text/index.js'
import { type MoveTable, boardText, moveTable } from '../app/look/move-table.js'
import { endBotsOnSignals } from './exit.js'
import { GAME, MATCH, contextOf, termsOf } from './options.js'
import { outputColumns, print, printJson } from './terminal.js'
import { flag, verb } from './verb.js'

export const matchCommand = verb({
  takes: [GAME, ['<bots...>', "a house bot's name, a file, or a quoted command; one per seat"]],
  options: {
    ...MATCH,
    boards: flag('show the whole position after every turn'),
    json: flag('the record and what follows from it: moves by turn and seat, faults'),
  },
  help: `
A bot is a house bot's name, a file (script, module, program, C++ class), or a
command in quotes. Each row shows what every seat did, and its figures after the
turn.

Examples:
  agon match samurai "python3 mybot.py" Hedgehog
  agon match gunduel MyPlayer.hpp Storm --seed 7 --option turns=50
  agon match coup ./mybot Ledger --json | jq .faults`,
  async run(given, game: string, bots: string[]) {
    endBotsOnSignals()
    const definition = await gameNamed(game, bots[0])
    const play = (on?: (news: MatchEvent) => void): Promise<MatchResult> =>
      hostMatch(definition, bots, { ...termsOf(definition, given), on }, contextOf())
    if (!given.json) return show(definition, play, given.boards === true)
    const { record, moves, faults } = await play()
    printJson({ ...record, moves, faults })
  },
})

async function show(
  definition: GameDefinition,
  play: (on: (news: MatchEvent) => void) => Promise<MatchResult>,
  boards: boolean,
): Promise<void> {
  let moves: MoveTable | undefined
  let last: unknown
  let seated: readonly string[] = []
  const { record, names, stderr } = await play((news) => {
    if (news.type === 'began') {
      seated = news.names
      moves = moveTable(definition, news.names, news.start, outputColumns())
      print(
        `${visible(definition.title)}: ${seatsText(news.names)}; seed ${visible(news.seed)}\n\n${moves.head()}`.trimEnd(),
      )
    }
    if (news.type === 'again') print(moves?.head().trimEnd() ?? '')
    if (news.type !== 'step') return
    const { number, moves: made, after } = news.step
    last = after
    print(moves?.turn(number, made, after) ?? '')
    if (boards) print(`\n${boardText(definition, after, seated)}\n`)
  })
  if (!boards && definition.board) print(`\n${boardText(definition, last, names)}`)
  print(`\n${outcomeText(names, record.outcome)}`)
  for (const [seat, said] of stderr.entries())
    if (said !== '') print(`\n${visible(names[seat] ?? '')} wrote to its standard error:\n${lastLines(said, 10)}`)
}

function lastLines(text: string, n: number): string {
  const lines = text.split('\n')
  const shown = lines.length > n ? ['…', ...lines.slice(-n)] : lines
  return shown.map((line) => `  ${visibleLines(line)}`).join('\n')
}
