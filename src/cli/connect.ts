import type { Command } from 'commander'
import { connectBot } from '../app/remote/connect.js'
import { visible } from '../core/index.js'
import { abortOnSignals } from './exit.js'
import { notify, print } from './terminal.js'
import { words } from './options.js'

interface ConnectFlags {
  readonly token: string
  readonly contest: string
  readonly name: string
}

const HELP = `
The bot runs here, in this folder and with your environment, and nothing of it is
sent but its answers. It speaks JSON lines, as agon wires GAME shows. One line is
printed for each match; Ctrl-C ends.

Example:
  agon connect https://agon.example.org --token agon_c_… --contest gunduel-1a2b3c --name Ada -- python3 bot.py`

export function connectCommand(command: Command): void {
  command
    .argument('<url>', 'the address of the site')
    .argument('<command...>', 'the bot, behind --: its program and its words')
    .requiredOption('--token <token>', 'your token, which the contest’s host, or its page, gave you', words)
    .requiredOption('--contest <id>', 'the contest: the last part of its page’s address', words)
    .requiredOption('--name <name>', 'the name of the bot, in the table', words)
    .addHelpText('after', HELP)
    .action(async (url: string, argv: string[], { token, contest, name }: ConnectFlags) => {
      await connectBot(
        { url, token, contest, name, argv },
        {
          match: (line) => print(visible(line)),
          notice: (line) => notify(visible(line)),
          signal: abortOnSignals().signal,
        },
      )
      process.exit()
    })
}
