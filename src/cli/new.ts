import type { Command } from 'commander'
import { spelled, visible } from '../core/index.js'
import { newBot, newGame } from '../app/manage/new.js'
import { flagOf } from '../app/flag.js'
import { print, notify } from './terminal.js'

const HELP = `
Examples:
  agon new bot samurai                  in Python, in the folder my-bot
  agon new bot coup java Velvet-Glove   in Java, in the folder Velvet-Glove
  agon new bot ./mygame.ts rust Crab    for a game of your own
  agon new bot gunduel c++ Colt --class as the contest of 2017 took its entries
  agon new game dice-poker              a game of your own, in the folder dice-poker`

const BOT = `
Languages: Python, JavaScript, TypeScript, C++, C, Java, Rust, Go, Perl, Ruby,
shell. The bot plays the first legal move; its README has the rules, what it is sent,
and the commands to try it with.
${HELP}`

const GAME = `
A game that is played at once, to be changed into yours: rules, board and viewer,
two bots, a contest, tests (TypeScript). The name is the game's id: lower-case letters, digits
and dashes.

Example:
  agon new game dice-poker && agon run dice-poker/contest.toml
  agon new game dice-poker --language python`

export function newCommand(command: Command): void {
  command.addHelpText('after', HELP)
  command
    .command('bot')
    .description('create a bot: a folder with one that plays, and all that its author needs')
    .argument('<game>', 'a game, or the file of one')
    .argument('[language]', 'what it is written in', 'Python')
    .argument('[name]', "the bot's name, and its folder's", 'my-bot')
    .option('--class', "in C++: a class that inherits the game's own, for games that have one")
    .addHelpText('after', BOT)
    .action(async (game: string, language: string, name: string, asked: { readonly class?: boolean }) => {
      const made = await newBot({ game, language, name, isClass: asked.class }, process.cwd(), flagOf)
      print(`${visible(name)}/ (${made.language}): ${made.files.join(', ')}\n\nNext: its README, and in its folder`)
      for (const line of made.commands) print(`  ${visible(spelled(line, flagOf))}`)
      if (made.lacks.length > 0)
        notify(`this machine has no ${made.lacks.join(' and no ')}: it is needed to play it here`)
    })
  command
    .command('game')
    .description(
      'create a game: a folder with rules, two bots, a board and a contest (TypeScript: a viewer and tests, too)',
    )
    .argument('<name>', "the game's id, and its folder's name")
    .option('--language <name>', 'what it is written in: TypeScript, Python, Java or C++', 'TypeScript')
    .addHelpText('after', GAME)
    .action((name: string, { language }: { readonly language: string }) => {
      const made = newGame(name, language, process.cwd())
      print(`${name}/: ${made.files.join(', ')}\n\nNext: its README, and in its folder`)
      for (const line of made.commands) print(`  ${spelled(line, flagOf)}`)
    })
}
