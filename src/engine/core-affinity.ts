import { coresAllowed, stayOnCore } from '../sandbox/index.js'
import type { Seatable } from './entrant.js'

/**
 * Keeps this thread on one core while long-lived bots play: quick ones are asked on that core, the others run on all. Only where the run
 * takes up all cores, and all its programs live in sandboxes.
 */
export class CoreAffinity {
  private readonly launcher: string | undefined
  private release: (() => void) | undefined

  /** `jobs`: played at the same time. */
  constructor(entrants: readonly Seatable[], jobs: number) {
    const cores = coresAllowed().length
    const launchers = entrants.flatMap(({ memory, run }) =>
      run.kind === 'process' ? [{ lasts: memory === 'tournament', launcher: run.sandbox?.maker.launcher }] : [],
    )
    const isHeld = launchers.every(({ launcher }) => launcher !== undefined)
    if (cores > 1 && jobs >= cores && isHeld) this.launcher = launchers.find(({ lasts }) => lasts)?.launcher
  }

  get isPinned(): boolean {
    return this.release !== undefined
  }

  pin(): void {
    if (this.launcher !== undefined) this.release ??= stayOnCore(this.launcher)
  }

  unpin(): void {
    this.release?.()
    this.release = undefined
  }
}
