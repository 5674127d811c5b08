/** The one file that a bot may keep in its state folder, where its wire grants so few. */
export class StateFiles {
  private kept: readonly string[] = []
  private noted = false

  constructor(
    /** The entrant's, after which its file should be named. */
    private readonly name: string,
    private readonly most: number,
    private readonly note: (text: string) => void,
  ) {}

  /**
   * Of the files that lie there (paths in the state folder) those that are too many. What stays is named after the bot, whatever
   * the capitals and the ending; then comes what stayed before, then the first by name. Notes it for the host once.
   */
  surplus(files: readonly string[], folder: string): readonly string[] {
    const rank = (file: string): number => (this.isNamed(file) ? 0 : this.kept.includes(file) ? 1 : 2)
    const order = [...files].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    this.kept = order.slice(0, this.most)
    const gone = order.slice(this.most)
    if (gone.length > 0 && !this.noted) {
      this.noted = true
      this.note(
        `${this.name}: it may keep ${this.most === 1 ? 'one file' : `${this.most} files`} in ${folder}/: ${this.kept.join(', ')} stays, ${gone.join(', ')} is removed, and so is any other from now on`,
      )
    }
    return gone
  }

  private isNamed(file: string): boolean {
    const [stem = ''] = file.split('.')
    return stem.toLowerCase() === this.name.toLowerCase()
  }
}
