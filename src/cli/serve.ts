import { once } from 'node:events'
import { type Command, InvalidArgumentError } from 'commander'
import { type ServeOptions, renewedHostToken, serveSite } from '../site/serve.js'
import { type StoreFlags, addWorkspaceOption, contextOf } from './options.js'
import { abortOnSignals } from './exit.js'
import { print, printJson, notify } from './terminal.js'
import { append } from './words.js'

export function serveCommand(command: Command): void {
  addWorkspaceOption(command)
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option('--port <n>', 'the port to listen at; 0: any that is free', port, 4600)
    .option('--url <address>', 'the address that people use, if this server is behind a proxy', address)
    .option('--proxy', 'requests come through a proxy, which gives their origin in X-Forwarded-For')
    .option('--game <file>', 'the file of a game that does not come with agon: it is run; may be repeated', append)
    .option('--no-sittings', 'people cannot play against bots')
    .option('--workers-only', 'with a store on a server: agon worker plays the contests, this process does not')
    .option('--json', 'the first line of standard output is {"url", "hostToken"}')
    .addHelpText('after', '\nThe host’s token is shown only at the first start; agon token --new makes another.')
    .action(async ({ json, workspace, store, ...options }: ServeOptions & StoreFlags & { readonly json?: boolean }) => {
      const { signal } = abortOnSignals()
      const served = await serveSite(options, contextOf({ workspace, store }))
      const { url, hostToken } = served
      if (json) printJson({ url, hostToken }, 0)
      else {
        print(`agon serves ${url} (Ctrl-C ends)`)
        if (hostToken !== undefined) print(`the host's token, shown this once: ${hostToken}`)
      }
      if (!signal.aborted) await once(signal, 'abort')
      notify('ending')
      await served.close()
      process.exit()
    })
}

export function tokenCommand(command: Command): void {
  addWorkspaceOption(command)
    .requiredOption('--new', 'make a new token for the host; the old one becomes invalid')
    .action(async (given: StoreFlags) => print(await renewedHostToken(contextOf(given))))
}

function port(value: string): number {
  const n = Number(value)
  if (!/^\d+$/.test(value) || n > 65535) throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  return n
}

function address(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new InvalidArgumentError('It must be an address such as https://agon.example.org.')
  return value.replace(/\/$/, '')
}
