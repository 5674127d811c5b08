#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { checkCommand } from './check.js'
import { fail } from './exit.js'
import { gamesCommand, wiresCommand } from './games.js'
import { VERSION } from './manifest.js'
import { matchCommand } from './match.js'
import { playCommand } from './play.js'
import { replayCommand } from './replay.js'
import { runCommand } from './run.js'
import { verifyCommand } from './verify.js'

const program = new Command('agon')
  .description('Hosts bot-programming contests: referees the matches, runs the tournament, ranks the entrants.')
  .version(VERSION, '-V, --version', 'print the version')
  .showSuggestionAfterError()
  .exitOverride()
  .configureHelp({ sortSubcommands: false, showGlobalOptions: false })

for (const add of [
  runCommand,
  matchCommand,
  checkCommand,
  playCommand,
  replayCommand,
  verifyCommand,
  gamesCommand,
  wiresCommand,
])
  add(program)
for (const command of program.commands) command.exitOverride().showSuggestionAfterError()

program.parseAsync().catch((error: unknown) => {
  // Commander has printed what is wrong, or the help that was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else fail(error)
})
