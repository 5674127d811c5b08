import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isInside, isTrustedFile, kindOf, resolveInside, searchPath } from '../files/index.js'

/** A word of a command that may hold paths: `--file=a`, `lib/a.jar:lib/b.jar`, `-Iinclude` or a path itself. */
export interface PathWord {
  readonly prefix: string
  readonly paths: readonly string[]
}

/** How a word could be read as paths, the likeliest first. */
export function readings(word: string): PathWord[] {
  const option = /^(-{1,2}[\w-]+=|-[IL](?=.))(.*)$/s.exec(word)
  const whole = [{ prefix: '', paths: [word] }]
  if (option) whole.push({ prefix: option[1] ?? '', paths: [option[2] ?? ''] })
  return whole
    .flatMap(({ prefix, paths: [text = ''] }) => [
      { prefix, paths: [text] },
      ...(text.includes(':') ? [{ prefix, paths: text.split(':') }] : []),
    ])
    .filter(({ paths }) => paths.every((path) => path !== ''))
}

/** The machine's, not an entrant's: it stays in place. */
export function isSystem(path: string): boolean {
  return SYSTEM.some((folder) => isInside(folder, path)) || path === process.execPath
}
const MACHINES = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt', '/nix', '/snap']
const SYSTEM = [...MACHINES, '/etc', '/dev', '/proc', '/sys']

/** An installed program: in PATH, or in a bin/ beside a lib/; never one that an entrant could have written. */
export function isInstalled(program: string): boolean {
  const folder = dirname(program)
  return (
    MACHINES.some((each) => isInside(each, program)) ||
    program === process.execPath ||
    searchPath().includes(folder) ||
    (folder.endsWith(`${sep}bin`) && kindOf(join(folder, '..', 'lib')) === 'folder' && isTrustedFile(program))
  )
}

/** A program an entrant's own file may name: in PATH, or the system's. */
export function isPublic(program: string): boolean {
  return isInside('/usr', program) || isInside('/bin', program) || searchPath().includes(dirname(program))
}

export function commonFolder(folders: readonly string[]): string {
  return folders.reduce((common, folder) => {
    let shared = common
    while (!isInside(shared, folder)) shared = dirname(shared)
    return shared
  })
}

/** An entrant's source as it lies, and as it was staged. */
export class Staged {
  constructor(
    /** The folder that all source files lie in. */
    private readonly root: string,
    /** What relative paths may be relative to, the likeliest first. */
    private readonly bases: readonly string[],
    /** The staged copy of `root`. */
    readonly folder: string,
  ) {}

  find(path: string, bases = this.bases): string | undefined {
    return this.meant(path, bases).find((each) => this.isThere(each))
  }

  /** Where a command written for the entrant's own place runs in the copy. */
  get home(): string {
    const [base = this.root] = this.bases
    return isInside(this.root, base) ? join(this.folder, relative(this.root, base)) : this.folder
  }

  /** A word of a command that runs in `folder`, its paths staged ones where needed. */
  rewrite(word: string): string {
    return rewrite(word, this.folder, (path) => this.find(path) ?? this.place(path))
  }

  /** A word of a build in `home`. A bare word stays, as it may name what will be made. */
  rewriteBuild(word: string): string {
    return rewrite(word, this.home, (path) =>
      path.includes('/') ? (this.find(path) ?? this.place(path)) : this.find(path, this.bases.slice(0, 1)),
    )
  }

  /** Nothing is there that only a link out of the copy leads to. */
  private isThere(path: string): boolean {
    return resolveInside(this.folder, path) !== undefined
  }

  /** Where a file that is not there would be made: its folder is there. */
  private place(path: string): string | undefined {
    return path.includes('/') ? this.meant(path, this.bases).find((each) => this.isThere(dirname(each))) : undefined
  }

  private meant(path: string, bases: readonly string[]): string[] {
    const meant = isAbsolute(path) ? [path] : bases.map((base) => resolve(base, path))
    return meant.filter((each) => isInside(this.root, each)).map((each) => join(this.folder, relative(this.root, each)))
  }
}

/** Rewrites a word's paths, unless it means the same from the folder `from` as it stands, or some are not found. */
function rewrite(word: string, from: string, find: (path: string) => string | undefined): string {
  for (const { prefix, paths } of readings(word)) {
    const found = paths.map(find)
    if (found.some((path) => path === undefined)) continue
    const same = paths.every((path, n) => resolve(from, path) === found[n])
    return same ? word : prefix + found.join(':')
  }
  return word
}
