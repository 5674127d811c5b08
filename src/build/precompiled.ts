import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256, findProgram } from '../files/index.js'
import { filled, runFree, type Shim, stepOf } from './build.js'
import type { Stage } from './stage.js'
import { machineMark, toolchainOf } from './toolchain.js'

/*
 * Two thirds of what a class takes to be compiled are the headers that come before it, and these are the same for all classes. They are
 * agon's own: what is precompiled here holds nothing that an entrant wrote, and is made by the host from the shim's files alone. It lies
 * sealed in the user's cache, and builds can but read it. What comes out of the compiler is the same to the byte, with or without.
 */

/** Classes that are to be built, at least: for fewer it is not worth its time. */
export const WORTHWHILE = 4

/**
 * The shim with its headers precompiled by this machine's compiler, where that is one that does so and they can be kept; else the shim as
 * it is. Only a class without sources of its own may have it: sources are given less than these headers.
 */
export async function precompiled(shim: Shim, house: Stage): Promise<Shim> {
  const [compiler = '', ...options] = shim.command
  const program = shim.prelude === undefined ? undefined : await findProgram(compiler)
  if (shim.prelude === undefined || program === undefined) return shim
  const version = await toolchainOf([compiler])
  // Others check more of a precompiled header than that it fits, and refuse what this does.
  if (!GCC.test(version)) return shim
  const { header, command } = shim.prelude
  const key = sha256(JSON.stringify(['prelude', shim.hash, version, machineMark([program])]))
  const fill = async (place: string): Promise<string> => {
    for (const name of shim.files) copyFileSync(join(shim.folder, name), join(place, name))
    const words = filled(command, { shim: place, out: join(place, `${header}.gch`) })
    await runFree([await stepOf(words, place)], place)
    return place
  }
  try {
    const folder = await house.place(key, fill)
    return { ...shim, folder, command: [compiler, '-include', `{shim}/${header}`, ...options] }
  } catch {
    return shim
  }
}

const GCC = /^(?!.*clang).*(?:g\+\+|gcc)/i
