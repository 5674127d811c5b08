import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { MARKS, STATES, TEXT_AT, type ProgramStart } from './program-marks.js'

/*
 * The thread beside one that stands still until game programs answer: it starts them, drains their standard error (of which it keeps the
 * end), ends those that do not answer in time, and says how each has ended. A program's marks, memory that both threads share, tell it what
 * it waits for.
 */

/** Milliseconds between two looks. A machine that slept has looked once meanwhile. */
const LOOK_MS = 25
/** Characters of standard error kept. */
const KEPT = 4000

/** Starts a program, and keeps it until it has ended. */
function keep({ argv, cwd, env, input, output, data, firstData, limitMs, marks: memory }: ProgramStart): void {
  const marks = new Int32Array(memory)
  const [file = '', ...words] = argv
  const nothing = Array.from({ length: Math.max(0, firstData - 3) }, () => 'ignore' as const)
  const child = spawn(file, words, {
    cwd,
    env,
    detached: true,
    stdio: [input, output, 'pipe', ...(data.length > 0 ? nothing : []), ...data],
  })
  let stderr = ''
  let why = ''
  let question = 0
  let looks = 0

  const enter = (state: number): void => {
    Atomics.store(marks, MARKS.state, state)
    Atomics.notify(marks, MARKS.state)
  }
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, constants.signals.SIGKILL)
    } catch {
      // The whole group has ended already.
    }
  }
  const timer = setInterval(() => {
    const asked = Atomics.load(marks, MARKS.question)
    looks = asked === question ? looks + 1 : 0
    question = asked
    if (question === 0 || looks * LOOK_MS < limitMs) return
    looks = 0
    why = `has not answered within ${limitMs} ms`
    kill()
  }, LOOK_MS)
  const ended = (): void => {
    clearInterval(timer)
    const text = Buffer.from(JSON.stringify({ why, stderr: stderr.trim() }))
    new Uint8Array(memory, TEXT_AT).set(text)
    Atomics.store(marks, MARKS.length, text.length)
    enter(STATES.ended)
  }

  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-KEPT)
  })
  child.on('error', (error) => {
    why = `did not start: ${error.message}`
    ended()
  })
  child.on('exit', (code, signal) => {
    why ||= signal === null ? `ended with exit code ${code}` : `was killed (${signal})`
    kill()
  })
  child.on('close', ended)
  Atomics.store(marks, MARKS.pid, child.pid ?? 0)
  enter(STATES.runs)
}

parentPort?.on('message', keep)
