import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder with those above it. Throws the system's error at the first that cannot be made: Node's own way of making them
 * all tries for ever where the system says that a folder's parent is not there although it is, as /proc does.
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) missing.push(folder)
  // Where something is there already, Node says whether it is a folder.
  if (missing.length === 0) mkdirSync(path, { recursive: true })
  for (const folder of missing.reverse()) mkdirSync(folder)
}
