import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyWire } from '../../src/core/index.js'
import { BotFactory, type Seatable } from '../../src/engine/entrant.js'
import { SandboxPool } from '../../src/bots/index.js'
import { findIsolation, sandboxLimits } from '../../src/sandbox/index.js'
import { type Row, median, quick } from '../kit.js'

const ROUNDS = 9
/** Series of a round, of one question each. */
const SERIES = 40
const LIMIT_MS = 3

const wire: AnyWire = { transport: 'lines', summary: '', ask: () => ({}), read: () => '' }
const question = { input: { lines: ['q 12345'] }, view: undefined, number: 0, limit: 1000 }

/**
 * What a series costs beyond its bot's own start: the time from its beginning to its end, one question in it, less what the same program
 * takes to be started, to answer and to end without agon. The sandbox is there from the series before.
 */
export async function seriesRows(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agon-bench-series-'))
  chmodSync(folder, 0o755)
  const source = join(folder, 'source')
  mkdirSync(source)
  const program = join(source, 'answerer')
  const cells = fileURLToPath(new URL('../cells', import.meta.url))
  const starts = join(folder, 'starts')
  execFileSync('cc', ['-O2', '-static', '-o', program, join(cells, 'answerer.c')])
  execFileSync('cc', ['-O2', '-static', '-o', starts, join(cells, 'starts.c')])
  const vacant = new SandboxPool()
  try {
    const { launcher = '', program: bubblewrap = '' } = await findIsolation()
    const sandbox = { maker: { launcher, bubblewrap }, limits: sandboxLimits({}), warm: false }
    const entrant: Seatable = {
      name: 'bot',
      wire: 'lines',
      memory: 'series',
      run: { kind: 'process', argv: [program], source, sandbox },
    }
    const note = (): void => undefined
    const factory = new BotFactory({ seed: 'bench', wires: { lines: wire }, rooms: folder, limits: {}, note, vacant })
    const series = async (key: string): Promise<void> => {
      const bot = factory.bot(entrant, key)
      await bot.begin(key)
      const { output } = await bot.ask(question)
      if (output.out !== 'A') throw new Error(`the bot said ${JSON.stringify(output)}`)
      await bot.end()
      await bot.close()
    }
    const beyond: number[] = []
    for (let round = -1; round < ROUNDS; round++) {
      const began = performance.now()
      for (let n = 0; n < SERIES; n++) await series(`${round}/${n}`)
      const ours = (performance.now() - began) / SERIES
      const own = Number(execFileSync(starts, [program, String(SERIES)], { encoding: 'utf8' }))
      if (round >= 0) beyond.push(ours - own)
    }
    return [quick('a series beyond its bot’s own start, ms', median(beyond), LIMIT_MS)]
  } finally {
    await vacant.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
