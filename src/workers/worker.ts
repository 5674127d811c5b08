import { mkdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { markCallsIn, recordGame } from '../contest/index.js'
import { Arena, workersHere } from '../engine/index.js'
import { attempt } from '../files/index.js'
import { pinThread, pipesIn } from '../sandbox/index.js'
import { playableRun } from '../engine/seating.js'
import type { Question, Request, Response, ThreadStart } from './thread.js'

/* A thread that plays jobs with bots and an arena of its own, until it is ended. */

const { run, place } = workerData as ThreadStart
const { game } = run
const { isolation, rooms, timed, core, calls } = place
const port = parentPort
if (port === null) throw new Error('started by agon as a thread, not by hand')
const respond = (response: Response): void => port.postMessage(response)

if (core !== undefined && isolation.maker) pinThread(isolation.maker.launcher, core)
const pipes = join(rooms, 'pipes')
mkdirSync(pipes, { recursive: true })
pipesIn(pipes)

/** The system's number of this thread; 0 where unknown (Linux tells). */
const ownThread = Number(
  attempt(() => readlinkSync('/proc/thread-self'))
    ?.split('/')
    .at(-1) ?? 0,
)
if (calls !== undefined) markCallsIn(calls, ownThread)
const definition = await recordGame(game.id, game.file, undefined, run.contest.limits['game'])
if (definition.game.version !== game.version)
  throw new Error(`${game.id} is of version ${definition.game.version} here, and of version ${game.version} in the run`)

const playable = playableRun(run, definition, isolation)
const arena = new Arena(playable, { rooms: join(rooms, 'bots'), timed }, (note) => respond({ note }))
const workers = workersHere(arena)

port.on('message', (request: Request) => {
  if ('abandon' in request) arena.abandon(request.abandon)
  else if ('end' in request) void workers.close().then((stderr) => respond({ stderr: [...stderr] }))
  else void answer(request)
})
respond({ ready: true })

async function answer(request: Question & { readonly number: number }): Promise<void> {
  const isLook = 'keys' in request
  const given = isLook ? arena.live.look(request.keys, request.seen) : await workers.play(request.jobs)
  respond({ number: request.number, answer: given })
}
