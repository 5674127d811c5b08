import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endWithTest } from './started.js'

/** The command as npm installs it: what `npm run build` made. */
export const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url))

export interface Ended {
  /** The exit code; null: a signal ended it. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly pid: number | undefined
  readonly ended: Promise<Ended>
  /** Sends a signal to agon alone, as a terminal's Ctrl-C does not reach bots in groups of their own. */
  signal(name: NodeJS.Signals): void
  /** Settles once standard output or standard error holds this text. */
  printed(text: string): Promise<void>
}

/** Starts agon in a folder, with this on its standard input. */
export function startAgon(folder: string, args: readonly string[], env: NodeJS.ProcessEnv, input = ''): Running {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: folder, env: { ...process.env, ...env } })
  endWithTest(child)
  child.stdin.on('error', () => {
    // It has ended without reading.
  })
  child.stdin.end(input)
  let [stdout, stderr] = ['', '']
  const waiting = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    for (const look of waiting) look()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    for (const look of waiting) look()
  })
  const ended = new Promise<Ended>((done, failed) => {
    child.on('error', failed)
    child.on('close', (status) => done({ status, stdout, stderr }))
  })
  const printed = (text: string) =>
    new Promise<void>((done, failed) => {
      const look = () => {
        if (!stderr.includes(text) && !stdout.includes(text)) return
        waiting.delete(look)
        done()
      }
      waiting.add(look)
      look()
      void ended.then(() => failed(new Error(`ended without printing ${text}: ${stderr}`)))
    })
  return { pid: child.pid, ended, printed, signal: (name) => void child.kill(name) }
}
