import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

/** The command as npm installs it: what `npm run build` made. */
export const MAIN = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url))

export interface Ended {
  /** The exit code; null: a signal ended it. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Running {
  readonly ended: Promise<Ended>
  /** Sends a signal to agon alone, as a terminal's Ctrl-C does not reach bots in groups of their own. */
  signal(name: NodeJS.Signals): void
  /** Settles once standard error holds this text. */
  printed(text: string): Promise<void>
}

/** A temporary folder with files, and agon in it, with a workspace of its own. Removed after the tests of the file. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), 'agon-cli-'))

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [name, text] of Object.entries(files)) this.write(name, text)
    afterAll(() => {
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 })
    })
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names)
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true })
    writeFileSync(this.path(name), text)
  }

  /** Runs agon to its end, with this on its standard input. */
  agon(args: readonly string[], input = ''): Promise<Ended> {
    return this.start(args, input).ended
  }

  start(args: readonly string[], input = ''): Running {
    const env = { ...process.env, AGON_WORKSPACE: this.path('workspace') }
    const child = spawn(process.execPath, [MAIN, ...args], { cwd: this.folder, env })
    child.stdin.on('error', () => {
      // It has ended without reading.
    })
    child.stdin.end(input)
    let [stdout, stderr] = ['', '']
    const waiting = new Set<() => void>()
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
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
          if (!stderr.includes(text)) return
          waiting.delete(look)
          done()
        }
        waiting.add(look)
        look()
        void ended.then(() => failed(new Error(`ended without a word of ${text}: ${stderr}`)))
      })
    return { ended, printed, signal: (name) => void child.kill(name) }
  }
}

/** The last line of what was printed. */
export const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? ''

export const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
