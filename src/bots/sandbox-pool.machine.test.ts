import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AnyWire, Memory } from '../core/index.js'
import { StderrTail, sandboxLimits, findIsolation } from '../sandbox/index.js'
import type { BotLife } from './life.js'
import { LinesBot } from './lines.js'
import { SandboxHost, type SandboxSetting } from './process-host.js'
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

describe.skipIf(launcher === undefined || bubblewrap === undefined)('a sandbox that its bot has left', () => {
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
  /** Sandboxes are told apart by their network's address. */
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

  it('is given to no other bot', async () => {
    const ant = bot(WHICH, { to: pool })
    const which = await outputOf(ant)
    await ant.close()
    const bee = bot(WHICH, { from: pool }, 'Bee')
    expect(await outputOf(bee)).not.toBe(which)
    await bee.close()
  })

  it('is closed where no bot takes it, or the place is closed', async () => {
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
      gone,
      outOfMemory: () => killed,
      close: async () => void closed.push(`${gone} ${killed}`),
    })
    for (const [gone, killed] of [
      [true, 0],
      [false, 1],
    ] as const)
      await pool.leave('Ant', opened(gone, killed) as never)
    expect(closed).toEqual(['true 0', 'false 1'])
    expect(pool.take('Ant')).toBeUndefined()
  })

  describe('of a program that stays', () => {
    const script = `$| = 1; my $n = 0; while (<STDIN>) { $n++; my $left = join ',', glob '/tmp/* /dev/shm/* mine*';
      open F, '>', $_ for '/tmp/mine', 'mine'; print readlink('/proc/self/ns/net'), " $n $left\\n" }`
    const staying = (memory: Memory, places: Partial<SandboxSetting>, text = script): LinesBot => {
      const life = {
        name: 'Ant',
        wire: { ...wire, transport: 'lines' as const, state: undefined },
        memory,
        key: 'life',
        seed: () => 1,
        outputBytes: 1000,
        updateLimit: 1000,
        stderr: new StderrTail(),
        note: () => undefined,
      } as unknown as BotLife
      const program = { argv: ['/usr/bin/perl', '-e', text], source, room: join(source, 'room') }
      const maker = { launcher: launcher ?? '', bubblewrap: bubblewrap ?? '' }
      const setting = { maker, limits: sandboxLimits({}), warm: false, ...places }
      return new LinesBot(life, new SandboxHost(life, program, setting, true))
    }
    const answered = async (asked: LinesBot): Promise<string[]> => {
      await asked.begin('match')
      const answer = await asked.ask({ input: { lines: ['x'] }, view: undefined, number: 0, limit: 5000 })
      await asked.close()
      return (answer.output.out ?? '').split(' ')
    }

    it('is the next series’, whose process is another, and finds nothing', async () => {
      const [which, one, left] = await answered(staying('series', { from: pool, to: pool }))
      expect([which, one, left]).toEqual([expect.stringMatching(/^net:/), '1', ''])
      // It is still there: a number that was given back could be another's.
      const idle = pool.take('Ant')
      expect(idle).toBeDefined()
      if (idle !== undefined) await pool.leave('Ant', idle)
      expect(await answered(staying('series', { from: pool, to: pool }))).toEqual([which, '1', ''])
    })

    it.each<[Memory, boolean | undefined, boolean]>([
      ['match', undefined, true],
      ['match', true, false],
      ['series', undefined, true],
      ['series', true, false],
    ])(
      'of memory %s, and strict %s: its process number tells of the life before: %s',
      async (memory, strict, tells) => {
        const setting = { from: pool, to: pool, strict }
        const own = (): LinesBot => staying(memory, setting, 'while (<STDIN>) { $| = 1; print "$$\n" }')
        const numberOf = async (of: LinesBot): Promise<number> => {
          await of.begin('match')
          const { output } = await of.ask({ input: { lines: ['x'] }, view: undefined, number: 0, limit: 5000 })
          await of.end()
          return Number(output.out)
        }
        const first = own()
        const before = await numberOf(first)
        expect(before).toBeGreaterThan(0)
        // A series has a bot of its own; a match is the next one of the same bot.
        if (memory === 'series') await first.close()
        const next = memory === 'series' ? own() : first
        expect((await numberOf(next)) > before).toBe(tells)
        await next.close()
      },
    )

    it('is not kept of one that lives through the tournament', async () => {
      expect(await answered(staying('tournament', { from: pool, to: pool }))).toHaveLength(3)
      expect(pool.take('Ant')).toBeUndefined()
    })
  })
})
