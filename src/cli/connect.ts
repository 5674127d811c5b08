import { connectBot } from '../app/remote/connect.js'
import { visible } from '../core/index.js'
import { abortOnSignals } from './exit.js'
import { notify, print } from './terminal.js'
import { required, verb, words } from './verb.js'

export const connectCommand = verb({
  takes: [
    ['<url>', 'the address of the site'],
    ['<command...>', 'the bot, behind --: its program and its words'],
  ],
  options: {
    token: required('<token>', 'your token, which the contest’s host, or its page, gave you', words),
    contest: required('<id>', 'the contest: the last part of its page’s address', words),
    name: required('<name>', 'the name of the bot, in the table', words),
  },
  help: `
The bot runs here, in this folder and with your environment, and nothing of it is
sent but its answers. It speaks JSON lines, as agon wires GAME shows. One line is
printed for each match; Ctrl-C ends.

Example:
  agon connect https://agon.example.org --token agon_c_… --contest gunduel-1a2b3c --name Ada -- python3 bot.py`,
  async run(given, url: string, argv: string[]) {
    const { signal } = abortOnSignals()
    const match = (line: string) => print(visible(line))
    const notice = (line: string) => notify(visible(line))
    const stderr = (bytes: Buffer) => void process.stderr.write(bytes)
    await connectBot({ ...given, url, argv, match, notice, stderr, signal })
    process.exit()
  },
})
