import type { TableRequest } from './table-thread.js'

/**
 * What a thread is asked, one request after the other, in the order in which it came; but whether luck is in use is answered before any
 * table is made: a reader of a match waits for that, and it takes a moment only.
 */
export class TableQueue {
  private readonly waiting: TableRequest[] = []
  private busy = false

  constructor(private readonly answer: (request: TableRequest) => Promise<void>) {}

  /** `answer` may not reject. */
  add(request: TableRequest): void {
    this.waiting.push(request)
    if (!this.busy) void this.work()
  }

  private async work(): Promise<void> {
    this.busy = true
    while (this.waiting.length > 0) {
      // What was sent meanwhile is received before the next is chosen.
      await new Promise((done) => setImmediate(done))
      const due = this.waiting.findIndex(({ asked }) => asked.kind === 'due')
      const [next] = this.waiting.splice(Math.max(0, due), 1)
      if (next !== undefined) await this.answer(next)
    }
    this.busy = false
  }
}
