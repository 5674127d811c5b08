/** Wakes a loop that waits for something to do. */
export class WakeSignal {
  private rung = false
  private wake: () => void = () => undefined

  /** Other signals in the same turn of the event loop wake it once, with this one. */
  ring(): void {
    if (this.rung) return
    this.rung = true
    setImmediate(() => this.wake())
  }

  /** All signals until now are being handled. */
  reset(): void {
    this.rung = false
  }

  /** Waits until it rings, or for so many milliseconds; not at all where it has rung since `reset`. */
  wait(ms: number): Promise<void> {
    if (this.rung) return Promise.resolve()
    return new Promise((done) => {
      const timer = setTimeout(done, ms)
      this.wake = () => {
        clearTimeout(timer)
        done()
      }
    })
  }
}
