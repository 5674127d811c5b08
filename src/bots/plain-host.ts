import { PlainClock, Room, type Running, type Snapshot, start, waitsOf } from '../sandbox/index.js'
import { type BotLife, Disturbances, type Program, environment, inRoom, snapshotOf } from './life.js'
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
    const env = environment(seed, program.room)
    this.running = start({ argv: inRoom(program), cwd: program.room, env, stdin: 'pipe' }, life.stderr, output)
    return this.running
  }
  clock(onTime: (busy: boolean) => void): Clock {
    const waits = waitsOf(() => this.running?.group)
    return new PlainClock(onTime, waits, false, this.life.banked)
  }
  lost(): undefined {
    return undefined
  }
  async snapshot(): Promise<Snapshot | undefined> {
    return snapshotOf(this.room, this.life)
  }
  async amend(snapshot: Snapshot): Promise<void> {
    this.room.amend(snapshot)
  }
  async close(): Promise<void> {
    this.room.close()
  }
}
