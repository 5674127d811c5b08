import { z } from '@hono/zod-openapi'
import { OUTPUT_BYTES } from '../../app/context.js'
import { type SiteContext, announceEntry } from '../context.js'
import { isRemote, openContest, parsedContest } from '../contests.js'
import { isTaken } from '../db/site-store.js'
import { contestantIn, refuseAmong } from '../entries.js'
import { Refusal } from '../http/problems.js'
import { Buckets, RATES } from '../http/rates.js'
import { type ApiRoute, contestId, get, said } from '../http/route.js'
import type { ContestRunner } from '../play/contest-runner.js'
import { type Caller, freshId } from '../tokens.js'
import type { Comer } from './remotes.js'

/** Seconds within which a bot is to be back where its contest does not say. */
const RECONNECT = 30

/**
 * Admits a bot that plays on its author's machine: by connecting it enters the contest, also before that has begun. Throws a Refusal where the
 * contest takes none, and for a name that is not the caller's.
 */
async function enrol(
  context: SiteContext,
  runner: Pick<ContestRunner, 'revise'>,
  { contest: id, name, caller }: { readonly contest: string; readonly name: string; readonly caller: Caller },
  entered: Buckets,
): Promise<Omit<Comer, 'address'>> {
  const contestant = contestantIn(id, caller)
  const { site } = context
  const loaded = await parsedContest(context, await openContest(context, id))
  const { remote, reconnect = RECONNECT } = loaded.contest.site ?? {}
  if (remote !== true)
    throw new Refusal(
      'forbidden',
      'this contest takes no bots on other machines: its host can allow them (remote = true)',
    )
  const bot = { name, contestant, remote: true }
  const isOut = (await site.exclusions(id)).some((one) => one.name === name)
  const isKnown = (await site.entries(id, name)).some((one) => isTaken(one.state) && isRemote(one))
  // One that was withdrawn comes back like a bot that is sent again: as another version.
  if (!isKnown || isOut) {
    // Each new bot is another revision of the contest.
    if (caller.role !== 'host') entered.take(`${id} ${contestant}`)
    const spec = JSON.stringify({ name, remote: true })
    const about = { id: freshId(), contest: id, contestant, name, spec, bytes: 0, created: new Date().toISOString() }
    const added = await site.addEntry({ ...about, state: 'playing' }, (all, out) => refuseAmong(all, out, loaded, bot))
    if (added === undefined)
      throw new Refusal('forbidden', `${JSON.stringify(name)} is another’s bot: choose another name`)
    await announceEntry(context, added, 'playing')
    await runner.revise(id)
  } else refuseAmong(await site.entries(id), await site.exclusions(id), loaded, bot)
  const outputBytes = loaded.contest.limits['output'] ?? OUTPUT_BYTES
  return { contest: id, name, reconnect, contestant, outputBytes }
}

export const connectRoutes = (site: SiteContext, runner: ContestRunner): readonly ApiRoute[] => {
  const [opened, entered] = [new Buckets(RATES.streams), new Buckets(RATES.upload)]
  return [
    get(
      '/contests/{id}/connect',
      'Let a bot play from its author’s machine',
      {
        access: 'contestant',
        description:
          'A WebSocket, which `agon connect` opens: the bot enters the contest by it, if that has `remote = true`. A name belongs to who had it first; a second connection of a bot takes over from the first.',
        params: contestId,
        query: z.object({ name: said(z.string().max(200), 'of the bot, in the table') }),
        answer: z.strictObject({ name: z.string() }),
        own: 'each',
      },
      async ({ c, params: { id: contest }, query: { name }, caller, from }) => {
        if (c.req.header('origin') !== undefined) throw new Refusal('forbidden', 'no page of a browser connects a bot')
        // There is no environment where a request comes from within the process.
        const admit = (c.env as typeof c.env | undefined)?.admit
        if (admit === undefined)
          throw new Refusal('invalid', 'this is the address of a WebSocket: agon connect opens it')
        if (caller.role !== 'host') opened.take(from)
        admit({ ...(await enrol(site, runner, { contest, name, caller }, entered)), address: from })
        return { name }
      },
    ),
  ]
}
