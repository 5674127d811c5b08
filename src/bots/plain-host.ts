import {
  PlainClock,
  Room,
  type Running,
  SNAPSHOT_BYTES,
  type Snapshot,
  placedWords,
  start,
  waitsOf,
} from '../sandbox/index.js'
import { type BotLife, Disturbances, type Program, environment, outlivesMatch } from './life.js'
import type { Clock, ProcessHost } from './process-host.js'

/** A folder of the host, where nothing holds the bot. */
export class PlainHost implements ProcessHost {
  readonly disturbances: Disturbances
  readonly room: Room
  private running: Running | undefined
  private opened = false

  constructor(
    private readonly life: BotLife,
    private readonly program: Program,
  ) {
    this.room = new Room(program.source, program.room, life.wire.state)
    this.disturbances = new Disturbances(life.name)
  }

  async ready(fresh: boolean, snapshot?: Snapshot): Promise<void> {
    if (!this.opened || fresh) this.room.open(snapshot)
    this.opened = true
  }
  start(seed: number, output: (bytes: Buffer) => void): Running {
    const { life, program } = this
    const argv = placedWords(program.argv, program.source, program.room)
    const env = environment(seed, program.room)
    return (this.running = start({ argv, cwd: program.room, env, stdin: 'pipe' }, life.stderr, output))
  }
  clock(onTime: (busy: boolean) => void): Clock {
    const waits = waitsOf(() => this.running?.group)
    return new PlainClock(onTime, waits, false, this.life.banked)
  }
  lost(): undefined {
    return undefined
  }
  async snapshot(): Promise<Snapshot | undefined> {
    const { life } = this
    if (!outlivesMatch(life.memory)) return undefined
    const { files, leftOut } = this.room.snapshot()
    const most = `a bot may leave ${SNAPSHOT_BYTES} bytes in its folder`
    if (leftOut > 0) life.note(`${life.name}: ${leftOut} of its files are not kept: ${most}`)
    return files
  }
  async amend(snapshot: Snapshot): Promise<void> {
    this.room.amend(snapshot)
  }
  async close(): Promise<void> {
    this.room.close()
  }
}
