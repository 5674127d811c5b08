import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A server in a process of its own. */
export interface Child {
  readonly url: string
  readonly hostToken: string
  /** Seconds of processor time so far. */
  cpu(): number
  /** Bytes in memory. */
  memory(): number
  end(): Promise<void>
}

/** Starts Node with these arguments; the first line of its output is JSON with its address. */
export async function startChild(args: readonly string[]): Promise<Child> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const first = await new Promise<string>((done, failed) => {
    createInterface({ input: child.stdout }).once('line', done)
    child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)))
  })
  const { url, hostToken = '' } = JSON.parse(first) as { url: string; hostToken?: string }
  return {
    url,
    hostToken,
    cpu: () => {
      // utime and stime are the 14th and 15th fields, in hundredths of a second; a name in brackets may hold blanks.
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return (Number(fields[11]) + Number(fields[12])) / 100
    },
    memory: () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    end: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const over = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 15_000)
  await over
  clearTimeout(late)
}
