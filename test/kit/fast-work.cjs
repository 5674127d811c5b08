/*
 * Loaded by a program before its own files: all its threads seem to work ten times as much as they do, by what the system counts of them. So half
 * a second of work stands for the five that one call of a game may take.
 */
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const { readFileSync } = fs
fs.readFileSync = (file, ...rest) => {
  const text = readFileSync(file, ...rest)
  if (!/^\/proc\/self\/task\/\d+\/schedstat$/.test(String(file))) return text
  const [ran, ...others] = text.split(' ')
  return [10 * Number(ran), ...others].join(' ')
}
syncBuiltinESMExports()
