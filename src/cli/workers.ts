import type { Command } from 'commander'
import {
  newToken,
  removeTokens,
  revokeToken,
  tokensText,
  tokensThere,
  workersText,
  workersThere,
} from '../app/workers.js'
import { words } from './counts.js'
import { flagOf } from './flag.js'
import { type StoreFlags, addWorkspaceOption, contextOf } from './options.js'
import { print, printJson } from './terminal.js'

interface Given extends StoreFlags {
  readonly newToken?: string
  readonly revoke?: string
  readonly tokens?: boolean
  readonly needNone?: boolean
  readonly json?: boolean
}

export function workersCommand(command: Command): void {
  addWorkspaceOption(command)
    .option('--new-token <name>', 'make a token for a worker, and print it: from then on none plays without', words)
    .option('--revoke <name>', 'a token counts no more: who has it plays no more', words)
    .option('--tokens', 'list the tokens, by their names')
    .option('--need-none', 'remove all tokens: workers need none any more')
    .option('--json', 'as JSON')
    .action(async (given: Given) => {
      const { json, newToken: name, revoke, tokens, needNone } = given
      const context = contextOf(given)
      if (name !== undefined) {
        const token = await newToken(name, context)
        return json ? printJson({ name, token }) : print(token)
      }
      if (revoke !== undefined) return revokeToken(revoke, context)
      if (needNone) return removeTokens(context)
      if (tokens) {
        const list = await tokensThere(context)
        return json ? printJson(list) : print(tokensText(list))
      }
      const workers = await workersThere(context)
      if (json) printJson(workers)
      else print(workersText(workers, flagOf))
    })
}
