import { join } from 'node:path'
import { type Answer, type BotInput, type BotOutput, flooded } from '../core/index.js'
import { type Running, deadline, describeEnding, placedWords, start, tooBusy } from '../sandbox/index.js'
import { makeFolder, readPlain, statOf, writePlain } from '../files/index.js'
import { type BotLife, type Program, environment } from './life.js'
import { PerTurnBot } from './per-turn.js'
import { PlainHost } from './plain-host.js'

export class TurnBot extends PerTurnBot<PlainHost> {
  private current: Running | undefined

  constructor(
    life: BotLife,
    private readonly program: Program,
  ) {
    super(life, new PlainHost(life, program))
  }

  protected async stop(): Promise<void> {
    const { current } = this
    current?.kill()
    await current?.ended.catch(() => undefined)
  }

  protected async call(input: BotInput, limit: number): Promise<Answer> {
    const { life, host, files } = this
    const answer = await this.run(input, limit)
    life.figures?.flush()
    if (files) host.room.trimState((there) => files.surplus(there, life.wire.state?.folder ?? ''))
    const rolledBack = host.room.keepWithinLimit()
    if (rolledBack !== undefined) this.noteRollback(rolledBack)
    return answer
  }

  private async run(input: BotInput, limit: number): Promise<Answer> {
    const { life, program } = this
    const words = placedWords(program.argv, program.source, program.room)
    makeFolder(program.room)
    const file = life.wire.file === undefined ? undefined : join(program.room, life.wire.file)
    if (life.wire.file !== undefined && input.file !== undefined)
      writePlain(program.room, life.wire.file, Buffer.from(input.file, 'latin1'))
    const argv = [...words, ...(file === undefined ? [] : [file]), ...(input.argv ?? [])]
    const env = environment(life.seed(this.match, this.calls++), program.room)
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
    if (input.lines) running.send(Buffer.from(input.lines.map((line) => `${line}\n`).join('')))
    running.endInput()
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
    if (stopped === undefined) this.host.disturbances.see(ending)
    if (ending.code === undefined) stopped ??= { trouble: 'crash', why: describeEnding(ending) }
    if (stopped) return { output: out === '' ? stopped : { out, ...stopped }, wallUs }
    const exit = ending.code !== 0 ? ending.code : undefined
    return { output: { out, exit, ...(file !== undefined && this.fileOutput(file)) }, wallUs }
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
