import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  atOnce,
  copyFound,
  copyTree,
  Folder,
  hashTree,
  isInside,
  openBelow,
  paced,
  plainFiles,
  readPlain,
  removeTree,
  removeTreeSync,
  resolveInside,
  TreeFault,
  walk,
  writePlain,
} from './index.js'

const top = mkdtempSync(join(tmpdir(), 'agon-files-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))
let tree = top
let n = 0
beforeEach(() => {
  tree = join(top, `tree-${n++}`)
  mkdirSync(tree)
})
const at = (...names: string[]): string => join(tree, ...names)
function write(name: string, text = name): string {
  mkdirSync(dirname(at(name)), { recursive: true })
  writeFileSync(at(name), text)
  return at(name)
}
const MANY = 1024 ** 3
const paths = (options = {}): string[] => [...walk(tree, { bytes: MANY, ...options })].map(({ path }) => path)
function fault(options = {}): string {
  try {
    paths(options)
  } catch (error) {
    if (error instanceof TreeFault) return `${error.path} ${error.why}`
    throw error
  }
  return 'none'
}

test('a folder whose name only begins as another’s is not in it', () => {
  expect(['/a/b', '/a/b/c', '/a/bc', '/a', '/'].filter((path) => isInside('/a/b', path))).toEqual(['/a/b', '/a/b/c'])
  expect(isInside('/', '/a')).toBe(true)
})

describe('links of a tree', () => {
  const secret = join(top, 'secret')
  writeFileSync(secret, 'secret')
  test.each([
    ['to a file outside', secret],
    ['to the root', '/'],
    ['to a private folder of the system', '/etc'],
    ['up and out', '../secret'],
    ['up and out from within', 'in/../../secret'],
    ['to a folder beside it whose name begins as its own', '../<name>-not/file'],
    ['the same by an absolute path', '<path>-not/file'],
    ['through the system and out of it', '/usr/../etc/passwd'],
    ['through another link', 'other/secret'],
    ['to nothing, outside', '../nothing/at/all'],
    ['out of what is in the way of nothing', 'nothing/../../secret'],
  ])('that lead out are refused: %s', (_name, target) => {
    write('in/file')
    mkdirSync(`${tree}-not`)
    writeFileSync(`${tree}-not/file`, 'secret')
    symlinkSync(target.replace('<name>', basename(tree)).replace('<path>', tree), at('leak'))
    if (target.startsWith('other')) symlinkSync('..', at('other'))
    const message = fault()
    expect(message).toMatch(/^(leak|other) is a link that leads out of its folder$/)
    expect(message).not.toContain('secret')
    expect(fault({ dangling: true })).toBe(message)
    expect(resolveInside(tree, at('leak'))).toBeUndefined()
  })

  test('that stay inside are kept, relative and as short as they can be', () => {
    write('lib/tool')
    symlinkSync('../lib/tool', at('lib/self'))
    symlinkSync('lib/self', at('run'))
    symlinkSync(at('lib'), at('absolute'))
    symlinkSync('/usr/bin/env', at('env'))
    symlinkSync('.', at('loop'))
    const found = [...walk(tree, { bytes: MANY })].filter(({ kind }) => kind === 'link')
    expect(Object.fromEntries(found.map(({ path, target }) => [path, target]))).toEqual({
      absolute: 'lib',
      env: '/usr/bin/env',
      'lib/self': 'tool',
      loop: '.',
      run: 'lib/tool',
    })
    expect(resolveInside(tree, at('loop/loop/run'))).toBe(at('lib/tool'))
  })

  test('may be called as anything', () => {
    write('out/file')
    write('nothing')
    symlinkSync('out', at('a'))
    symlinkSync('nothing', at('b'))
    expect(paths()).toEqual(['a', 'b', 'nothing', 'out', 'out/file'])
  })

  test('to nothing, and into what is left out, are reported', () => {
    symlinkSync('gone', at('link'))
    expect(fault()).toBe('link is a link to nothing')
    expect(paths({ dangling: true })).toEqual(['link'])
    rmSync(at('link'))
    write('.git/config')
    symlinkSync('.git/config', at('link'))
    expect(fault({ leaveOut: new Set(['.git']) })).toBe('link is a link that leads out of its folder')
    rmSync(at('link'))
    symlinkSync('b', at('a'))
    symlinkSync('a', at('b'))
    expect(fault()).toBe('a is a link to nothing')
  })
})

describe('a tree', () => {
  test('has no pipes and sockets, and opening one does not wait', async () => {
    execFileSync('mkfifo', [at('pipe')])
    expect(fault()).toBe('pipe is a pipe')
    expect(readPlain(at('pipe'), 10)).toBeUndefined()
    expect(() => openBelow(tree, 'pipe')).toThrow(TreeFault)
    rmSync(at('pipe'))
    const server = createServer().listen(at('socket'))
    await new Promise((done) => server.once('listening', done))
    expect(fault()).toBe('socket is a socket')
    await new Promise((done) => server.close(done))
  })

  test.runIf(process.getuid?.() === 0)("has no other user's files by hard links, nor devices", () => {
    const theirs = write('theirs')
    linkSync(theirs, at('mine'))
    expect(fault()).toBe('none')
    execFileSync('chown', ['12345', theirs])
    expect(fault()).toBe("mine is another user's file by a hard link")
    expect(readPlain(at('mine'), 10)).toBeUndefined()
    expect(() => openBelow(tree, 'mine')).toThrow(/hard link/)
    rmSync(at('mine'))
    // With one name it was given away by its owner.
    expect(fault()).toBe('none')
    execFileSync('mknod', [at('device'), 'c', '1', '3'])
    expect(fault()).toBe('device is a device')
  })

  test('has bounds: bytes with holes counted, depth, number, lengths', () => {
    write('hole')
    truncateSync(at('hole'), 10_000_000_000)
    expect(fault()).toBe(`hole goes beyond ${MANY} bytes in all`)
    rmSync(at('hole'))
    mkdirSync(at(Array.from({ length: 64 }, () => 'd').join('/')), { recursive: true })
    expect(fault()).toMatch(/has folders more than 64 deep$/)
    rmSync(at('d'), { recursive: true })
    // 17 names of 250 bytes are a path of more than 4,096.
    mkdirSync(at(Array.from({ length: 16 }, () => 'd'.repeat(250)).join('/')), { recursive: true })
    expect(fault()).toBe('none')
    execFileSync('sh', ['-c', 'while cd -P d* 2>/dev/null; do :; done; mkdir $(printf %0250d 1)'], { cwd: tree })
    expect(fault()).toMatch(/has a path that is too long$/)
    removeTreeSync(at('d'.repeat(250)))
    // In memory, where there is such a place: so many files take long on a disk.
    const quick = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/agon-files-') : tree
    try {
      for (let i = 0; i < 3; i++) {
        mkdirSync(join(quick, String(i)))
        for (let j = 0; j < 6700; j++) writeFileSync(join(quick, String(i), String(j)), '')
      }
      expect(() => [...walk(quick, { bytes: MANY })]).toThrow('. has more than 20000 files and folders')
    } finally {
      rmSync(quick, { recursive: true })
    }
  })

  test('has names that are text, and no more in one folder than are asked for', () => {
    for (const name of ['a', 'b', 'c']) write(name)
    const folder = Folder.open(tree)
    expect(folder.names(3)).toEqual(['a', 'b', 'c'])
    expect(() => folder.names(2)).toThrow(TreeFault)
    folder.close()
    writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff])]), '')
    expect(fault()).toMatch(/has a name that is not UTF-8$/)
  })

  test('is read as it was when it was looked at: what took its place, or grew, is not copied', () => {
    const secret = join(top, `secret-${n}`)
    writeFileSync(secret, 'secret')
    const swaps: Record<string, [swap: () => void, why: RegExp]> = {
      'a link': [() => symlinkSync(secret, at('file')), /file is a link/],
      'a link to its folder': [() => symlinkSync(top, at('file')), /file is a link/],
      'another file': [() => writeFileSync(at('file'), 'file'), /file changed while it was read/],
      'a pipe': [() => execFileSync('mkfifo', [at('file')]), /file is not a regular file/],
      nothing: [() => undefined, /file is gone/],
    }
    for (const [name, [swap, why]] of Object.entries(swaps)) {
      write('file')
      const to = join(top, `swapped-${n}-${name}`)
      const steps = walk(tree, { bytes: MANY })
      const found = steps.next().value
      if (!found) throw new Error('no file')
      // Kept, so the other has another number.
      renameSync(at('file'), join(top, `before-${n}-${name}`))
      swap()
      expect(() => atOnce(copyFound(found, to, 0o644)), name).toThrow(why)
      expect(existsSync(to), name).toBe(false)
      steps.return()
      rmSync(at('file'), { force: true })
    }
    write('file', 'x'.repeat(3_000_000))
    const steps = walk(tree, { bytes: MANY })
    const found = steps.next().value
    if (!found) throw new Error('no file')
    const copying = copyFound(found, join(top, `grown-${n}`), 0o644)
    copying.next()
    writeFileSync(at('file'), 'y', { flag: 'a' })
    expect(() => atOnce(copying)).toThrow(/grew while it was read/)
    steps.return()
  })

  test('is copied to nothing that is there already, and through no link', () => {
    const theirs = join(top, `theirs-${n}`)
    writeFileSync(theirs, 'theirs')
    write('file', 'mine')
    const copy = join(top, `copy-${n}`)
    mkdirSync(copy)
    for (const plant of [() => symlinkSync(theirs, join(copy, 'file')), () => linkSync(theirs, join(copy, 'file'))]) {
      plant()
      expect(() => atOnce(copyTree(tree, copy, { bytes: MANY }))).toThrow(/EEXIST/)
      rmSync(join(copy, 'file'))
    }
    expect(readFileSync(theirs, 'utf8')).toBe('theirs')
  })

  test('is copied with its modes and links, and hashed the same', () => {
    write('bin/run', '#!/bin/sh\n')
    chmodSync(at('bin/run'), 0o700)
    write('data', 'x'.repeat(3_000_000))
    chmodSync(at('data'), 0o600)
    mkdirSync(at('empty'))
    symlinkSync('bin/run', at('run'))
    const copy = join(top, `copy-${n}`)
    atOnce(copyTree(tree, copy, { bytes: MANY }))
    expect(readFileSync(join(copy, 'data'), 'utf8')).toBe('x'.repeat(3_000_000))
    expect(['bin/run', 'data'].map((name) => statSync(join(copy, name)).mode & 0o777)).toEqual([0o755, 0o644])
    expect([readlinkSync(join(copy, 'run')), readdirSync(join(copy, 'empty'))]).toEqual(['bin/run', []])
    const hash = (folder: string): string => atOnce(hashTree(folder, new Set()))
    expect(hash(copy)).toBe(hash(tree))
    writeFileSync(join(copy, 'data'), 'y')
    expect(hash(copy)).not.toBe(hash(tree))
    writeFileSync(join(copy, 'data'), 'x'.repeat(3_000_000))
    expect(hash(copy)).toBe(hash(tree))
    rmSync(join(copy, 'run'))
    symlinkSync('data', join(copy, 'run'))
    expect(hash(copy)).not.toBe(hash(tree))
  })

  test('lets timers have their turn while it is read', async () => {
    for (let i = 0; i < 40; i++) {
      write(`f${i}`)
      truncateSync(at(`f${i}`), 5_000_000)
    }
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await paced(hashTree(tree, new Set()))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(3)
  })

  test('is opened by no link on the way', () => {
    mkdirSync(at('a'))
    write('b/file', 'secret')
    symlinkSync('../b', at('a/way'))
    expect(() => openBelow(tree, 'a/way/file')).toThrow('a/way/file is a link')
    expect(() => openBelow(tree, 'b')).toThrow(TreeFault)
    symlinkSync('file', at('b/link'))
    expect(() => openBelow(tree, 'b/link')).toThrow('b/link is a link')
    expect(readPlain(at('b/link'), 10)).toBeUndefined()
    expect(readPlain(at('b/file'), 3)?.toString()).toBe('sec')
    symlinkSync(tree, join(top, `root-${n}`))
    expect(() => [...walk(join(top, `root-${n}`), { bytes: MANY })]).toThrow(/ELOOP|ENOTDIR/)
  })
})

describe('removing', () => {
  /** Folders deeper than a path may be long. */
  function deep(levels: number): void {
    execFileSync(
      'sh',
      [
        '-c',
        `i=0; while [ $i -lt ${levels} ]; do mkdir ${'d'.repeat(100)}; cd -P ${'d'.repeat(100)}; echo x > f; i=$((i+1)); done`,
      ],
      { cwd: tree },
    )
  }
  test('takes what is deep, closed and strangely called, and follows nothing', async () => {
    const kept = join(top, 'kept')
    mkdirSync(kept, { recursive: true })
    writeFileSync(join(kept, 'file'), '')
    for (const remove of [(path: string) => Promise.resolve(removeTreeSync(path)), removeTree]) {
      mkdirSync(tree, { recursive: true })
      deep(300)
      symlinkSync(kept, at('link'))
      mkdirSync(at('moved-0/moved-1/x'), { recursive: true })
      writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff])]), '')
      mkdirSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xfe])]))
      mkdirSync(at('closed/inner'), { recursive: true })
      chmodSync(at('closed/inner'), 0)
      chmodSync(at('closed'), 0)
      await remove(tree)
      expect([existsSync(tree), readdirSync(kept)]).toEqual([false, ['file']])
    }
    symlinkSync(kept, tree)
    removeTreeSync(tree)
    expect([existsSync(tree), readdirSync(kept)]).toEqual([false, ['file']])
    removeTreeSync(tree)
  })

  test('is left as it is once it is to stop', async () => {
    const stopped = join(top, 'stopped')
    mkdirSync(join(stopped, 'a', 'b'), { recursive: true })
    await removeTree(stopped, AbortSignal.abort())
    expect(readdirSync(stopped)).toEqual(['a'])
  })
})

describe('a folder that a bot writes', () => {
  test('is read and written without following anything', () => {
    const outside = join(top, `outside-${n}`)
    mkdirSync(outside)
    writeFileSync(join(outside, 'file'), 'theirs')
    symlinkSync(outside, at('way'))
    symlinkSync(join(outside, 'file'), at('link'))
    write('plain/file')
    expect(plainFiles(tree)).toEqual([at('plain/file')])
    linkSync(join(outside, 'file'), at('hard'))
    for (const path of ['way/file', 'link', 'hard', '../escaped', 'plain/file/below'])
      writePlain(tree, path, Buffer.from('mine'))
    expect([readFileSync(join(outside, 'file'), 'utf8'), existsSync(join(top, 'escaped'))]).toEqual(['theirs', false])
    expect(['way/file', 'link', 'hard', 'plain/file/below'].map((path) => readFileSync(at(path), 'utf8'))).toEqual([
      'mine',
      'mine',
      'mine',
      'mine',
    ])
  })
})
