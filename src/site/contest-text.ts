import type { Contest } from '../core/index.js'
import { parseHosted } from '../contest/parse.js'
import { hostedContest } from './contests.js'
import { contestFile } from './site-files.js'
import type { SiteContext } from './context.js'
import { parsedText } from './hosting.js'
import { Refusal } from './refusal.js'
import type { ContestRunner } from './play/contest-runner.js'

/** The contest file's text, for the host: it may hold the seed. Throws a Refusal. */
export async function contestText(context: SiteContext, id: string): Promise<{ readonly toml: string }> {
  const { toml } = await hostedContest(context, id)
  return { toml }
}

/**
 * Gives a contest another text. Once it has begun, the settings that decide its matches stay as they are: the title, who may come in and
 * play, and the house bots may still change. Throws a Refusal, with the line of a mistake.
 */
export async function changeContestText(
  context: SiteContext,
  runner: ContestRunner,
  id: string,
  toml: string,
): Promise<void> {
  const hosted = await hostedContest(context, id)
  const { contest, definition } = await parsedText(context, toml)
  const { contest: before } = await parseHosted(hosted.toml, contestFile(context, id), context.games)
  if (definition.game.id !== hosted.game)
    throw new Refusal('conflict', `its game stays ${hosted.game}: make another contest for another game`)
  const changed = TERMS.filter((name) => JSON.stringify(contest[name]) !== JSON.stringify(before[name]))
  if (hosted.run !== undefined && changed.length > 0)
    throw new Refusal(
      'conflict',
      `it has begun, so its ${changed.join(', ')} can no longer change: make another contest for that`,
    )
  const { title } = contest
  if (!(await context.site.changeContest(id, { toml, title }, hosted.revision)))
    throw new Refusal('conflict', 'who plays has just changed: send it again')
  const names = (of: Contest): string => JSON.stringify(of.entrants.map(({ name }) => name))
  if (hosted.state !== 'created' && (hosted.run === undefined || names(contest) !== names(before)))
    await runner.revise(id)
  else context.hub.touch(id)
}

/** The settings by which matches are played, scheduled and counted. */
const TERMS = [
  'options',
  'format',
  'scoring',
  'limits',
  'memory',
  'strictMemory',
  'mixedBuilds',
  'steps',
  'seed',
] as const satisfies readonly (keyof Contest)[]
