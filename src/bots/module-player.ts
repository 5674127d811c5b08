import { type Bot, type Player, moduleWire } from '../core/index.js'
import { StderrTail } from '../sandbox/index.js'
import { FigureLog } from './figure-log.js'
import { OUTPUT_BYTES } from './life.js'
import { ModuleBot } from './module.js'

/* A file of its own: its types lead to none of Node's, so a program that uses the library needs none. */

/** A seat for a function in this process, for programs that use agon as a library; `seed` is what its chance comes from. */
export function modulePlayer(bot: Bot<unknown, string>, seed = 0): Player {
  const figures = new FigureLog(new StderrTail())
  const life = {
    name: 'bot',
    wire: moduleWire(),
    memory: 'tournament',
    key: '',
    seed: () => seed,
    outputBytes: OUTPUT_BYTES,
    updateLimit: 0,
    stderr: figures,
    figures,
    note: () => undefined,
  } as const
  return new ModuleBot(life, async () => bot)
}
