#!/usr/bin/env node
import { readFileSync, writeSync } from 'node:fs'

/*
 * The command itself. It loads nothing before it knows that this shell lets it open files: Node loads many modules at a time, and
 * says with a stack, before any line of theirs runs, that one more cannot be opened.
 */

/** Open files that any verb needs. */
const FEWEST = 64

/** How many files this process may open; Infinity: unknown. */
function openFiles(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1] ?? Infinity)
  } catch {
    return Infinity
  }
}

const files = openFiles()
if (files < FEWEST) {
  writeSync(
    2,
    `agon: this shell allows ${files} open files, and agon takes ${FEWEST} at the least; mend it: ulimit -n 1024\n`,
  )
  process.exitCode = 2
} else await import('./main.js')
