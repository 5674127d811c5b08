/** Texts by number that never change: those that were asked for last, as far as so many characters hold them. */
export class FinalTexts<T extends { readonly text: string }> {
  private readonly kept = new Map<number, T>()
  private held = 0

  constructor(
    /** Characters of all texts together. */
    private readonly most: number,
  ) {}

  get(number: number): T | undefined {
    const one = this.kept.get(number)
    if (one === undefined) return undefined
    this.kept.delete(number)
    this.kept.set(number, one)
    return one
  }

  keep(number: number, one: T): void {
    this.drop(number)
    this.kept.set(number, one)
    this.held += one.text.length
    for (const oldest of this.kept.keys()) {
      if (this.held <= this.most) return
      this.drop(oldest)
    }
  }

  private drop(number: number): void {
    this.held -= this.kept.get(number)?.text.length ?? 0
    this.kept.delete(number)
  }
}
