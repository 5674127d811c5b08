import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { UserError, spelled, visible } from '../core/index.js'
import {
  type ContestAnswers,
  formatsFor,
  gamesThere,
  hasRounds,
  houseOf,
  initContest,
  nextSteps,
  refuseContest,
} from '../app/manage/init.js'
import { count, parted } from './options.js'
import { interrupt } from './exit.js'
import { flagOf } from '../app/flag.js'
import { print } from './terminal.js'

const HELP = `
On a terminal it asks five questions, except those that a flag answers.

Examples:
  agon init friday
  agon init friday --title "Friday night" --game samurai --format round-robin \\
    --matches 8 --house Abacus,Dice`

interface InitFlags {
  readonly title?: string
  readonly game?: string
  readonly format?: string
  readonly matches?: number
  readonly house?: string
}

export function initCommand(command: Command): void {
  command
    .argument('<folder>', 'the new folder of the contest')
    .option('--title <title>', 'the title of the contest')
    .option('--game <game>', 'a game that comes with agon')
    .option('--format <kind>', 'who meets whom: round-robin, last-standing …')
    .option('--matches <n>', 'how often each pairing is played', count)
    .option('--house <names>', 'house bots that also play, separated by commas; none')
    .addHelpText('after', HELP)
    .action(async (folder: string, given: InitFlags) => {
      refuseContest(folder)
      const answers = await answersOf(folder, given)
      initContest(folder, answers)
      print(`${visible(folder)}: contest.toml\n\nNext:`)
      for (const line of nextSteps(folder, answers)) print(`  ${visible(spelled(line, flagOf))}`)
    })
}

const names = (text: string): readonly string[] => (text === 'none' ? [] : parted(text).filter((name) => name !== ''))

async function answersOf(folder: string, { title, game, format, matches, house }: InitFlags): Promise<ContestAnswers> {
  if (title !== undefined && game !== undefined && format !== undefined && matches !== undefined && house !== undefined)
    return { title, game, format, repetitions: matches, house: names(house) }
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    const flags = { title, game, format, matches, house }
    const lacking = Object.entries(flags).flatMap(([name, value]) => (value === undefined ? [`--${name}`] : []))
    throw new UserError(`agon init needs a terminal for its questions, and this is not one: give ${lacking.join(', ')}`)
  }
  const { cancel, multiselect, select, text } = await import('@clack/prompts')
  async function answer<T extends string | readonly string[]>(
    known: T | undefined,
    asked: () => Promise<T | symbol>,
  ): Promise<T> {
    const value = known ?? (await asked())
    if (typeof value !== 'symbol') return value
    cancel('nothing was written')
    return interrupt('interrupted')
  }
  const usual = basename(resolve(folder))
  const called = await answer<string>(title, () =>
    text({ message: 'What is the contest called?', defaultValue: usual, placeholder: usual }),
  )
  const played = await answer<string>(game, () =>
    select({ message: 'Which game?', options: gamesThere().map(({ id, title: label }) => ({ value: id, label })) }),
  )
  const chosen = await answer<string>(format, () =>
    select({
      message: 'Who meets whom?',
      options: formatsFor(played).map(({ kind, hint }) => ({ value: kind, label: kind, hint })),
    }),
  )
  const often = await answer<string>(matches === undefined ? undefined : String(matches), () =>
    text({
      message: hasRounds(chosen) ? 'How many rounds?' : 'How often is each pairing played?',
      defaultValue: '4',
      placeholder: '4',
      validate: (value) =>
        /^[1-9]\d{0,5}$/.test(value ?? '') || value === '' || value === undefined
          ? undefined
          : 'A whole number from 1.',
    }),
  )
  const along = await answer<readonly string[]>(house === undefined ? undefined : [...names(house)], () =>
    multiselect({
      message: 'Which house bots play along?',
      options: houseOf(played).map((value) => ({ value, label: value })),
      initialValues: [...houseOf(played)],
      required: false,
    }),
  )
  return { title: called, game: played, format: chosen, repetitions: Number(often), house: along }
}
