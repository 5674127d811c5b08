#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { fail } from './exit.js'
import { gamesCommand, wiresCommand } from './games.js'
import { verifyCommand } from './verify.js'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

const program = new Command('agon')
  .description('Hosts bot-programming contests: referees the matches, runs the tournament, ranks the entrants.')
  .version(manifest.version, '-V, --version', 'print the version')
  .showSuggestionAfterError()
  .exitOverride()
  .configureHelp({ sortSubcommands: false, showGlobalOptions: false })

for (const add of [gamesCommand, wiresCommand, verifyCommand]) add(program)
for (const command of program.commands) command.exitOverride().showSuggestionAfterError()

program.parseAsync().catch((error: unknown) => {
  // Commander has printed what is wrong, or the help that was asked for.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else fail(error)
})
