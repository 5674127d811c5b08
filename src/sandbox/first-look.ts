/**
 * Whether a program is looked at as soon as it has been asked. A quick one that has our core has answered then, and waiting for it would
 * cost more than its answer. A look in vain costs as much, too: after each of these it is looked at more seldom.
 */
export class FirstLook {
  private pause = 0
  private left = 0

  due(): boolean {
    return this.left === 0 || this.left-- === 0
  }
  found(answered: boolean): void {
    this.pause = answered ? 0 : Math.min(2 * this.pause + 1, MOST_PAUSE)
    this.left = this.pause
  }
}
const MOST_PAUSE = 63
