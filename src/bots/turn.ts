import { join } from 'node:path'
import {
  type Answer,
  type BotOutput,
  type PrintedFigure,
  type Question,
  type BotInput,
  flooded,
} from '../core/index.js'
import { Room, type Running, type Snapshot, deadline, describeEnding, start, tooBusy } from '../sandbox/index.js'
import { makeFolder, readPlain, statOf, writePlain } from '../files/index.js'
import {
  type SeatedBot,
  type BotLife,
  CLOSED,
  type Disturbance,
  Disturbances,
  type Program,
  environment,
  inRoom,
  outlivesMatch,
  snapshotOf,
  stateFilesOf,
} from './life.js'
import type { StateFiles } from './state-files.js'

/** A process a question: arguments in; standard output, the exit code, or an appended file out. */
export class TurnBot implements SeatedBot {
  private readonly room: Room
  private readonly files: StateFiles | undefined
  private opened = false
  private match = ''
  private calls = 0
  private dismissed = false
  private closed = false
  private current: Running | undefined
  private readonly disturbances: Disturbances

  constructor(
    private readonly life: BotLife,
    private readonly program: Program,
  ) {
    this.room = new Room(program.source, program.room, life.wire.state)
    this.disturbances = new Disturbances(life.name)
    this.files = stateFilesOf(life)
  }

  async begin(key: string): Promise<void> {
    this.match = key
    this.calls = 0
    this.life.figures?.begin()
    this.dismissed = false
    if (!this.opened || !outlivesMatch(this.life.memory)) this.room.open()
    this.opened = true
  }

  ready(input: BotInput | undefined, limit: number): Promise<Answer> {
    return this.call(input ?? {}, limit)
  }

  async send(input: BotInput): Promise<void> {
    if (!this.closed && !this.dismissed) await this.call(input, this.life.updateLimit)
  }

  async ask(question: Question): Promise<Answer> {
    if (this.closed) return { output: CLOSED, wallUs: 0 }
    if (this.dismissed) return { output: { trouble: 'killed', why: 'was ended earlier in the match' }, wallUs: 0 }
    this.life.figures?.asked(question.number)
    return this.call(question.input, question.limit)
  }

  figures(): readonly PrintedFigure[] {
    return this.life.figures?.figures() ?? []
  }

  dismiss(): void {
    this.dismissed = true
    this.current?.kill()
  }

  async end(): Promise<void> {
    await this.stop()
    if (!outlivesMatch(this.life.memory)) this.room.close()
  }

  async close(): Promise<void> {
    this.closed = true
    await this.stop()
    this.room.close()
  }

  disturbed(): Disturbance | undefined {
    return this.disturbances.take()
  }

  snapshot(): Snapshot | undefined {
    return snapshotOf(this.room, this.life)
  }

  amend(snapshot: Snapshot): void {
    this.room.amend(snapshot)
  }

  restore(snapshot: Snapshot): void {
    this.room.open(snapshot)
    this.opened = true
  }

  /** A call that is under way when a match is given up. */
  private async stop(): Promise<void> {
    const { current } = this
    current?.kill()
    await current?.ended.catch(() => undefined)
  }

  private async call(input: BotInput, limit: number): Promise<Answer> {
    const answer = await this.run(input, limit)
    this.life.figures?.flush()
    if (this.files)
      this.room.removeState(this.files.surplus(this.room.stateFiles(), this.life.wire.state?.folder ?? ''))
    const rolledBack = this.room.keepWithinLimit()
    if (rolledBack !== undefined)
      this.life.note(`${this.life.name}: ${rolledBack}: rolled back (match ${this.match}, call ${this.calls})`)
    return answer
  }

  private async run(input: BotInput, limit: number): Promise<Answer> {
    const { life, program } = this
    makeFolder(program.room)
    const file = life.wire.file === undefined ? undefined : join(program.room, life.wire.file)
    if (life.wire.file !== undefined && input.file !== undefined)
      writePlain(program.room, life.wire.file, Buffer.from(input.file, 'latin1'))
    const argv = [...inRoom(program), ...(file === undefined ? [] : [file]), ...(input.argv ?? [])]
    const env = environment(program.room, life.seed(this.match, this.calls++))
    const began = performance.now()
    let out = ''
    let stopped: BotOutput | undefined
    const stop = (output: BotOutput) => {
      stopped ??= output
      running.kill()
    }
    const launch = { argv, cwd: program.room, env, stdin: input.lines ? 'pipe' : 'ignore' } as const
    const running: Running = start(launch, life.stderr, (bytes) => {
      if (stopped) return
      out += bytes.toString('latin1')
      if (out.length <= life.outputBytes) return
      out = ''
      stop(flooded(`printed more than ${life.outputBytes} bytes`))
    })
    this.current = running
    if (input.lines) running.stdin?.end(input.lines.map((line) => `${line}\n`).join(''))
    let busy = false
    const late = (others: boolean) => {
      busy = others
      stop({ trouble: 'timeout', why: `did not end within ${limit} ms` })
    }
    const callOff = deadline(limit, late, running.group)
    let wallUs: number | undefined
    running.exited(() => {
      wallUs = (performance.now() - began) * 1000
      callOff()
    })
    const ending = await running.ended.finally(() => {
      callOff()
      this.current = undefined
    })
    wallUs ??= (performance.now() - began) * 1000
    if (busy) throw tooBusy(life.name, limit)
    if (stopped === undefined) this.disturbances.see(ending)
    if (ending.code === undefined) stopped ??= { trouble: 'crash', why: describeEnding(ending) }
    if (stopped) return { output: out === '' ? stopped : { out, ...stopped }, wallUs }
    return {
      output: {
        out,
        exit: ending.code !== 0 ? ending.code : undefined,
        ...(file !== undefined && this.fileOutput(file)),
      },
      wallUs,
    }
  }

  /** The game file after the call; past the limit of an answer it is a flood. */
  private fileOutput(file: string): BotOutput {
    const there = statOf(file)
    if (!there?.isFile()) return {}
    if (there.size > this.life.outputBytes) return flooded(`made the file larger than ${this.life.outputBytes} bytes`)
    const text = readPlain(file, this.life.outputBytes)?.toString('latin1')
    return text === undefined ? {} : { file: text }
  }
}
