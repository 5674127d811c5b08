import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Sandbox, startSandbox } from './sandbox.js'
import { DEFAULT_LIMITS } from './limits.js'
import { findIsolation } from './doctor.js'
import type { SandboxSpec } from './sandbox-spec.js'

const { launcher = '', program: bubblewrap } = await findIsolation()
const spec = (more: Partial<SandboxSpec> = {}): SandboxSpec => ({
  launcher,
  bubblewrap: bubblewrap ?? '',
  also: [],
  tools: {},
  limits: DEFAULT_LIMITS,
  ...more,
})
const turn = {
  argv: ['/bin/echo', 'here'],
  env: {},
  folder: '/',
  limit: 20_000,
  output: 1000,
  errors: 1000,
  wipe: false,
}

/** The second word behind a process's name: its parent. */
const parentOf = (pid: number | undefined): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[1])
const commandOf = (pid: number): string[] => readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')

async function withSandboxes(count: number, work: (sandboxes: readonly Sandbox[]) => Promise<void>): Promise<void> {
  const sandboxes = await Promise.all(Array.from({ length: count }, () => startSandbox(spec())))
  try {
    await work(sandboxes)
  } finally {
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()))
  }
}

it('starts all sandboxes of a thread from one process beside it, which agon has started', () =>
  withSandboxes(5, async (sandboxes) => {
    const [spawner = 0, ...others] = new Set(sandboxes.map(({ pid }) => parentOf(pid)))
    expect(others).toEqual([])
    expect(commandOf(spawner).slice(0, 2)).toEqual([launcher, 'spawner'])
    expect(parentOf(spawner)).toBe(process.pid)
    for (const sandbox of sandboxes) expect((await sandbox.turn(turn)).out).toBe('here\n')
  }))

it('stands still while nothing is asked of it and nothing ends', () =>
  withSandboxes(1, async ([sandbox]) => {
    const spawner = parentOf(sandbox?.pid)
    const ran = (): string | undefined => readFileSync(`/proc/${spawner}/schedstat`, 'latin1').split(' ')[2]
    await expect.poll(() => readFileSync(`/proc/${spawner}/status`, 'latin1')).toMatch(/^State:\s+S/m)
    const before = ran()
    await new Promise((done) => setTimeout(done, 100))
    expect(ran()).toBe(before)
  }))

it('has its sandboxes end with it, from outside as they know, and another one serve the next', () =>
  withSandboxes(2, async (sandboxes) => {
    const spawner = parentOf(sandboxes[0]?.pid)
    process.kill(spawner, 'SIGKILL')
    for (const sandbox of sandboxes) {
      await sandbox.closed
      expect(sandbox.fate.outside).toBe('certain')
      await expect.poll(() => isGone(sandbox.pid)).toBe(true)
    }
    await withSandboxes(1, async ([next]) => {
      expect(parentOf(next?.pid)).not.toBe(spawner)
      expect((await next?.turn(turn))?.out).toBe('here\n')
    })
  }))

it('tells why a program could not be started, and starts the next one', async () => {
  await expect(startSandbox(spec({ prefix: ['/nowhere/setpriv'] }))).rejects.toThrow(
    "the sandbox's launcher could not be started: ENOENT",
  )
  await withSandboxes(1, async ([sandbox]) => expect((await sandbox?.turn(turn))?.out).toBe('here\n'))
})

it('keeps no descriptor of a sandbox that is closed before it runs', async () => {
  const held = (): number => readdirSync('/proc/self/fd').length
  const closed = (): Promise<void> => new Sandbox(spec()).close()
  await closed()
  const before = held()
  await Promise.all(Array.from({ length: 20 }, closed))
  expect(held()).toBe(before)
})

it('leaves nothing open where this machine has no more descriptors for a sandbox', () => {
  const code = `
    import { closeSync, openSync, readdirSync } from 'node:fs'
    import { ProgramPipes } from ${JSON.stringify(new URL('pipe.ts', import.meta.url).href)}
    const held = () => readdirSync('/proc/self/fd').length
    const open = () => new ProgramPipes(() => undefined, () => undefined)
    open()
    const before = held()
    for (const room of [1, 2, 3, 4, 5]) {
      const taken = []
      try { for (;;) taken.push(openSync('/dev/null')) } catch {}
      for (const fd of taken.splice(0, room)) closeSync(fd)
      try { open(); console.log('opened') } catch (error) { console.log(error.code) }
      for (const fd of taken) closeSync(fd)
    }
    console.log(held() - before)
    process.exit()`
  const words = ['-c', 'ulimit -n 300; exec "$@"', 'sh', process.execPath, '--import', import.meta.resolve('tsx')]
  const out = execFileSync('sh', [...words, '--input-type=module', '-e', code], { encoding: 'utf8' })
  expect(out.trim().split('\n')).toEqual([...Array.from({ length: 5 }, () => 'EMFILE'), '0'])
})

function isGone(pid: number | undefined): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'))
  } catch {
    return true
  }
}
