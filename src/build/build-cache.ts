import { lstatSync, mkdirSync, readdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyTree, paced, readPlain, removeTree, sha256 } from '../files/index.js'
import { isOwn, openCache, userCaches } from '../sandbox/index.js'
import { folderHash, halfMade, sweepHalfMade } from './stage.js'

/*
 * Theory of operation.
 *
 * What a held build makes is a function of what it is given: its source, its commands, the programs of this machine and the sandbox.
 * So it is kept for all workspaces of a user, under a key that is a hash over all of these (`stage-and-build.ts`). Only the host writes
 * here, and only what it took out of the sandbox of that very build: a build reaches no other's key, nor this folder at all.
 *
 * Nothing is run where it lies here. It is copied into the workspace, and taken only where the copy has the hash that was sealed: what
 * was cut short, has changed, or is removed meanwhile is built anew. Each entry appears whole, or not at all.
 */

/** Bytes of all that is kept, and of one build. The entries that were not used for longest go first. */
const MOST = 1024 ** 3
const MOST_OF_ONE = 128 * 1024 ** 2
/** Days without use after which an entry goes whatever there is room for. */
const DAYS = 60

/** Beside an entry's files: the hash of these, and their bytes. Its time is that of the last use. */
const SEAL = 'seal'
const FILES = 'files'
const KEY = /^[0-9a-f]{64}$/

/** What builds have made, for all workspaces of this user. */
export class BuildCache {
  /** The user's; undefined where there is no place for it. */
  static ofUser(): BuildCache | undefined {
    for (const folder of userCaches()) {
      try {
        if (openCache(folder) && openCache(join(folder, 'builds'))) return new BuildCache(folder)
      } catch {
        // It cannot be written: the next one may.
      }
    }
    return undefined
  }

  private readonly folder: string

  /** `cache`: the folder that all agon keeps for the user. `most`: bytes. */
  constructor(
    cache: string,
    private readonly most = MOST,
  ) {
    this.folder = join(cache, 'builds')
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    sweepHalfMade(this.folder)
  }

  /** Puts what is kept under a key into a folder that is not there yet. False, and nothing is there: it is to be built. */
  async take(key: string, to: string, bytes: number): Promise<boolean> {
    const entry = join(this.folder, key)
    if (!isOwn(entry, 'folder')) return false
    try {
      const [hash] = sealOf(entry)
      await paced(copyTree(join(entry, FILES), to, { bytes, dangling: true }))
      if ((await folderHash(to)) === hash) {
        const now = new Date()
        utimesSync(join(entry, SEAL), now, now)
        return true
      }
      await this.drop(key)
    } catch {
      // Another agon has removed it, or it is not whole, or more than this contest takes.
    }
    await removeTree(to)
    return false
  }

  /** Keeps what a build made. Where that cannot be, nothing is lost but time. */
  async keep(key: string, made: string): Promise<void> {
    const aside = join(this.folder, halfMade(key))
    try {
      mkdirSync(aside, { mode: 0o700 })
      await paced(copyTree(made, join(aside, FILES), { bytes: MOST_OF_ONE, dangling: true }))
      const bytes = bytesIn(join(aside, FILES))
      writeFileSync(join(aside, SEAL), `${await folderHash(join(aside, FILES))} ${bytes}\n`, { flag: 'wx' })
      renameSync(aside, join(this.folder, key))
      await this.trim()
    } catch {
      // The disk is full, it is too large, or another agon was first: what that one made is as good.
    } finally {
      await removeTree(aside)
    }
  }

  /** Removes what is older, or more, than is kept. */
  private async trim(): Promise<void> {
    const entries = readdirSync(this.folder)
      .filter((name) => KEY.test(name))
      .map((key) => ({ key, ...this.used(key) }))
      .sort((a, b) => b.at - a.at)
    const oldest = Date.now() - DAYS * 24 * 3_600_000
    let sum = 0
    for (const { key, at, bytes } of entries) {
      sum += bytes
      if (sum > this.most || at < oldest) await this.drop(key)
    }
  }

  /** When an entry was last used, and its bytes; one that is not whole was never. */
  private used(key: string): { readonly at: number; readonly bytes: number } {
    try {
      const entry = join(this.folder, key)
      return { at: lstatSync(join(entry, SEAL)).mtimeMs, bytes: sealOf(entry)[1] }
    } catch {
      return { at: 0, bytes: 0 }
    }
  }

  /** Renames an entry, and then removes it, so that no process finds half of it. */
  private async drop(key: string): Promise<void> {
    const aside = join(this.folder, halfMade(key))
    try {
      renameSync(join(this.folder, key), aside)
      await removeTree(aside)
    } catch {
      // Another agon was first.
    }
  }
}

/** The hash and the bytes of an entry's files. Throws where it has no seal. */
function sealOf(entry: string): readonly [hash: string, bytes: number] {
  const [, hash = '', bytes = ''] =
    /^([0-9a-f]{64}) (\d+)\n$/.exec(readPlain(join(entry, SEAL), 128)?.toString() ?? '') ?? []
  if (hash === '') throw new Error(`${entry} has no seal`)
  return [hash, Number(bytes)]
}

/** What a tree of plain files takes on a disk, at the least. */
function bytesIn(folder: string): number {
  let sum = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    sum += entry.isFile() ? lstatSync(join(entry.parentPath, entry.name)).size + BLOCK : BLOCK
  return sum
}

const BLOCK = 4096

/** The key of all that these texts say. */
export const cacheKey = (parts: readonly unknown[]): string => sha256(JSON.stringify(parts))
