import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { OPTION_NAMES } from '../src/core/index.js'
import { flagOf } from '../src/app/flag.js'

const source = join(dirname(fileURLToPath(import.meta.url)), '..', 'src')
const codeIn = (folder: string): { file: string; text: string }[] =>
  readdirSync(join(source, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      file: file.slice(source.length + 1),
      text: readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, ''),
    }))

const flagsOf = (command: Command): string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  ...command.commands.flatMap(flagsOf),
]

/** The flags of all verbs, such as `--out`, of which main.ts says where each is declared. */
const main = readFileSync(join(source, 'cli/main.ts'), 'utf8')
const flags = [...main.matchAll(/\[\[(.*)\], \(\) => import\('(\.\/\w+\.js)'\)/g)].map(
  async ([, verbs = '', file = '']) => {
    const declare = (await import(join(source, 'cli', file))) as Record<string, (command: Command) => void>
    const command = new Command()
    for (const [verb] of verbs.matchAll(/\w+/g)) declare[`${verb}Command`]?.(command.command(verb))
    return flagsOf(command)
  },
)
const declared = [...new Set((await Promise.all(flags)).flat())]

/** The launcher and compilers have flags of their own. */
const OWN_FLAGS = new Set(['build', 'cli', 'kits', 'sandbox', 'web'])
/** What a person may type next. */
const ALLOWED = new Set(['app/new.ts'])

it('messages below the command line name options, and no flags of it', () => {
  expect(declared.length).toBeGreaterThan(30)
  const layers = readdirSync(source, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !OWN_FLAGS.has(entry.name),
  )
  const named = layers
    .flatMap(({ name }) => codeIn(name))
    .filter(({ file }) => !ALLOWED.has(file))
    .flatMap(({ file, text }) =>
      declared.filter((flag) => new RegExp(`${flag}(?![\\w-])`).test(text)).map((flag) => `${file}: ${flag}`),
    )
  expect(named).toEqual([])
})

it('every option that a message may name is a flag of the command line', () => {
  expect(OPTION_NAMES.map((option) => flagOf({ option })).filter((flag) => !declared.includes(flag))).toEqual([])
})
