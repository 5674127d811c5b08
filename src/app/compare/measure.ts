import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type BotModule,
  type GameDefinition,
  type Options,
  UserError,
  message,
  messageOf,
  option,
} from '../../core/index.js'
import { houseBots, importFresh } from '../../contest/index.js'
import { sequenceForm } from '../../lab/index.js'
import { type Measured, ModulePolicy, measuredBy } from './policy.js'

/** How much a best answer wins of a bot. */
export interface MeasuredBot extends Measured {
  readonly name: string
}

/**
 * Measures modules against their best answers. `bots`: house bots by name, or, where they are trusted, files. Throws UserError for a bot
 * whose policy cannot be asked for: a program, a module that does not load, throws, remembers, or answers what is not legal.
 */
export async function measured(
  definition: GameDefinition,
  options: Options,
  bots: readonly string[],
  trust: boolean,
): Promise<readonly MeasuredBot[]> {
  if (bots.length === 0) return []
  const form = sequenceForm(definition, options)
  const all: MeasuredBot[] = []
  for (const name of bots) {
    const file = fileOf(definition, name, trust)
    all.push({ name, ...(await measuredBy(form, new ModulePolicy(name, await loaded(name, file)))) })
  }
  return all
}

/** Modules that were loaded: a file that has changed since it was measured before is loaded again. */
let loads = 0

async function loaded(name: string, file: string): Promise<BotModule> {
  if (!existsSync(file)) throw new UserError(`there is no file ${name}: give the path of a module`)
  try {
    return (await importFresh(file, `measured ${loads++}`)) as BotModule
  } catch (error) {
    throw new UserError(`${name} cannot be measured: it does not load: ${messageOf(error).replace(/\s+/g, ' ')}`)
  }
}

function fileOf(definition: GameDefinition, name: string, trust: boolean): string {
  const house = houseBots(definition).find(({ spec }) => spec.name === name)
  if (house?.spec.module !== undefined) {
    const source = resolve(house.base, house.spec.module)
    // In the package it lies compiled.
    return existsSync(source) ? source : source.replace(/\.ts$/, '.js')
  }
  if (house !== undefined) throw new UserError(`${name} is a program: only modules can be asked for their policy`)
  if (!/\.[cm]?[jt]s$/.test(name))
    throw new UserError(
      `no house bot ${JSON.stringify(name)}, and no module's file: name one, or a file such as ./mybot.ts`,
    )
  if (!trust) throw new UserError(message`${name} would run in agon's own process: only ${option('trust')} allows it`)
  return resolve(name)
}
