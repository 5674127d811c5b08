import { message, option, spelled, type Spell, command, visible } from '../../core/index.js'
import { loadGame } from '../../contest/index.js'
import { games } from '../../games/index.js'
import { judge } from '../../match/index.js'
import { type CheckedStore, type Judge, checkStore } from '../../store/index.js'
import { counted } from '../../text/index.js'
import type { Context } from '../context.js'
import { requireStore } from '../open-store.js'
import { isContest } from '../stored.js'
import { VERSION } from '../version.js'

interface StoreCheck {
  /** Only the runs of this contest's file, or of the contest of this game; absent: all. */
  readonly contest?: string
  /** Of a game that does not come with agon; it is run. */
  readonly gameFile?: string
  /** Jobs that are damaged are removed, so that they are played again; a file is copied first. */
  readonly mend?: boolean
}

/**
 * Compares the store of a workspace with its records; matches by rules that are not here are counted in a notice. `progress` receives how many matches
 * have been looked at. Throws UserError if there is no store or no such game.
 */
export async function checkWorkspace(
  { contest, gameFile, mend = false }: StoreCheck,
  { workspace, server, notice, signal, spell }: Context,
  progress: (done: number, of: number) => void = () => undefined,
): Promise<CheckedStore> {
  if (server === undefined) requireStore(workspace)
  const rules = gameFile === undefined ? games : [...games, await loadGame(gameFile, process.cwd())]
  signal?.throwIfAborted()
  const unjudged = new Map<string, number>()
  const judgeIt: Judge = (record) => {
    const definition = rules.find(({ game }) => game.id === record.game && game.version === record.version)
    if (definition !== undefined) return judge(definition, record)
    const what = `${record.game} version ${record.version}`
    unjudged.set(what, (unjudged.get(what) ?? 0) + 1)
    return undefined
  }
  const asked = { judge: judgeIt, mend, progress, only: contest === undefined ? undefined : isContest(contest) }
  const checked =
    server === undefined
      ? await checkStore(workspace, VERSION, asked)
      : await (await import('../../store/postgres/store.js')).checkServerStore(server, VERSION, asked, notice)
  const file = spelled(message`${option('game', 'FILE')}`, spell)
  for (const [what, n] of unjudged)
    notice(
      `${counted(n, 'match', 'matches')} of ${what} could not be judged: there are no such rules here (${file} names a game's)`,
    )
  return checked
}

/** The findings of a check of a store, for people: each with its remedy in a line of its own; commands and options as `spell` writes them. */
export function checkStoreText({ file, runs, matches, findings, copy }: CheckedStore, spell?: Spell): string {
  const looked = `${counted(runs, 'run')}, ${counted(matches, 'match', 'matches')}`
  if (findings.length === 0) return `${file}: whole (${looked})`
  const mend = message`${command('store check')} ${option('mend')} removes it, to be played again`
  const save = message`${command('export')} saves the runs that are whole; then put a copy of the store back`
  const lines = findings.map(({ what, mendable, mended }) => {
    const remedy = mended ? 'removed, to be played again' : spelled(mendable ? mend : save, spell)
    return visible(`${file}: ${what}: ${remedy}`)
  })
  lines.push(`${counted(findings.length, 'damage')} found (${looked})`)
  if (findings.some(({ mended }) => mended))
    lines.push(spelled(message`${command('run CONTEST')} ${option('resume')} plays what is missing`, spell))
  if (copy !== undefined) lines.push(`${copy} is the file as it was`)
  return lines.join('\n')
}
