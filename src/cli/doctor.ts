import { examineMachine } from '../app/machine.js'
import { endBotsOnSignals } from './exit.js'
import { print, printJson } from './terminal.js'
import { flag, verb } from './verb.js'

export const doctorCommand = verb({
  options: { json: flag('one JSON document') },
  help: `
Exit code 1: strangers' bots cannot run here.`,
  async run({ json }) {
    endBotsOnSignals()
    const { findings, isolates } = await examineMachine()
    process.exitCode = isolates ? 0 : 1
    if (json) return printJson(findings)
    for (const { name, ok, says, remedy } of findings) {
      print(`${ok === undefined ? 'no    ' : ok ? 'ok    ' : 'LACKS '} ${name.padEnd(11)} ${says}`)
      if (remedy !== undefined) print(`${' '.repeat(19)}mend it: ${remedy}`)
    }
    print(
      isolates
        ? '\nStrangers’ bots run in sandboxes here.'
        : '\nOnly house bots run here, unless --unsafe-no-isolation is given.',
    )
  },
})
