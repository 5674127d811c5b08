import type { PrintedFigure } from '../core/index.js'
import type { Snapshot } from '../sandbox/index.js'
import type { BotLife, Disturbance } from './life.js'
import type { ProcessHost } from './process-host.js'

/** What is the same of all bots whose programs live in a process host: what was done to them, and their disk. */
export abstract class HostedBot<Host extends ProcessHost> {
  constructor(
    protected readonly life: BotLife,
    protected readonly host: Host,
  ) {}

  figures(): readonly PrintedFigure[] {
    return this.life.figures?.figures() ?? []
  }

  disturbed(): Disturbance | undefined {
    return this.host.disturbances.take()
  }

  snapshot(): Promise<Snapshot | undefined> | Snapshot | undefined {
    return this.host.snapshot()
  }

  restore(snapshot: Snapshot): Promise<void> | void {
    return this.host.ready(true, snapshot)
  }

  amend(snapshot: Snapshot): Promise<void> {
    return this.host.amend(snapshot)
  }
}
