import { readFileSync } from 'node:fs'
import { attempt, namesIn } from './look.js'

/*
 * What the kernel tells of the machine and its processes, as files. Of what it does not tell (an ended process, another user's, a system
 * that is not Linux) there is an empty text, and an empty list.
 */

export const textIn = (file: string): string => attempt(() => readFileSync(file, 'latin1')) ?? ''

/** The processes that can be seen from here, by number. */
export const processesSeen = (): readonly number[] => namesIn('/proc').map(Number).filter(Number.isInteger)

/** The fields of a process's `stat`, behind the program's name, which may hold anything: state, parent, group, session, … */
export const statFields = (folder: string): readonly string[] =>
  textIn(`${folder}/stat`).split(') ').at(-1)?.split(' ') ?? []

/** The user ids that this (perhaps contained) system maps, as ranges. */
export const mappedUsers = (): readonly { readonly first: number; readonly size: number }[] =>
  textIn('/proc/self/uid_map')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .map(([first = 0, , size = 0]) => ({ first, size }))
