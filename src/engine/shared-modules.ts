import type { TimedSlots, SeatedBot, SharedModule } from '../bots/index.js'
import type { BotFactory, Seatable } from './entrant.js'

/** Idle processes kept at most: each is a Node. */
const IDLE = 16

/** Lives begun in a process until another takes its place: Node keeps 1 to 2 KB of each realm that is gone. */
const LIVES = 20_000

/** A thread's processes of strangers' modules in which many matches are played: one an entrant at most. */
export class SharedModules {
  /** The last used is last. */
  private readonly processes = new Map<string, SharedModule>()
  /** Entrants whose lives each have a process of their own from now on. */
  private readonly alone = new Set<string>()
  /** Those that begin no more lives, until their last one ends. */
  private readonly leaving = new Set<SharedModule>()

  constructor(
    private readonly factory: BotFactory,
    private readonly places: TimedSlots | undefined,
    private readonly lives = LIVES,
  ) {}

  /** A bot of an entrant whose process plays other matches, too; undefined: it is to have its own. */
  bot(entrant: Seatable, life: string): SeatedBot | undefined {
    const { name } = entrant
    if (this.alone.has(name)) return undefined
    const process = this.usable(name) ?? this.factory.shared(entrant, this.places)
    if (process === undefined || this.alone.has(name)) return undefined
    this.processes.delete(name)
    this.processes.set(name, process)
    return this.factory.sharing(process, entrant, life)
  }

  /** Ends idle processes, but for those used last. */
  tidy(kept = IDLE): void {
    for (const process of this.leaving) {
      if (process.users > 0) continue
      this.leaving.delete(process)
      void process.close()
    }
    const idle = [...this.processes].filter(([, { users }]) => users === 0)
    for (const [name, process] of idle.slice(0, Math.max(0, idle.length - kept))) {
      this.processes.delete(name)
      void process.close()
    }
  }

  async close(): Promise<void> {
    const processes = [...this.processes.values(), ...this.leaving]
    this.processes.clear()
    this.leaving.clear()
    await Promise.all(processes.map((process) => process.close()))
  }

  private usable(name: string): SharedModule | undefined {
    const process = this.processes.get(name)
    if (process?.retired !== undefined) this.alone.add(name)
    if (process === undefined || process.lost !== undefined) return undefined
    if (process.made < this.lives) return process
    this.leaving.add(process)
    return undefined
  }
}
