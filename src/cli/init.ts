import { basename, resolve } from 'node:path'
import { UserError, spelled, visible } from '../core/index.js'
import {
  type ContestAnswers,
  contestsOf,
  contestsThere,
  hasRounds,
  initContest,
  nextSteps,
  refuseContest,
} from '../app/manage/init.js'
import { flagOf } from '../app/flag.js'
import { interrupt } from './exit.js'
import { print } from './terminal.js'
import { type Given, count, parted, value, verb } from './verb.js'

const ANSWERS = {
  title: value('<title>', 'the title of the contest'),
  game: value('<game>', 'a game that comes with agon'),
  format: value('<kind>', 'who meets whom: round-robin, last-standing …'),
  matches: value('<n>', 'how often each pairing is played', count),
  house: value('<names>', 'house bots that also play, separated by commas; none', (text) =>
    text === 'none' ? [] : parted(text).filter((name) => name !== ''),
  ),
}

export const initCommand = verb({
  takes: [['<folder>', 'the new folder of the contest']],
  options: ANSWERS,
  help: `
On a terminal it asks five questions, except those that a flag answers.

Examples:
  agon init friday
  agon init friday --title "Friday night" --game samurai --format round-robin \\
    --matches 8 --house Abacus,Dice`,
  async run(given, folder: string) {
    refuseContest(folder)
    const answers = await answersOf(folder, given)
    initContest(folder, answers)
    print(`${visible(folder)}: contest.toml\n\nNext:`)
    for (const line of nextSteps(folder, answers)) print(`  ${visible(spelled(line, flagOf))}`)
  },
})

async function answersOf(folder: string, given: Given<typeof ANSWERS>): Promise<ContestAnswers> {
  const lacking = Object.keys(ANSWERS).filter((name) => given[name as keyof typeof given] === undefined)
  if (lacking.length > 0 && !(process.stdin.isTTY && process.stdout.isTTY))
    throw new UserError(
      `agon init needs a terminal for its questions, and this is not one: give ${lacking.map((name) => `--${name}`).join(', ')}`,
    )
  const { cancel, multiselect, select, text } = await import('@clack/prompts')
  async function asked<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
    const answer = await question
    if (typeof answer !== 'symbol') return answer as Exclude<T, symbol>
    cancel('nothing was written')
    return interrupt('interrupted')
  }
  const usual = basename(resolve(folder))
  const title =
    given.title ??
    (await asked(text({ message: 'What is the contest called?', defaultValue: usual, placeholder: usual })))
  const games = contestsThere.map(({ id, title: label }) => ({ value: id, label }))
  const game = given.game ?? (await asked(select({ message: 'Which game?', options: games })))
  const there = contestsOf(game)
  const formats = there.formats.map(({ kind, hint }) => ({ value: kind, label: kind, hint }))
  const format = given.format ?? (await asked(select({ message: 'Who meets whom?', options: formats })))
  const often = {
    message: hasRounds(format) ? 'How many rounds?' : 'How often is each pairing played?',
    defaultValue: '4',
    placeholder: '4',
    validate: (said = '') => (/^([1-9]\d{0,5})?$/.test(said) ? undefined : 'A whole number from 1.'),
  }
  const repetitions = given.matches ?? Number(await asked(text(often)))
  const bots = {
    message: 'Which house bots play along?',
    options: there.house().map((name) => ({ value: name, label: name })),
    initialValues: there.house(),
    required: false,
  }
  const house = given.house ?? (await asked(multiselect(bots)))
  return { title, game, format, repetitions, house }
}
