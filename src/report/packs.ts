import { gzipSync } from 'node:zlib'

/** Packs lines by so many: a reader who opens one match unpacks no more than that. */
export class Packs {
  readonly size = 64
  private readonly packs: string[] = []
  private lines: string[] = []

  add(line: string): void {
    this.lines.push(line)
    if (this.lines.length === this.size) this.close()
  }

  /** All packs, the last one as full as it is. */
  done(): readonly string[] {
    if (this.lines.length > 0) this.close()
    return this.packs
  }

  private close(): void {
    this.packs.push(packed(this.lines.join('\n')))
    this.lines = []
  }
}

/** A text as gzip in base64. */
export function packed(text: string): string {
  return gzipSync(text, { level: 9 }).toString('base64')
}
