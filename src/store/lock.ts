import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../core/index.js'

/** Folders that this process holds: its own number in a lock says nothing, it may be that of one long gone. */
const mine = new Set<string>()

/** Takes a folder for its caller alone. Throws UserError where another living process has it. Returns what gives it back. */
export function lockFolder(folder: string): () => void {
  const file = join(folder, 'lock')
  if (mine.has(file)) throw inUse(folder, process.pid, file)
  // A lock appears with its owner's name in it, or not at all: a link is made at once, a file is first empty.
  const own = `${file}.${process.pid}`
  writeFileSync(own, me())
  try {
    for (let attempt = 0; !linked(own, file); attempt++) {
      const owner = read(file)
      if (attempt > ATTEMPTS || isAlive(owner)) throw inUse(folder, Number.parseInt(owner, 10), file)
      removeStale(file, owner, `${own}.stale`)
    }
  } finally {
    rmSync(own, { force: true })
  }
  mine.add(file)
  return () => {
    mine.delete(file)
    rmSync(file, { force: true })
  }
}

const ATTEMPTS = 3

function linked(own: string, file: string): boolean {
  try {
    linkSync(own, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Moves a lock away whose owner is gone. Someone else may have done so, and taken the folder since: then it is put back. */
function removeStale(file: string, owner: string, aside: string): void {
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  if (read(aside) !== owner) linked(aside, file)
  rmSync(aside, { force: true })
}

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A process by its number and, where the system tells, the time it was started: numbers come again. */
function me(): string {
  return `${process.pid} ${startOf(process.pid)}`
}

function isAlive(owner: string): boolean {
  const [number = '', began = ''] = owner.split(' ')
  const pid = Number(number)
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  return began === '' || began === startOf(pid)
}

/**
 * Ticks between the system's start and a process's (Linux); empty where nobody tells. One that has ended and only waits to be
 * collected by its parent ('Z') has none.
 */
function startOf(pid: number): string {
  const [state, ...rest] = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? []
  return state === 'Z' ? 'ended' : (rest[18] ?? '')
}

const inUse = (folder: string, pid: number, file: string): UserError =>
  new UserError(
    `${folder} is in use by another agon (process ${pid}); wait for it to end, or, if there is none, remove ${file}`,
  )
