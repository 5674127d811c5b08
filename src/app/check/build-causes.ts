import { basename, extname } from 'node:path'
import { type SourceText, didYouMean } from '../../core/index.js'
import { notFound } from './causes-of-programs.js'
import { foundBy } from './symptom.js'

const NOT_COMPILED =
  /fatal error: ([^\n:]+): No such file|symbol: +(?:class|variable) (\w+)|error: package (\w+)[\w.]* does not exist/g
/** How compilers say that a file which their command names is not there. */
const NO_SOURCE =
  /file not found: (\S+\.java)|error: (\S+\.\w+): No such file|couldn't read `?([^`\s:]+)|no such file: (\S+\.go)/
const UNDEFINED = /undefined (?:reference to|symbol:?) [`']?(\w+)/

/**
 * What a build lacks, as far as its log and its own files show it; undefined: nothing is known. `words`: those of its commands;
 * `isBeside`: whether a file or folder of that name lies beside the bot, but is none of its own.
 */
export function lackingInBuild(
  log: string,
  texts: readonly SourceText[],
  words: readonly string[],
  isBeside: (name: string) => boolean,
): string | undefined {
  for (const [, header, symbol, within] of log.matchAll(NOT_COMPILED)) {
    const name = header ?? (symbol === undefined ? within : `${symbol}.java`)
    if (name !== undefined && isBeside(name)) return notFound(name)
  }
  const names = texts.map(({ file }) => basename(file))
  const absent = foundBy(NO_SOURCE, log)
  if (absent !== undefined && words.includes(absent) && !names.includes(absent))
    return `its build names ${absent}, which is not there${didYouMean(absent, names)}: call the file so, or change build in bot.toml`
  const packaged = texts.find(({ file, text }) => file.endsWith('.java') && /^\s*package\s+[\w.]+;/m.test(text))
  if (packaged !== undefined && /cannot find symbol[^]*symbol: +(?:variable|class) \w+/.test(log))
    return `${packaged.file} is in a package, and the files beside it are in none: remove its line "package …;"`
  const symbol = foundBy(UNDEFINED, log)
  if (symbol === undefined) return undefined
  if (symbol === 'main') return 'no file of its build has a main(): the program begins there'
  const kind = words.map((word) => extname(word)).find((end) => /^\.(?:c|cc|cpp|cxx)$/.test(end))
  const left = texts.find(
    ({ file, text }) => extname(file) === kind && !words.includes(basename(file)) && text.includes(symbol),
  )
  return left && `its build leaves out ${left.file}, which has ${symbol}: name it in build in bot.toml`
}
