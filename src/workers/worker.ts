import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { BusyError, UserError } from '../core/index.js'
import { HostError, pinThread, pipesIn } from '../sandbox/index.js'
import { Arena, Disturbed } from '../engine/index.js'
import type { Crewed, Order, Word } from './messages.js'
import { entrantOf } from './entrants.js'
import { recordGame } from '../contest/index.js'

/* A thread that plays units: it has bots and an arena of its own, and answers orders until it is told to end. */

const { game, options, entrants, ids, seed, limits, steps, holding, rooms, timed, core } = workerData as Crewed
const port = parentPort
if (port === null) throw new Error('started by agon as a thread, not by hand')
const say = (word: Word): void => port.postMessage(word)

if (core !== undefined && holding.maker) pinThread(holding.maker.launcher, core)
const pipes = join(rooms, 'pipes')
mkdirSync(pipes, { recursive: true })
pipesIn(pipes)

const kit = await recordGame(game.id, game.file)
const setup = {
  kit,
  options,
  entrants: entrants.map((one) => entrantOf(one, holding, limits)),
  ids,
  seed,
  limits,
  rooms: join(rooms, 'bots'),
  ...(steps !== undefined && { steps }),
  ...(game.file !== undefined && { gameFile: game.file }),
  ...(timed !== undefined && { timed }),
}
const arena = new Arena(setup, (note) => say({ note }))

port.on('message', (order: Order) => {
  if ('end' in order) void end()
  else void play(order)
})
say({ ready: true })

async function play({ play: played, unit, disturbed }: Exclude<Order, { end: true }>): Promise<void> {
  try {
    say({ played, records: await arena.unit(unit, disturbed) })
  } catch (error) {
    say({ played, kind: kindOf(error), why: error instanceof Error ? error.message : String(error) })
  }
}

function kindOf(error: unknown): 'disturbed' | 'busy' | 'host' | 'mistake' | 'fault' {
  if (error instanceof Disturbed) return 'disturbed'
  if (error instanceof BusyError) return 'busy'
  if (error instanceof HostError) return 'host'
  return error instanceof UserError ? 'mistake' : 'fault'
}

async function end(): Promise<void> {
  await arena.close()
  const stderr = entrants.map(({ name }) => [name, arena.stderr(name)] as const)
  say({ stderr: stderr.filter(([, text]) => text !== '') })
}
