import type { Command } from 'commander'
import { spelled, visible } from '../core/index.js'
import { newBot, newGame } from '../app/manage/new.js'
import { flagOf } from '../app/flag.js'
import { GAME } from './options.js'
import { print, notify } from './terminal.js'
import { flag, value, verb } from './verb.js'

const HELP = `
Examples:
  agon new bot samurai                  in Python, in the folder my-bot
  agon new bot coup java Velvet-Glove   in Java, in the folder Velvet-Glove
  agon new bot ./mygame.ts rust Crab    for a game of your own
  agon new bot gunduel c++ Colt --class as the contest of 2017 took its entries
  agon new game dice-poker              a game of your own, in the folder dice-poker`

export function newCommand(command: Command): void {
  command.addHelpText('after', HELP)
  const bot = 'create a bot: a folder with one that plays, and all that its author needs'
  const game =
    'create a game: a folder with rules, two bots, a board and a contest (TypeScript: a viewer and tests, too)'
  newBotCommand(command.command('bot').description(bot))
  newGameCommand(command.command('game').description(game))
}

const newBotCommand = verb({
  takes: [
    GAME,
    ['[language]', 'what it is written in', 'Python'],
    ['[name]', "the bot's name, and its folder's", 'my-bot'],
  ],
  options: { class: flag("in C++: a class that inherits the game's own, for games that have one") },
  help: `
Languages: Python, JavaScript, TypeScript, C++, C, Java, Rust, Go, Perl, Ruby,
shell. The bot plays the first legal move; its README has the rules, what it is sent,
and the commands to try it with.
${HELP}`,
  async run(given, game: string, language: string, name: string) {
    const made = await newBot({ game, language, name, isClass: given.class }, process.cwd(), flagOf)
    print(`${visible(name)}/ (${made.language}): ${made.files.join(', ')}\n\nNext: its README, and in its folder`)
    for (const line of made.commands) print(`  ${visible(spelled(line, flagOf))}`)
    if (made.lacks.length > 0)
      notify(`this machine has no ${made.lacks.join(' and no ')}: it is needed to play it here`)
  },
})

const newGameCommand = verb({
  takes: [['<name>', "the game's id, and its folder's name"]],
  options: {
    language: value('<name>', 'what it is written in: TypeScript, Python, Java or C++', String, 'TypeScript'),
  },
  help: `
A game that is played at once, to be changed into yours: rules, board and viewer,
two bots, a contest, tests (TypeScript). The name is the game's id: lower-case letters, digits
and dashes.

Example:
  agon new game dice-poker && agon run dice-poker/contest.toml
  agon new game dice-poker --language python`,
  run({ language }, name: string) {
    const made = newGame(name, language, process.cwd())
    print(`${name}/: ${made.files.join(', ')}\n\nNext: its README, and in its folder`)
    for (const line of made.commands) print(`  ${spelled(line, flagOf)}`)
  },
})
