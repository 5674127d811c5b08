import { basename, extname } from 'node:path'
import { type EntrantSpec, lookUp } from '../core/index.js'

const BY_EXTENSION: Readonly<Record<string, string>> = {
  awk: 'AWK',
  c: 'C',
  cc: 'C++',
  class: 'Java',
  cpp: 'C++',
  cs: 'C#',
  cxx: 'C++',
  go: 'Go',
  h: 'C++',
  hpp: 'C++',
  hs: 'Haskell',
  jar: 'Java',
  java: 'Java',
  jl: 'Julia',
  js: 'JavaScript',
  kt: 'Kotlin',
  lua: 'Lua',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  ml: 'OCaml',
  php: 'PHP',
  pl: 'Perl',
  py: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  scm: 'Scheme',
  sh: 'shell',
  tcl: 'Tcl',
  ts: 'TypeScript',
}
const BY_PROGRAM: Readonly<Record<string, string>> = {
  bash: 'shell',
  dash: 'shell',
  sh: 'shell',
  java: 'Java',
  node: 'JavaScript',
  perl: 'Perl',
  php: 'PHP',
  python: 'Python',
  python3: 'Python',
  ruby: 'Ruby',
}

/** The language of an entrant, for display: as it declares, or guessed from what it names and from its files. */
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
    const language = lookUp(
      BY_EXTENSION,
      extname(word ?? '')
        .slice(1)
        .toLowerCase(),
    )
    if (language !== undefined) return language
  }
  return lookUp(BY_PROGRAM, basename(spec.command?.[0] ?? ''))
}
