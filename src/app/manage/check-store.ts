import { type GameDefinition, message, option, spelled, type Spell, command, visible } from '../../core/index.js'
import { loadGame } from '../../contest/index.js'
import { games } from '../../games/index.js'
import { judge } from '../../match/index.js'
import { type CheckOptions, type CheckedStore, type Judge, checkStore } from '../../store/index.js'
import { counted } from '../../text/index.js'
import type { Context } from '../context.js'
import { requireStore } from '../open-store.js'
import { isContest } from '../stored.js'
import { VERSION } from '../version.js'

/** How a store is checked. */
export interface StoreCheck {
  /** Only the runs of this contest's file, or of the contest of this game; absent: all. */
  readonly contest?: string
  /** The file of a game that does not come with agon: it is run. */
  readonly gameFile?: string
  /** Removes jobs that are damaged, so that they are played again; a file is copied first. */
  readonly mend?: boolean
}

/**
 * Compares the store of a workspace with its records, and mends it where that is wished. What is judged by rules that are not here
 * is reported as a notice. `on` receives how many matches have been looked at. Throws UserError where there is no store or no such game.
 */
export async function checkWorkspace(
  { contest, gameFile, mend = false }: StoreCheck,
  { workspace, server, notice, signal, spell }: Context,
  on: (done: number, of: number) => void = () => undefined,
): Promise<CheckedStore> {
  if (server === undefined) requireStore(workspace)
  const own = gameFile === undefined ? undefined : await loadGame(gameFile, process.cwd())
  signal?.throwIfAborted()
  const rules = new Rules(own === undefined ? games : [...games, own])
  const asked = {
    judge: rules.judge,
    mend,
    progress: on,
    only: contest === undefined ? undefined : isContest(contest),
  }
  const checked =
    server === undefined ? await checkStore(workspace, VERSION, asked) : await checkServer(server, asked, notice)
  const file = spelled(message`${option('game', 'FILE')}`, spell)
  for (const [what, n] of rules.unjudged)
    notice(
      `${counted(n, 'match', 'matches')} of ${what} could not be judged: there are no such rules here (${file} names a game's)`,
    )
  return checked
}

async function checkServer(server: string, asked: CheckOptions, notice: (text: string) => void): Promise<CheckedStore> {
  const { checkServerStore } = await import('../../store/postgres/store.js')
  return checkServerStore(server, VERSION, asked, notice)
}

/** Judges records by the rules that are here, and counts those of other games and versions. */
class Rules {
  readonly unjudged = new Map<string, number>()

  constructor(private readonly definitions: readonly GameDefinition[]) {}

  readonly judge: Judge = (record) => {
    const definition = this.definitions.find(({ game }) => game.id === record.game && game.version === record.version)
    if (definition !== undefined) return judge(definition, record)
    const what = `${record.game} version ${record.version}`
    this.unjudged.set(what, (this.unjudged.get(what) ?? 0) + 1)
    return undefined
  }
}

/** The findings of a check of a store, for people: each with its remedy in a line of its own; commands and options as `spell` writes them. */
export function checkStoreText({ file, runs, matches, findings, copy }: CheckedStore, spell?: Spell): string {
  const looked = `${counted(runs, 'run')}, ${counted(matches, 'match', 'matches')}`
  if (findings.length === 0) return `${file}: whole (${looked})`
  const mend = spelled(message`${command('store check')} ${option('mend')}`, spell)
  const save = spelled(
    message`${command('export')} saves the runs that are whole; then put a copy of the store back`,
    spell,
  )
  const lines = findings.map(({ what, mendable, mended }) => {
    const remedy = mended ? 'removed, to be played again' : mendable ? `${mend} removes it, to be played again` : save
    return visible(`${file}: ${what}: ${remedy}`)
  })
  const resume = findings.some(({ mended }) => mended)
    ? [spelled(message`${command('run CONTEST')} ${option('resume')} plays what is missing`, spell)]
    : []
  const kept = copy === undefined ? [] : [`${copy} is the file as it was`]
  return [...lines, `${counted(findings.length, 'damage')} found (${looked})`, ...resume, ...kept].join('\n')
}
