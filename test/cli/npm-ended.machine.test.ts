import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MAIN, Place, wait } from './agon.js'

/** Starts agon below a shell, as npx does. Resolves with the process's number once it listens, and what ends the shell alone. */
async function belowShell(place: Place, env: NodeJS.ProcessEnv): Promise<{ pid: number; end: () => void }> {
  const words = [process.execPath, MAIN, 'serve', '--port', '0']
  const shell = spawn('sh', ['-c', '"$@" & echo "pid $!"; wait', 'sh', ...words], {
    cwd: place.folder,
    env: { ...process.env, AGON_WORKSPACE: place.path('workspace'), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  shell.stdout.setEncoding('utf8').on('data', (more: string) => (text += more))
  while (!text.includes('http://')) await wait(20)
  return { pid: Number(/pid (\d+)/.exec(text)?.[1]), end: () => void shell.kill('SIGKILL') }
}

const isThere = (pid: number): boolean => existsSync(`/proc/${pid}/exe`)

describe.runIf(process.platform === 'linux')('npm that ends without its command', () => {
  it('ends the site that it started, but no site is ended that was left behind on purpose', async () => {
    const byNpm = await belowShell(new Place(), { npm_command: 'exec' })
    const left = await belowShell(new Place(), { npm_command: undefined })
    try {
      expect([byNpm, left].map(({ pid }) => isThere(pid))).toEqual([true, true])
      byNpm.end()
      left.end()
      for (let n = 0; n < 400 && isThere(byNpm.pid); n++) await wait(50)
      expect([byNpm, left].map(({ pid }) => isThere(pid))).toEqual([false, true])
    } finally {
      for (const { pid } of [byNpm, left]) if (isThere(pid)) process.kill(pid, 'SIGKILL')
    }
  }, 60_000)
})
