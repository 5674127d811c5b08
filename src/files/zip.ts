import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** A zip archive of texts by their paths. */
export function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path, { mtime: FIRST_DAY })
  zip.end()
  return buffer(zip.outputStream)
}
/** The first day that a zip can name. */
const FIRST_DAY = new Date(1980, 0, 1)
