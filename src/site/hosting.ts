import { secretSeed } from '../app/run/find.js'
import { randomBytes } from 'node:crypto'
import { display } from '../contest/toml-file.js'
import { type LoadedContest, parseHosted } from '../contest/parse.js'
import { UserError } from '../core/index.js'
import { hostedContest } from './contests.js'
import { contestFile } from './site-files.js'
import type { SiteContext } from './context.js'
import type { ContestRunner } from './play/contest-runner.js'
import { Refusal } from './refusal.js'

/** Characters of a contest's text. */
const TEXT = 256 * 1024

/** Makes a contest of the text of a contest file; it is not started yet. Throws a Refusal with the line of a mistake. */
export async function createContest(context: SiteContext, toml: string): Promise<{ readonly id: string }> {
  const { contest, definition } = await parsedText(context, toml)
  const id = `${definition.game.id}-${randomBytes(5).toString('hex')}`
  await context.site.addContest({
    id,
    toml,
    title: contest.title,
    game: definition.game.id,
    seed: contest.seed ?? secretSeed(),
    created: new Date().toISOString(),
    state: 'created',
    revision: 0,
  })
  return { id }
}

/** Reads a contest's text. Its mistakes are Refusals with their line, and without the place that it is taken to lie at. */
export async function parsedText(context: SiteContext, toml: string): Promise<LoadedContest> {
  if (toml.length > TEXT) throw new Refusal('too-large', `a contest has ${TEXT} characters at most`)
  const file = contestFile(context, 'contest')
  try {
    return await parseHosted(toml, file, context.games)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const text = error.text.replaceAll(display(file), 'contest.toml')
    const line = /^contest\.toml:(\d+): /.exec(String(text))?.[1]
    throw new Refusal('invalid', text, line === undefined ? {} : { line: Number(line) })
  }
}

/** What a host does to a contest as a whole. */
export const CONTROLS = ['start', 'pause', 'resume'] as const
export type ControlVerb = (typeof CONTROLS)[number]

/** Starts, pauses or resumes a contest. Throws a Refusal where it is in no state for that. */
export async function controlContest(
  context: SiteContext,
  runner: ContestRunner,
  id: string,
  verb: ControlVerb,
): Promise<void> {
  const { state } = await hostedContest(context, id)
  if (verb === 'pause') {
    if (state !== 'playing') throw new Refusal('conflict', `it is not being played: its state is ${state}`)
    return runner.pause(id)
  }
  if (verb === 'resume' && state !== 'paused') throw new Refusal('conflict', `it is not paused: its state is ${state}`)
  if (verb === 'start' && state === 'paused') throw new Refusal('conflict', 'it is paused: resume it')
  if (verb === 'start' && state === 'finished')
    throw new Refusal('conflict', 'it has ended: a new entry starts it again')
  await runner.start(id)
}
