import type { Command } from 'commander'
import * as there from '../app/workers.js'
import { flagOf } from '../app/flag.js'
import { type StoreFlags, addWorkspaceOption, contextOf, words } from './options.js'
import { print, printJson } from './terminal.js'

interface WorkersFlags extends StoreFlags {
  readonly newToken?: string
  readonly revoke?: string
  readonly tokens?: boolean
  readonly needNone?: boolean
  readonly json?: boolean
}

export function workersCommand(command: Command): void {
  addWorkspaceOption(command)
    .option('--new-token <name>', 'make a token for a worker, and print it: from then on every worker needs one', words)
    .option('--revoke <name>', 'make a token invalid: its worker plays no more', words)
    .option('--tokens', 'list the tokens, by their names')
    .option('--need-none', 'remove all tokens: workers need none')
    .option('--json', 'as JSON')
    .action(async (given: WorkersFlags) => {
      const { json, newToken: name, revoke, tokens, needNone } = given
      const context = contextOf(given)
      if (name !== undefined) {
        const token = await there.newToken(name, context)
        return json ? printJson({ name, token }) : print(token)
      }
      if (revoke !== undefined) return there.revokeToken(revoke, context)
      if (needNone) return there.removeTokens(context)
      if (tokens) {
        const list = await there.tokensThere(context)
        return json ? printJson(list) : print(there.tokensText(list))
      }
      const workers = await there.workersThere(context)
      if (json) printJson(workers)
      else print(there.workersText(workers, flagOf))
    })
}
