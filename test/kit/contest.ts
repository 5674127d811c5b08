import { resolve } from 'node:path'
import { type LoadedContest, parseContest } from '../../src/contest/parse.js'
import { TomlFile } from '../../src/contest/toml-file.js'

/** The contest of a text; `file` is where it is taken to lie. Rejects as `loadContest`. */
export async function contestOf(text: string, file: string): Promise<LoadedContest> {
  return parseContest(new TomlFile(text, resolve(file)))
}
