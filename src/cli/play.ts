import { type GameDefinition, UserError, visible } from '../core/index.js'
import { type ExtraPlayer, type MatchEvent, hostMatch } from '../app/check/match.js'
import { gameNamed } from '../app/look/games.js'
import type { MatchTerms } from '../app/match-host.js'
import { outcomeText, seatsText } from '../text/index.js'
import { type MoveTable, boardText, moveTable } from '../app/look/move-table.js'
import { Keyboard } from './keyboard.js'
import { endBotsOnSignals } from './exit.js'
import { GAME, MATCH, contextOf, termsOf } from './options.js'
import { outputColumns, print } from './terminal.js'
import { append, value, verb } from './verb.js'

export const playCommand = verb({
  takes: [GAME],
  options: {
    against: value('<bot>', "a house bot's name, a file or a quoted command; once for each opponent", append),
    ...MATCH,
  },
  help: `
On a terminal one key is enough if every action is one character, as in the gun
duel: 0 load, 1 bullet, 2 plasma, - metal, = thermal. Otherwise type an action, or
its meaning, and Enter; small letters do, and an action of several words, such as the
lords of negotiate, may be typed word by word, in any order. You have no time limit.

Examples:
  agon play gunduel --against Storm
  agon play stronger --against Grudge --against "python3 mybot.py"`,
  async run(given, game: string) {
    endBotsOnSignals()
    const definition = await gameNamed(game)
    const { against } = given
    if (against === undefined)
      throw new UserError("against whom? give --against BOT: a house bot's name, a file or a quoted command")
    await play(definition, against, termsOf(definition, given))
  },
})

async function play(definition: GameDefinition, against: readonly string[], terms: MatchTerms): Promise<void> {
  let you: Keyboard | undefined
  const guest: ExtraPlayer = { name: 'you', sit: (seat) => (you = new Keyboard(definition, seat)) }
  let moves: MoveTable | undefined
  let last: unknown
  try {
    const on = (news: MatchEvent): void => {
      if (news.type === 'began') {
        if (you !== undefined) you.names = news.names.map(visible)
        moves = moveTable(definition, news.names, news.start, outputColumns())
        const how = you?.keys ? 'a key for each action' : 'type an action and Enter'
        print(`${visible(definition.title)}: ${seatsText(news.names)}; ${how}, Ctrl-C ends\n`)
      }
      if (news.type !== 'step') return
      const { number, moves: made, after } = news.step
      last = after
      // What a player may not know, the next view does not show either.
      print(definition.open ? `\n${moves?.head()}\n${moves?.turn(number, made, after)}\n` : '')
    }
    const { names, record } = await hostMatch(definition, against, { ...terms, guest, on }, contextOf())
    print(
      `${boardText(definition, last, names)}\n\n${outcomeText(names, record.outcome).replace(/^you wins/, 'you win')}`,
    )
  } finally {
    you?.leave()
  }
}
