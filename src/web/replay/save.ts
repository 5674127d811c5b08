import { type MatchRecord } from '../../core/index.js'

/** Hands the reader a record as a file that `agon verify` and `agon replay` read. */
export function download(record: MatchRecord): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(record)}\n`], { type: 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${(record.key ?? 'match').replace(/[^\w.-]+/g, '_')}.jsonl`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
