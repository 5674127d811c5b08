import { readFileSync } from 'node:fs'
import { threadId } from 'node:worker_threads'

// Threads begin apart from each other.
let given = threadId * 64

/**
 * A user id of its own for a cell, where agon is root: limits on processes are counted by user, and one bot's user has no rights
 * over another's. No account of the system has such ids. Undefined where agon is an ordinary user: all cells are then that user,
 * each in its own namespace.
 */
export function nextUser(): number | undefined {
  if (process.getuid?.() !== 0) return undefined
  const n = given++
  const top = highestId()
  // The process's number is below 2 ** 22, so two agons at once do not meet.
  if (top >= 2 ** 31 - 1) return 2 ** 30 + (process.pid % 2 ** 22) * 256 + (n % 256)
  return top - ((process.pid * 16 + n) % 2000)
}

/** The highest user id that this (perhaps contained) system maps. */
function highestId(): number {
  try {
    const ends = readFileSync('/proc/self/uid_map', 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
    return Math.max(...ends.map(([first = 0, , size = 0]) => first + size - 1))
  } catch {
    return 65533
  }
}
