import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { MARKS, STATES, TEXT_AT, type ProgramStart } from './program-marks.js'

/*
 * The thread beside one that asks game programs and stands still until they answer: it starts them, drains their standard error, of which it
 * keeps the end, ends those that do not answer in time, and says how each has ended. A program's marks tell it what it waits for; they are
 * memory that both threads share.
 */

/** Milliseconds between two looks. A machine that slept has looked once meanwhile. */
const LOOK_MS = 25
/** Characters of standard error that are kept. */
const KEPT = 4000

class Kept {
  private readonly marks: Int32Array
  private readonly child: ChildProcess
  private stderr = ''
  private why = ''
  private question = 0
  private looks = 0

  constructor(
    private readonly start: ProgramStart,
    private readonly gone: () => void,
  ) {
    this.marks = new Int32Array(start.marks)
    const { argv, cwd, env, input, output, data } = start
    const [file = '', ...words] = argv
    const nothing = Array.from({ length: Math.max(0, start.firstData - 3) }, () => 'ignore' as const)
    this.child = spawn(file, words, {
      cwd,
      env,
      detached: true,
      stdio: [input, output, 'pipe', ...(data.length > 0 ? nothing : []), ...data],
    })
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString('utf8')).slice(-KEPT)
    })
    this.child.on('error', (error) => {
      this.why = `did not start: ${error.message}`
      this.ended()
    })
    this.child.on('exit', (code, signal) => {
      this.why ||= signal === null ? `ended with exit code ${code}` : `was killed (${signal})`
      this.kill()
    })
    this.child.on('close', () => this.ended())
    Atomics.store(this.marks, MARKS.pid, this.child.pid ?? 0)
    this.state(STATES.runs)
  }

  /** Ends it if it has not answered for as long as it may take. */
  look(): void {
    const question = Atomics.load(this.marks, MARKS.question)
    this.looks = question === this.question ? this.looks + 1 : 0
    this.question = question
    if (question === 0 || this.looks * LOOK_MS < this.start.limitMs) return
    this.looks = 0
    this.why = `has not answered within ${this.start.limitMs} ms`
    this.kill()
  }

  private kill(): void {
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, constants.signals.SIGKILL)
    } catch {
      // The whole group has ended already.
    }
  }

  private ended(): void {
    const text = Buffer.from(JSON.stringify({ why: this.why, stderr: this.stderr.trim() }))
    new Uint8Array(this.start.marks, TEXT_AT).set(text)
    Atomics.store(this.marks, MARKS.length, text.length)
    this.state(STATES.ended)
    this.gone()
  }

  private state(state: number): void {
    Atomics.store(this.marks, MARKS.state, state)
    Atomics.notify(this.marks, MARKS.state)
  }
}

const kept = new Set<Kept>()
setInterval(() => {
  for (const one of kept) one.look()
}, LOOK_MS)

parentPort?.on('message', (start: ProgramStart) => {
  const one: Kept = new Kept(start, () => kept.delete(one))
  kept.add(one)
})
