import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { wiresOf } from '../src/core/index.js'
import { BotFactory } from '../src/engine/index.js'
import gunduel from '../src/games/gunduel/index.js'
import type { Row } from './kit.js'
import { median } from './kit.js'

export const measures =
  'questions and answers a second with a process that stays, against a bare ping-pong in C over two pipes'

const ROUNDS = 15
const TRIPS = 10_000

/** Both talk to the same program, in turns, neither pinned to a core; each figure is the median of its rounds. */
export default async function pipes(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agon-pipes-'))
  const program = join(folder, 'echo')
  const source = join(folder, 'source')
  mkdirSync(source)
  execFileSync('cc', ['-O2', join(import.meta.dirname, 'pipes.c'), '-o', program])
  const wires = wiresOf(gunduel, gunduel.game.options)
  const factory = new BotFactory({ seed: '', wires, rooms: join(folder, 'rooms'), limits: {}, note: () => undefined })
  const run = { kind: 'process', argv: [program], source } as const
  const bot = factory.bot({ name: 'echo', wire: 'jsonl', memory: 'tournament', run }, 'bench')
  const question = { input: { lines: ['F'] }, view: undefined, number: 0, limit: 1000 }
  try {
    await bot.begin('bench')
    const ours = async (trips: number): Promise<number> => {
      const began = performance.now()
      for (let trip = 0; trip < trips; trip++) {
        const { output } = await bot.ask(question)
        if (output.out !== 'F') throw new Error(`the echo said ${JSON.stringify(output)}`)
      }
      return (trips / (performance.now() - began)) * 1000
    }
    const bare = (trips: number): number => Number(execFileSync(program, [String(trips)], { encoding: 'utf8' }))
    await ours(2 * TRIPS)
    bare(TRIPS)
    const rounds: { ours: number; bare: number }[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push({ ours: await ours(TRIPS), bare: bare(TRIPS) })
    const value = median(rounds.map((round) => round.ours))
    const limit = median(rounds.map((round) => round.bare))
    // Round by round, so that what else this machine does weighs on both.
    const ratio = median(rounds.map((round) => round.ours / round.bare))
    return [{ name: 'pipes', value, limit, ratio, goal: 0.5 }]
  } finally {
    await bot.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
