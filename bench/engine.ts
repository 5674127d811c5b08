import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { durableServer } from '../test/kit/postgres.js'
import { Bench } from './engine/processes.js'
import { enqueue, urgent } from './engine/queue.js'
import type { Row } from './kit.js'

export const measures =
  'many machines: what workers lose of their time, what a match costs more, how soon a requested one is played'
export const parts = ['ideal', 'cost', 'idle', 'enqueue', 'urgent']

export default async function engine(
  _full: boolean,
  isQuick: boolean,
  wanted: readonly string[] = [],
): Promise<readonly Row[]> {
  const size = (matches: number, share = 10): number => (isQuick ? matches / share : matches)
  const folder = mkdtempSync(join(tmpdir(), 'agon-engine-'))
  const server = await durableServer()
  const bench = new Bench(folder, server)
  const measured: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
    ideal: async () => [await bench.ideal(size(1600))],
    cost: async () => [
      ...(await bench.cost('modules', 'module = "quick.mjs"', size(40_000, 4), '--trust')),
      ...(await bench.cost('programs', 'command = ["sh", "quick.sh"]', size(8000, 4))),
    ],
    idle: () => bench.idle(),
    enqueue: async () => enqueue(await server.database(), size(1_000_000)),
    urgent: async () => urgent(await server.database(), size(100_000)),
  }
  try {
    const rows: Row[] = []
    for (const [name, measure] of Object.entries(measured))
      if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await measure()))
    return rows
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
