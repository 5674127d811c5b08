/** Places that are reserved, by owner: they count from the request on, as it takes a while until they are filled, and others ask meanwhile. */
export class Reservations {
  private readonly who: string[] = []

  get all(): number {
    return this.who.length
  }

  of(who: string): number {
    return this.who.filter((one) => one === who).length
  }

  /** Takes a place for as long as the work takes. */
  async within<T>(who: string, work: () => Promise<T>): Promise<T> {
    this.who.push(who)
    try {
      return await work()
    } finally {
      this.who.splice(this.who.indexOf(who), 1)
    }
  }
}
