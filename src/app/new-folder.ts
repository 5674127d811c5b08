import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../core/index.js'

/** Where a new folder of that name is to be made. Throws UserError where something is there already. */
export function newFolder(base: string, name: string): string {
  const folder = resolve(base, name)
  if (existsSync(folder))
    throw new UserError(`there is already something called ${name} here: choose another name, or remove it`)
  return folder
}

/** Writes a folder whole, or not at all. `files`: texts by their paths in it. */
export function writeFolder(folder: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(folder)
  try {
    for (const [file, text] of Object.entries(files)) {
      const path = join(folder, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}
