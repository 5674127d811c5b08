import { z } from '@hono/zod-openapi'
import { OUTPUT_BYTES } from '../../app/context.js'
import { type SiteContext, announceEntry } from '../context.js'
import { isRemote, openContest, parsedContest } from '../contests.js'
import { contestantIn, refuseAmong } from '../entries.js'
import { Refusal } from '../http/answers.js'
import { freshId, isTaken } from '../store.js'
import { Buckets } from '../http/limits.js'
import { RATES } from '../http/callers.js'
import { get, said } from '../http/route.js'
import type { ContestRunner } from '../play/contest-runner.js'

/** Seconds within which a bot is to be back where its contest does not say. */
const RECONNECT = 30

export const connectRoutes = (context: SiteContext, runner: ContestRunner) => {
  const { site } = context
  const [opened, entered] = [new Buckets(RATES.streams), new Buckets(RATES.upload)]
  return [
    get('/contests/{id}/connect', {
      summary: 'Let a bot play from its author’s machine',
      access: 'contestant',
      description:
        'A WebSocket, which `agon connect` opens: the bot enters the contest by it, if that has `remote = true`. A name belongs to who had it first; a second connection of a bot takes over from the first.',
      query: z.object({ name: said(z.string().max(200), 'of the bot, in the table') }),
      answer: z.strictObject({ name: z.string() }),
      own: 'each',
    }).handler(async ({ c, id, query: { name }, caller, from }) => {
      if (c.req.header('origin') !== undefined) throw new Refusal('forbidden', 'no page of a browser connects a bot')
      // There is no environment where a request comes from within the process.
      const admit = (c.env as typeof c.env | undefined)?.admit
      if (admit === undefined) throw new Refusal('invalid', 'this is the address of a WebSocket: agon connect opens it')
      const isHost = caller.role === 'host'
      if (!isHost) opened.take(from)
      const contestant = contestantIn(id, caller)
      const loaded = await parsedContest(context, await openContest(context, id))
      const { remote, reconnect = RECONNECT } = loaded.contest.site ?? {}
      if (remote !== true)
        throw new Refusal(
          'forbidden',
          'this contest takes no bots on other machines: its host can allow them (remote = true)',
        )
      const out = site.exclusions(id)
      refuseAmong(site.entries(id), out, loaded, { name, contestant, remote })
      const isKnown = site.entries(id, name).some((one) => isTaken(one.state) && isRemote(one))
      // One that was withdrawn comes back like a bot that is sent again: as another version.
      if (!isKnown || out.some((one) => one.name === name)) {
        // Each new bot is another revision of the contest.
        if (!isHost) entered.take(`${id} ${contestant}`)
        const spec = JSON.stringify({ name, remote })
        const about = { id: freshId(), contest: id, contestant, name, spec, bytes: 0 }
        const entry = site.addEntry({ ...about, created: new Date().toISOString(), state: 'playing' })
        announceEntry(context, entry, 'playing')
        runner.revise(id)
      }
      const outputBytes = loaded.contest.limits['output'] ?? OUTPUT_BYTES
      admit({ contest: id, name, reconnect, contestant, outputBytes, address: from })
      return { name }
    }),
  ]
}
