import type { Command } from 'commander'
import { examineMachine } from '../app/machine.js'
import { endBotsOnSignals } from './exit.js'
import { print, printJson } from './terminal.js'

const HELP = `
Exit code 1: strangers' bots cannot run here.`

export function doctorCommand(command: Command): void {
  command
    .option('--json', 'one JSON document')
    .addHelpText('after', HELP)
    .action(async (given: { json?: boolean }) => {
      endBotsOnSignals()
      const { findings, isolates } = await examineMachine()
      process.exitCode = isolates ? 0 : 1
      if (given.json) return printJson(findings)
      for (const { name, ok, says, remedy } of findings) {
        print(`${ok === undefined ? 'no    ' : ok ? 'ok    ' : 'LACKS '} ${name.padEnd(11)} ${says}`)
        if (remedy !== undefined) print(`${' '.repeat(19)}mend it: ${remedy}`)
      }
      print(
        isolates
          ? '\nStrangers’ bots run in sandboxes here.'
          : '\nOnly house bots run here, unless --unsafe-no-isolation is given.',
      )
    })
}
