import { type Entrant, type GameDefinition, type Run, botOf, derive, newLuck, shuffle } from '../core/index.js'
import { type BotIsolation, type BuiltEntrant, freshLoads, runnerOf, wasBuilt } from '../build/index.js'
import type { PlayableRun, Seatable } from './entrant.js'
import { sandboxLimits } from '../sandbox/index.js'
import type { RemoteSeats, SandboxSetting } from '../bots/index.js'

/** Where entrants' sandboxes come from and go to, and where remote bots sit; without `seats` none can. */
export interface SeatingPlace extends Pick<SandboxSetting, 'from' | 'to'> {
  readonly seats?: RemoteSeats
}

/** What starts an entrant: programs in sandboxes, if this machine has them. */
export function seatable<One extends BuiltEntrant>(
  entrant: One,
  isolation: BotIsolation,
  limits: Readonly<Record<string, number>>,
  { seats, ...pool }: SeatingPlace = {},
): One & Seatable {
  const { program, house } = entrant
  if (program.kind === 'remote') return { ...entrant, run: { ...program, seats } }
  const made = sandboxOf(isolation, limits, entrant)
  const sandbox = made && { ...made, ...pool }
  if (program.kind === 'process')
    return { ...entrant, run: { kind: 'process', argv: program.argv, source: program.cwd, sandbox } }
  const { file, folder } = program
  if (!house && !isolation.trust && sandbox !== undefined && folder !== undefined)
    return { ...entrant, run: { kind: 'runner', ...runnerOf(file, entrant.with), source: folder, sandbox } }
  const load = freshLoads(file)
  return { ...entrant, run: { kind: 'module', load: async () => botOf(await load(), entrant.with) } }
}

/** The options of a bot's sandbox; undefined: it has none. */
const sandboxOf = (
  { maker }: BotIsolation,
  limits: Readonly<Record<string, number>>,
  { warm = true, strict = false }: Entrant,
): SandboxSetting | undefined => maker && { maker, limits: sandboxLimits(limits), warm: warm && !strict, strict }

export function playableRun(
  run: Run,
  definition: GameDefinition,
  isolation: BotIsolation,
  place?: SeatingPlace,
): PlayableRun {
  const ids = idsOf(run)
  const entrants = run.entrants.map((entrant, i) => {
    if (!wasBuilt(entrant)) throw new Error(`nothing was made of ${entrant.name} here`)
    return { ...seatable(entrant, isolation, run.contest.limits, place), id: ids[i] as number }
  })
  return { ...run, definition, entrants }
}

/** Whether ending a thread ends all bots of a run: a program outside a sandbox is left behind. */
export const endWithThread = ({ entrants }: Run, { maker }: BotIsolation): boolean =>
  maker !== undefined || entrants.every(({ program }) => program?.kind !== 'process')

/** The numbers shown by historic wires: shuffled for each tournament, the same within it. */
function idsOf({ seed, entrants }: Run): number[] {
  const names = entrants.map(({ name }) => name)
  const [order] = shuffle(newLuck(derive('ids', seed)), [...names].sort())
  const ids = new Map(order.map((name, id) => [name, id]))
  return names.map((name) => ids.get(name) as number)
}
