import type { SqliteFile } from '../../store/index.js'

/** Contests whose rows are kept in memory. */
const MOST = 16

/**
 * Rows of a contest that many ask for and few change: they are read once, and again after anything was written to the file, by this process or
 * by another. Not to be used within a write, which may be undone.
 */
export class Remembered<T> {
  private readonly kept = new Map<string, T>()
  private at = ''

  constructor(
    private readonly db: SqliteFile,
    private readonly read: (contest: string) => T,
  ) {}

  of(contest: string): T {
    const now = this.level()
    if (now !== this.at) this.kept.clear()
    this.at = now
    const known = this.kept.get(contest)
    if (known !== undefined) return known
    const rows = this.read(contest)
    this.kept.set(contest, rows)
    if (this.kept.size > MOST) for (const [oldest] of this.kept) return (this.kept.delete(oldest), rows)
    return rows
  }

  /** Differs after each write: of other connections, and of this one. */
  private level(): string {
    const others = this.db.get<{ data_version: number }>('PRAGMA data_version')?.data_version
    const own = this.db.get<{ n: number }>('SELECT total_changes() AS n')?.n
    return `${others} ${own}`
  }
}
