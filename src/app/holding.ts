import type { Command } from 'commander'
import { UserError } from '../core/index.js'
import { cellLimits, findIsolation } from '../sandbox/index.js'
import type { Hold } from '../build/index.js'
import { distrust } from '../files/index.js'
import { tell } from '../cli/terminal.js'
import { workspaceFolder } from './workspace.js'

/** What the verbs that run bots take. */
export interface IsolationOptions {
  readonly unsafeNoIsolation?: boolean
  readonly trust?: boolean
}

/** How bots are held on this machine, as the user wishes. */
export type Holding = Hold

export function addIsolationOptions(command: Command): Command {
  return command
    .option('--unsafe-no-isolation', 'run all bots among your own processes: they can read your files')
    .option('--trust', "run strangers' modules in agon's own process")
}

/** Looks at the machine. `bots`: where there are house bots alone, nothing is refused, and a line says what is lacking. */
export async function holdingFor(
  given: IsolationOptions,
  bots: readonly { readonly house: boolean }[],
): Promise<Holding> {
  const trust = given.trust === true
  if (given.unsafeNoIsolation) {
    if (bots.some(({ house }) => !house)) note('no isolation: these bots can read your files and use your network')
    return { trust }
  }
  distrust(workspaceFolder())
  const { launcher, program, lacks, remedy, trouble } = await findIsolation()
  if (trouble) throw new UserError(`this machine lacks ${lacks}; mend it: ${remedy}`)
  if (launcher !== undefined && program !== undefined) return { maker: { launcher, bubblewrap: program }, trust }
  if (bots.some(({ house }) => house)) note(`house bots run without cells: this machine lacks ${lacks} (${remedy})`)
  return {
    trust,
    refusal: `it is a stranger's, and this machine lacks ${lacks} to hold it: ${remedy}, or --unsafe-no-isolation for a bot that you trust`,
  }
}

let noted = ''
function note(text: string): void {
  if (noted !== text) tell(text)
  noted = text
}

/** What a bot's cell is made with, where it lives in one. */
export function cellOf(holding: Holding, limits: Readonly<Record<string, number>>, warm = true, strict = false) {
  return holding.maker && { maker: holding.maker, limits: cellLimits(limits), warm: warm && !strict, strict }
}
