import { basename, extname } from 'node:path'
import type { EntrantSpec } from '../core/index.js'

/** By language, the extensions of its files. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
  AWK: ['awk'],
  C: ['c'],
  'C#': ['cs'],
  'C++': ['cc', 'cpp', 'cxx', 'h', 'hpp'],
  Go: ['go'],
  Haskell: ['hs'],
  Java: ['class', 'jar', 'java'],
  JavaScript: ['cjs', 'js', 'mjs'],
  Julia: ['jl'],
  Kotlin: ['kt'],
  Lua: ['lua'],
  OCaml: ['ml'],
  PHP: ['php'],
  Perl: ['pl'],
  Python: ['py'],
  Ruby: ['rb'],
  Rust: ['rs'],
  Scheme: ['scm'],
  Tcl: ['tcl'],
  TypeScript: ['ts'],
  shell: ['sh'],
}
/** By language, the programs that start its files. */
const PROGRAMS: typeof EXTENSIONS = {
  Java: ['java'],
  JavaScript: ['node'],
  PHP: ['php'],
  Perl: ['perl'],
  Python: ['python', 'python3'],
  Ruby: ['ruby'],
  shell: ['bash', 'dash', 'sh'],
}
const languageIn = (table: typeof EXTENSIONS, word: string): string | undefined =>
  Object.keys(table).find((language) => table[language]?.includes(word))

/** The language of an entrant, for display: as it declares, or guessed from what it names and its files. */
export function languageOf(spec: EntrantSpec, files: readonly string[]): string | undefined {
  if (spec.language !== undefined) return spec.language
  const words = [
    spec.module,
    spec.class,
    ...(spec.command?.slice(1) ?? []),
    ...(spec.build ?? []).flat(),
    ...(spec.command ?? []),
  ]
  for (const word of [...words, ...files]) {
    const extension = extname(word ?? '').slice(1)
    const language = languageIn(EXTENSIONS, extension.toLowerCase())
    if (language !== undefined) return language
  }
  return languageIn(PROGRAMS, basename(spec.command?.[0] ?? ''))
}
