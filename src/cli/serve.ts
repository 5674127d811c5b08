import { once } from 'node:events'
import { InvalidArgumentError } from 'commander'
import { renewedHostToken, serveSite } from '../site/serve.js'
import { STORE, contextOf } from './options.js'
import { abortOnSignals } from './exit.js'
import { print, printJson, notify } from './terminal.js'
import { append, flag, numberIf, value, verb } from './verb.js'

const port = numberIf((n) => Number.isInteger(n) && n >= 0 && n <= 65535, 'a number from 0 to 65535')

export const serveCommand = verb({
  options: {
    ...STORE,
    host: value('<address>', 'the address to listen at', String, '127.0.0.1'),
    port: value('<n>', 'the port to listen at; 0: any that is free', port, 4600),
    url: value('<address>', 'the address that people use, if this server is behind a proxy', address),
    proxy: flag('requests come through a proxy, which gives their origin in X-Forwarded-For'),
    game: value('<file>', 'the file of a game that does not come with agon: it is run; may be repeated', append),
    sittings: { ...flag('people cannot play against bots'), isOff: true },
    workersOnly: flag('with a store on a server: agon worker plays the contests, this process does not'),
    json: flag('the first line of standard output is {"url", "hostToken"}'),
  },
  help: '\nThe host’s token is shown only at the first start; agon token --new makes another.',
  async run({ json, workspace, store, ...options }) {
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
  },
})

export const tokenCommand = verb({
  options: {
    ...STORE,
    new: { ...flag('make a new token for the host; the old one becomes invalid'), isRequired: true },
  },
  async run(given) {
    print(await renewedHostToken(contextOf(given)))
  },
})

function address(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError('It must be an address such as https://agon.example.org.')
  return text.replace(/\/$/, '')
}
