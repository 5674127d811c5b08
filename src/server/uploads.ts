import { Refusal } from '../app/site/refusal.js'

/** Uploads that are received at once: each lies in memory until its files are written. */
const AT_ONCE = 4

/** Those that are being received. */
export class Uploads {
  private open = 0

  constructor(private readonly most = AT_ONCE) {}

  /** Throws a Refusal where too many are being received. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.open >= this.most)
      throw new Refusal('too-many', 'others send their bots just now: try again in a few seconds', { wait: 3 })
    this.open++
    try {
      return await work()
    } finally {
      this.open--
    }
  }
}
