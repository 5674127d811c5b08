/**
 * What is to happen when, by two numbers of which the first outweighs the second; the earliest comes first. A heap in
 * which each entry has four below it.
 */
export class Agenda {
  size = 0
  private times = new Float64Array(2048)
  private items = new Int32Array(2048)

  /** When the next is due. */
  get dueHigh(): number {
    return this.times[0] as number
  }
  get dueLow(): number {
    return this.times[1] as number
  }
  /** What is next. */
  get one(): number {
    return this.items[0] as number
  }
  get two(): number {
    return this.items[1] as number
  }

  add(high: number, low: number, one: number, two: number): void {
    if (2 * this.size === this.times.length) this.grow()
    let at = this.size++
    while (at > 0) {
      const above = (at - 1) >> 2
      if (!this.isBefore(high, low, above)) break
      this.move(above, at)
      at = above
    }
    this.put(at, high, low, one, two)
  }

  /** Takes the next away. */
  drop(): void {
    const last = --this.size
    const [high, low] = [this.times[2 * last] as number, this.times[2 * last + 1] as number]
    let at = 0
    for (let first = 1; first < last; first = 4 * at + 1) {
      let least = first
      for (let next = first + 1; next < Math.min(first + 4, last); next++) {
        if (this.isBefore(this.times[2 * next] as number, this.times[2 * next + 1] as number, least)) least = next
      }
      if (this.isBefore(high, low, least)) break
      this.move(least, at)
      at = least
    }
    this.put(at, high, low, this.items[2 * last] as number, this.items[2 * last + 1] as number)
  }

  private isBefore(high: number, low: number, at: number): boolean {
    const lead = high - (this.times[2 * at] as number)
    return lead === 0 ? low < (this.times[2 * at + 1] as number) : lead < 0
  }
  private move(from: number, to: number): void {
    this.times[2 * to] = this.times[2 * from] as number
    this.times[2 * to + 1] = this.times[2 * from + 1] as number
    this.items[2 * to] = this.items[2 * from] as number
    this.items[2 * to + 1] = this.items[2 * from + 1] as number
  }
  private put(at: number, high: number, low: number, one: number, two: number): void {
    this.times[2 * at] = high
    this.times[2 * at + 1] = low
    this.items[2 * at] = one
    this.items[2 * at + 1] = two
  }
  private grow(): void {
    const [times, items] = [this.times, this.items]
    this.times = new Float64Array(2 * times.length)
    this.times.set(times)
    this.items = new Int32Array(2 * items.length)
    this.items.set(items)
  }
}
