import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AnyWire, Memory } from '../core/index.js'
import { StderrTail, sandboxLimits, findIsolation } from '../sandbox/index.js'
import { SandboxTurnBot } from './sandbox-turn.js'
import { SandboxPool } from './sandbox-pool.js'

const { launcher, program: bubblewrap } = await findIsolation()
const source = mkdtempSync(join(tmpdir(), 'agon-pool-'))
mkdirSync(join(source, 'state'))
afterAll(() => rmSync(source, { recursive: true, force: true }))

const wire: AnyWire = {
  summary: 'a process a turn that keeps files',
  transport: 'turn',
  state: { folder: 'state', bytes: 1000 },
  ask: () => ({}),
  read: () => '',
}

describe.skipIf(launcher === undefined || bubblewrap === undefined)('a cell that its bot has left', () => {
  let pool = new SandboxPool()
  beforeEach(() => {
    pool = new SandboxPool()
  })
  afterEach(() => pool.close())

  /** A bot that runs a script each turn. */
  const bot = (
    script: string,
    place: { from?: SandboxPool; to?: SandboxPool },
    name = 'Ant',
    memory: Memory = 'tournament',
  ) =>
    new SandboxTurnBot(
      {
        name,
        wire,
        memory,
        key: 'tournament',
        seed: () => 1,
        outputBytes: 1000,
        updateLimit: 1000,
        stderr: new StderrTail(),
        note: () => undefined,
      },
      { argv: ['/bin/sh', '-c', script], source, room: join(source, 'room') },
      {
        maker: { launcher: launcher ?? '', bubblewrap: bubblewrap ?? '' },
        limits: sandboxLimits({}),
        warm: true,
        ...place,
      },
    )
  const outputOf = async (asked: SandboxTurnBot): Promise<string | undefined> => {
    await asked.begin('match')
    const { output } = await asked.ask({ input: {}, view: undefined, number: 0, limit: 5000 })
    return output.out
  }
  /** Sandboxes are told apart by the address of their network, which is each one's own. */
  const WHICH = 'readlink /proc/self/ns/net'

  it('is the next one’s of the same entrant, once, with nothing left in it', async () => {
    const first = bot(`${WHICH}; echo x >state/mine; echo x >/tmp/mine`, { to: pool })
    const which = await outputOf(first)
    expect(which).toMatch(/^net:/)
    await first.close()
    const second = bot(`${WHICH}; ls state /tmp`, { from: pool })
    const third = bot(WHICH, { from: pool })
    try {
      const lines = (await outputOf(second))?.split('\n') ?? []
      expect(`${lines[0]}\n`).toBe(which)
      expect(lines.slice(1).join('\n')).not.toContain('mine')
      expect(await outputOf(third)).not.toBe(which)
    } finally {
      await Promise.all([second.close(), third.close()])
    }
  })

  it('is nobody else’s', async () => {
    const ant = bot(WHICH, { to: pool })
    const which = await outputOf(ant)
    await ant.close()
    const bee = bot(WHICH, { from: pool }, 'Bee')
    expect(await outputOf(bee)).not.toBe(which)
    await bee.close()
  })

  it('is closed where nobody comes, or the place is closed', async () => {
    const ant = bot('echo here', { to: pool })
    await outputOf(ant)
    await ant.close()
    await pool.close()
    expect(pool.take('Ant')).toBeUndefined()
    const late = bot('echo here', { to: pool })
    await outputOf(late)
    await late.close()
    expect(pool.take('Ant')).toBeUndefined()
  })

  it('is not kept where its memory was used up, or it has ended', async () => {
    const closed: string[] = []
    const opened = (gone: boolean, killed: number) => ({
      sandbox: { gone, fresh: () => undefined },
      outOfMemory: () => killed,
      close: async () => void closed.push(`${gone} ${killed}`),
    })
    for (const [gone, killed] of [
      [true, 0],
      [false, 1],
    ] as const)
      await pool.leave('Ant', { opened: opened(gone, killed) as never, warmed: false })
    expect(closed).toEqual(['true 0', 'false 1'])
    expect(pool.take('Ant')).toBeUndefined()
  })
})
