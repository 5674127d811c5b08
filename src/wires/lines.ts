import type { Answer, Heard, Question, Say } from '../core/index.js'
import { Room, type Running, type Snapshot, deadline, describeEnding, start } from '../cells/index.js'
import { type Bot, type BotLife, type Program, environment, inRoom, livesOn } from './life.js'

/** Lines on a process that stays for a match, a series or a tournament. */
export class LinesBot implements Bot {
  private readonly room: Room
  private opened = false
  private running: Running | undefined
  /** What whoever asks next is told, because no more answers come in this match; and what all after him are told. */
  private gone: { now: Heard; later: Heard } | undefined
  /** What was read and belongs to no answer yet. */
  private pending = ''
  /** Who waits for the next line, or for the reason why there will be none. */
  private waiter: ((heard: Heard) => void) | undefined
  private match = ''
  /** What this match has said to a process that was there before it and has not answered yet; it may have gone between matches. */
  private unanswered: Say[] | undefined

  constructor(
    private readonly life: BotLife,
    private readonly program: Program,
  ) {
    this.room = new Room(program.source, program.room)
  }

  async begin(key: string): Promise<void> {
    this.match = key
    const lives = livesOn(this.life.memory)
    if (!lives) await this.stop()
    if (!this.opened || !lives) this.room.open()
    this.opened = true
    this.gone = undefined
    this.unanswered = this.running === undefined ? undefined : []
    // A process that has ended is started again for the next match; within a match it stays away.
    if (this.running === undefined) this.launch()
  }

  ready(say: Say | undefined, limit: number): Promise<Answer> {
    return this.exchange(say ?? {}, limit)
  }

  tell(say: Say): void {
    if (this.gone === undefined) this.write(say)
  }

  ask(question: Question): Promise<Answer> {
    return this.exchange(question.say, question.limit)
  }

  dismiss(): void {
    this.leave({ trouble: 'killed', why: 'it was ended' })
  }

  async end(): Promise<void> {
    if (livesOn(this.life.memory)) return
    await this.stop()
    this.room.close()
  }

  async close(): Promise<void> {
    const stopped = this.stop()
    // Whoever still asks is told so; nothing is started again.
    this.gone = { now: CLOSED, later: CLOSED }
    await stopped
    this.room.close()
  }

  snapshot(): Snapshot | undefined {
    return livesOn(this.life.memory) ? this.room.snapshot() : undefined
  }

  restore(snapshot: Snapshot): void {
    this.room.open(snapshot)
    this.opened = true
  }

  private launch(): void {
    const { life, program } = this
    this.gone = undefined
    this.pending = ''
    const env = environment(program.room, life.seed(livesOn(life.memory) ? life.key : this.match))
    const running = start({ argv: inRoom(program), cwd: program.room, env, stdin: 'pipe' }, life.stderr)
    this.running = running
    running.child.stdout?.setEncoding('latin1').on('data', (chunk: string) => this.read(running, chunk))
    void running.ended.then((ending) => {
      if (this.running === running) this.ended(describeEnding(ending))
    })
  }

  /** It went by itself: between matches that is its right, and it is started again; within one it is a crash. */
  private ended(why: string): void {
    this.running = undefined
    const said = this.unanswered
    this.unanswered = undefined
    if (this.gone !== undefined) return
    if (said === undefined) return this.leave({ trouble: 'crash', why })
    if (said.length === 0) return
    this.launch()
    for (const say of said) this.write(say)
  }

  private read(running: Running, chunk: string): void {
    if (this.running !== running) return
    this.pending = this.pending === '' ? chunk : this.pending + chunk
    const end = this.pending.indexOf('\n')
    const line = end < 0 ? this.pending.length : end
    if (line > this.life.output || this.pending.length > UNREAD_ANSWERS * this.life.output) {
      this.pending = ''
      this.leave({ trouble: 'flood', why: `printed more than ${this.life.output} bytes for one answer` })
    } else if (end >= 0 && this.waiter !== undefined) {
      const { waiter } = this
      this.waiter = undefined
      this.unanswered = undefined
      const out = this.pending.slice(0, this.pending[end - 1] === '\r' ? end - 1 : end)
      this.pending = this.pending.slice(end + 1)
      waiter({ out })
    }
  }

  /** The bot is out of this match: killed if it still runs, and whoever waits is told, else whoever asks next. */
  private leave(heard: Heard): void {
    if (this.gone !== undefined) return
    const later: Heard = {
      trouble: heard.trouble === 'crash' ? 'crash' : 'killed',
      why: `had left the match before: ${heard.why}`,
    }
    const { running, waiter } = this
    this.gone = { now: waiter === undefined ? heard : later, later }
    this.running = undefined
    this.waiter = undefined
    this.unanswered = undefined
    running?.kill()
    waiter?.(this.pending === '' ? heard : { ...heard, out: this.pending.slice(0, HALF_LINE) })
  }

  private exchange(say: Say, limit: number): Promise<Answer> {
    const began = performance.now()
    if (this.gone !== undefined) {
      const heard = this.gone.now
      this.gone.now = this.gone.later
      return Promise.resolve({ heard, wallUs: 0 })
    }
    return new Promise((done) => {
      // What was said before the question is no answer to it.
      this.pending = ''
      const callOff = deadline(limit, () => this.leave({ trouble: 'timeout', why: `no whole line within ${limit} ms` }))
      this.waiter = (heard) => {
        callOff()
        done({ heard, wallUs: (performance.now() - began) * 1000 })
      }
      this.write(say)
    })
  }

  private write(say: Say): void {
    const { lines } = say
    if (lines === undefined || lines.length === 0) return
    if (this.running === undefined) this.launch()
    else this.unanswered?.push(say)
    const stdin = this.running?.child.stdin
    if (stdin?.writable) stdin.write(lines.length === 1 ? `${lines[0]}\n` : `${lines.join('\n')}\n`)
  }

  private async stop(): Promise<void> {
    const { running } = this
    this.running = undefined
    this.gone = undefined
    if (running === undefined) return
    running.kill()
    await running.ended
  }
}

const CLOSED: Heard = { trouble: 'killed', why: 'the match was given up' }
/** Bytes of a half line that are kept for the fault. */
const HALF_LINE = 200
/** Answers' worth of lines that may lie unread, printed without being asked. */
const UNREAD_ANSWERS = 16
