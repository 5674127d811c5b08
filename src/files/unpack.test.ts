import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { type Packed, tarGzOf, tarOf, zipOf } from '../../test/site/archives.js'
import { unpack, writeSent } from './unpack.js'

const tree = mkdtempSync(join(tmpdir(), 'agon-unpack-'))
afterAll(() => rmSync(tree, { recursive: true, force: true }))

const kinds = [
  ['tar', tarOf],
  ['tar.gz', tarGzOf],
  ['zip', zipOf],
] as const

describe.each(kinds)('%s', (kind, make) => {
  it('gives its files, and whether they may be started', async () => {
    const files = await unpack(
      make([
        { name: 'bot.sh', data: 'echo B\n', mode: kind === 'zip' ? 0o100755 : 0o755 },
        { name: 'lib/a.txt', data: 'a' },
      ]),
    )
    expect(files.map(({ path, executable }) => [path, executable])).toEqual([
      ['bot.sh', true],
      ['lib/a.txt', false],
    ])
    expect(Buffer.from(files[0]?.data ?? []).toString()).toBe('echo B\n')
  })

  it('drops a folder that holds everything', async () => {
    const files = await unpack(
      make([
        { name: 'mybot/bot.sh', data: 'x' },
        { name: 'mybot/lib/a', data: 'y' },
      ]),
    )
    expect(files.map(({ path }) => path)).toEqual(['bot.sh', 'lib/a'])
  })

  const hostile: readonly (readonly [string, readonly Packed[]])[] = [
    ['a name that leads out', [{ name: '../x', data: 'x' }]],
    ['a name that leads out on a way', [{ name: 'a/../../x', data: 'x' }]],
    ['an absolute name', [{ name: '/etc/x', data: 'x' }]],
    ['a drive', [{ name: 'c:/x', data: 'x' }]],
    ['a backslash', [{ name: '..\\x', data: 'x' }]],
    ['a share of a network', [{ name: '\\\\server\\share\\x', data: 'x' }]],
    ['a drive without a slash', [{ name: 'C:x', data: 'x' }]],
    ['a control character', [{ name: 'a\u0001b', data: 'x' }]],
    ['a line break', [{ name: 'a\nb', data: 'x' }]],
    ['a name that is read backwards', [{ name: 'bot\u202Ehs.txt', data: 'x' }]],
    ['a character that is not seen', [{ name: 'bot\u200B.sh', data: 'x' }]],
    ['a line separator', [{ name: 'bot\u2028.sh', data: 'x' }]],
    [
      'names that look alike and are written in two ways',
      [
        { name: 'caf\u00E9', data: '1' },
        { name: 'cafe\u0301', data: '2' },
      ],
    ],
    [
      'a name that comes twice',
      [
        { name: 'x', data: '1' },
        { name: 'x', data: '2' },
      ],
    ],
    [
      'names that a Mac takes for one',
      [
        { name: 'x', data: '1' },
        { name: 'X', data: '2' },
      ],
    ],
    ['nothing', []],
    ['a folder alone', [{ name: 'x/', type: '5', mode: 0o040755 }]],
    ['2,001 files', Array.from({ length: 2001 }, (_, n) => ({ name: `f${n}`, data: '' }))],
    ['a name 17 folders deep', [{ name: `${'a/'.repeat(17)}x`, data: 'x' }]],
    ['a size that is not so', [{ name: 'x', data: 'x', size: 1_000_000 }]],
    ['more bytes than are taken', [{ name: 'x', data: 'x', size: 80 * 1024 ** 2 }]],
  ]
  it.each(hostile)('refuses %s', async (_, files) => {
    await expect(unpack(make(files))).rejects.toThrow(/: /)
  })
})

/** A record of an extended header: its length, itself counted in, and what it says. */
function paxOf(says: string): string {
  for (let n = says.length + 2; ; n++) if (`${n} ${says}\n`.length === n) return `${n} ${says}\n`
}
const isSafe = (path: string): boolean =>
  path !== '' && !path.startsWith('/') && !path.split('/').includes('..') && !/[\p{C}\\]/u.test(path)

describe('tar', () => {
  it.each([
    ['an extended header', 'x', paxOf('path=../../etc/x')],
    ['an extended header of an absolute name', 'x', paxOf('path=/etc/x')],
    ['a header for all', 'g', paxOf('path=../x')],
    ['a long name', 'L', '../../x\0'],
    ['a size in an extended header', 'x', paxOf('size=99999999999')],
    ['a size below nothing', 'x', paxOf('size=-1')],
  ])('takes no file that %s leads elsewhere, or makes too large', async (_, type, data) => {
    const archive = tarOf([
      { name: 'header', type, data },
      { name: 'x', data: 'x' },
    ])
    const files = await unpack(archive).catch(() => [])
    for (const { path, data: own } of files) expect([isSafe(path), own.length <= 1]).toEqual([true, true])
  })

  it('does not keep a header of any size in memory', async () => {
    const archive = tarOf([
      { name: 'header', type: 'x', data: paxOf(`path=${'x'.repeat(1024 ** 2)}`) },
      { name: 'x', data: 'x' },
    ])
    const files = await unpack(archive).catch(() => [])
    expect(files.every(({ path }) => path.length < 1000)).toBe(true)
  })

  it.each([
    ['a link', '2'],
    ['a hard link', '1'],
    ['a device', '3'],
    ['a device of blocks', '4'],
    ['a pipe', '6'],
    ['a file with holes', 'S'],
    ['an unknown type', 'Q'],
  ])('refuses %s', async (_, type) => {
    await expect(
      unpack(
        tarOf([
          { name: 'x', type, link: '/etc/passwd' },
          { name: 'y', data: 'y' },
        ]),
      ),
    ).rejects.toThrow(/is a|cannot be read/)
  })

  it('refuses one that is cut off, or altered', async () => {
    const whole = tarOf([{ name: 'x', data: 'x'.repeat(2000) }])
    await expect(unpack(whole.subarray(0, 700))).rejects.toThrow('cannot be read')
    whole.write('y', 0)
    await expect(unpack(whole)).rejects.toThrow('cannot be read')
  })
})

describe('zip', () => {
  it.each([
    ['a link', 0o120777],
    ['a device', 0o020666],
    ['a pipe', 0o010666],
  ])('refuses %s', async (_, mode) => {
    await expect(unpack(zipOf([{ name: 'x', data: '/etc/passwd', mode }]))).rejects.toThrow(
      'is a link or a special file',
    )
  })

  it('refuses one that is cut off', async () => {
    const whole = zipOf([{ name: 'x', data: 'x' }])
    await expect(unpack(whole.subarray(0, whole.length - 5))).rejects.toThrow('cannot be read')
  })
})

describe('what people’s machines pack', () => {
  const data = 'x'
  const bot = ['bot.py', 'lib/a.py']
  const within = (top: string, slash = '/'): Packed[] =>
    bot.map((name) => ({ name: `${top}${slash}${name.replace('/', slash)}`, data }))
  const mac: Packed[] = [
    { name: '__MACOSX/', type: '5', mode: 0o040755 },
    { name: '__MACOSX/._Kestrel', data },
    { name: '__MACOSX/Kestrel/lib/._a.py', data },
    { name: 'Kestrel/.DS_Store', data },
  ]
  const windows = { system: 0, mode: 0 }
  it.each<[string, Buffer]>([
    ['a Mac: a folder', zipOf([{ name: 'Kestrel/', mode: 0o040755 }, ...within('Kestrel'), ...mac])],
    ['a Mac: files', zipOf([...bot.map((name) => ({ name, data })), { name: '__MACOSX/._bot.py', data }])],
    ['a Mac: what Finder leaves beside the folder', zipOf([{ name: '.DS_Store', data }, ...within('Kestrel')])],
    [
      'a Mac by tar',
      tarGzOf([{ name: './._Kestrel', data }, ...within('./Kestrel'), { name: 'Kestrel/._bot.py', data }]),
    ],
    ['Windows: a folder', zipOf(within('Kestrel').map((file) => ({ ...file, ...windows })))],
    ['Windows: a folder, by backslashes', zipOf(within('Kestrel', '\\').map((file) => ({ ...file, ...windows })))],
    [
      'Windows: with its thumbnails',
      zipOf([...within('Kestrel'), { name: 'Thumbs.db', data }, { name: 'Kestrel\\lib\\', mode: 0 }]),
    ],
    ['git', tarGzOf([{ name: 'pax_global_header', type: 'g', data: paxOf('comment=0a1b2c') }, ...within('repo-main')])],
  ])('is the bot’s files alone, from %s', async (_, archive) => {
    expect((await unpack(archive)).map(({ path }) => path).sort()).toEqual(bot)
  })

  it('has the names that are meant, whoever wrote them down', async () => {
    const [decomposed, composed] = ['cafe\u0301.py', 'caf\u00E9.py']
    const names: readonly Packed[] = [
      { name: composed },
      { name: decomposed },
      { name: '', nameBytes: Buffer.from(decomposed) },
      // As Windows and MS-DOS have it.
      { name: '', nameBytes: Buffer.from('caf\x82.py', 'latin1') },
    ]
    for (const one of names) expect(await unpack(zipOf([{ ...one, data }]))).toMatchObject([{ path: composed }])
  })

  it('is refused where two names are one once they are read so', async () => {
    const both: readonly (readonly Packed[])[] = [
      [{ name: 'K\\x' }, { name: 'K/x' }],
      [{ name: 'K\\x' }, { name: 'K/X' }],
      [{ name: 'caf\u00E9' }, { name: '', nameBytes: Buffer.from('CAFE\u0301') }],
      [{ name: 'caf\u00E9' }, { name: '', nameBytes: Buffer.from('caf\x82', 'latin1') }],
    ]
    for (const files of both)
      await expect(unpack(zipOf(files.map((file) => ({ ...file, data }))))).rejects.toThrow('comes twice')
    const files = await unpack(
      zipOf([
        { name: 'K\\a', data },
        { name: 'K\\A\\b', data },
        { name: '.DS_Store', data },
      ]),
    )
    await expect(writeSent(join(tree, 'one'), files)).rejects.toThrow('is a file and a folder')
  })

  it.each([
    '..\\x',
    'a\\..\\..\\x',
    '\\x',
    'C:\\x',
    '\\\\server\\share\\x',
    '__MACOSX\\..\\..\\x',
    '__MACOSX/../../._x',
  ])('is refused where it leads out: %j', async (name) => {
    await expect(unpack(zipOf([{ name, data }]))).rejects.toThrow('leads out of its folder')
  })

  it('leads nowhere else once the folder around it is gone', async () => {
    const files = await unpack(zipOf([{ name: 'K\\C:x', data }]))
    await expect(writeSent(join(tree, 'drive'), files)).rejects.toThrow('leads out of its folder')
    expect(existsSync(join(tree, 'drive'))).toBe(false)
  })

  it('can be started where its system has no mark for that, if it begins like something that can', async () => {
    const files = (file: Partial<Packed>): readonly Packed[] =>
      ['#!/bin/sh\n', '\u007fELF\u0002', 'int main', ''].map((text, n) => ({ name: `f${n}`, data: text, ...file }))
    const started = async (sent: Parameters<typeof writeSent>[1]): Promise<string[]> => {
      const folder = mkdtempSync(join(tree, 'marks-'))
      await writeSent(join(folder, 'bot'), sent)
      return readdirSync(join(folder, 'bot')).filter((name) => (statSync(join(folder, 'bot', name)).mode & 0o111) !== 0)
    }
    const likely = ['f0', 'f1']
    expect(await started(await unpack(zipOf(files({ system: 0, mode: 0 }))))).toEqual(likely)
    expect(await started(await unpack(zipOf(files({ mode: 0 }))))).toEqual(likely)
    // As Windows has it in a mode, no file can be started.
    expect(await started(await unpack(zipOf(files({ system: 0, mode: 0o100666 }))))).toEqual(likely)
    expect(
      await started(files({}).map(({ name, data: text = '' }) => ({ path: name, data: Buffer.from(text) }))),
    ).toEqual(likely)
    expect(await started(await unpack(zipOf(files({ mode: 0o100644 }))))).toEqual([])
    expect(await started(await unpack(tarOf(files({ mode: 0o644 }))))).toEqual([])
  })
})

describe('bombs', () => {
  const zeros = Buffer.alloc(1024 ** 2)

  it('of zip are refused by what they say, or where they lie about it', async () => {
    const honest = Array.from({ length: 70 }, (_, n) => ({ name: `f${n}`, data: zeros, deflated: true as const }))
    expect(zipOf(honest).length).toBeLessThan(200_000)
    await expect(unpack(zipOf(honest))).rejects.toThrow('bytes unpacked')
    for (const size of [10, 1024 ** 2 - 1, 1024 ** 2 + 1])
      await expect(unpack(zipOf([{ name: 'x', data: zeros, deflated: true, size }]))).rejects.toThrow('cannot be read')
  })

  it('of zip whose entries share their data count each of them', async () => {
    const shared = Array.from({ length: 100 }, (_, n) => ({
      name: `f${n}`,
      data: zeros,
      deflated: true as const,
      sameAs: n > 0 ? 0 : undefined,
    }))
    expect(zipOf(shared).length).toBeLessThan(20_000)
    await expect(unpack(zipOf(shared))).rejects.toThrow('bytes unpacked')
  })

  it('within archives stay what they are: files', async () => {
    const inner = zipOf([{ name: '../x', data: 'x' }])
    const [only, ...others] = await unpack(zipOf([{ name: 'inner.zip', data: inner }]))
    expect([only?.path, others.length, Buffer.from(only?.data ?? []).equals(inner)]).toEqual(['inner.zip', 0, true])
  })

  it('with a password are refused', async () => {
    await expect(unpack(zipOf([{ name: 'x', data: 'x', locked: true }]))).rejects.toThrow('cannot be read')
  })
  it('are refused before they are unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 ** 2))
    expect(bomb.length).toBeLessThan(200_000)
    await expect(unpack(bomb)).rejects.toThrow('bytes unpacked')
    await expect(unpack(gzipSync(bomb))).rejects.toThrow(/: /)
  })

  it('of empty folders are refused after so many, and others are answered meanwhile', async () => {
    const folders = Array.from({ length: 12_000 }, (_, n) => ({ name: `d${n}/`, type: '5', mode: 0 }))
    await expect(unpack(zipOf(folders))).rejects.toThrow('more than 10000 files and folders')
    let turns = 0
    let next = setImmediate(function turn() {
      turns++
      next = setImmediate(turn)
    })
    await expect(unpack(tarOf(folders))).rejects.toThrow('more than 10000 files and folders')
    clearImmediate(next)
    // Pieces of 5 MB.
    expect(turns).toBeGreaterThan(15)
  })

  it('of what is no archive are refused as that', async () => {
    for (const data of ['', 'hello', 'PK\u0003\u0004', 'Rar!\u001a\u0007', '\u001f\u008b\u0008'])
      await expect(unpack(Buffer.from(data, 'latin1'))).rejects.toThrow(/make it again|holds no file/)
  })
})

it('whatever is altered in an archive, nothing leads out of it', async () => {
  const files = [
    { name: 'bot.sh', data: 'echo B\n' },
    { name: 'lib/a.txt', data: 'a'.repeat(600), deflated: true as const },
    { name: 'lib/b.txt', data: 'b' },
  ]
  let x = 7
  const draw = (n: number): number => (x = (x * 48271) % 2147483647) % n
  let taken = 0
  for (const make of [tarOf, zipOf]) {
    const whole = make(files)
    for (let n = 0; n < 150; n++) {
      const altered = Buffer.from(whole)
      for (let k = 0; k <= n % 3; k++) altered[draw(altered.length)] = draw(256)
      const got = await unpack(altered).catch((error: unknown) => {
        expect(String(error)).toMatch(/: /)
        return []
      })
      taken += got.length
      expect(got.filter(({ path }) => !isSafe(path))).toEqual([])
    }
  }
  expect(taken).toBeGreaterThan(0)
})

describe('what is written', () => {
  it('lies below its folder, with modes of its own', async () => {
    const folder = join(tree, 'written')
    await writeSent(folder, [
      { path: 'bot.sh', data: Buffer.from('x'), executable: true },
      { path: './a//b.txt', data: Buffer.from('y') },
    ])
    expect(readFileSync(join(folder, 'a/b.txt'), 'utf8')).toBe('y')
    expect(statSync(join(folder, 'bot.sh')).mode & 0o111).not.toBe(0)
    expect(statSync(join(folder, 'a/b.txt')).mode & 0o111).toBe(0)
  })

  it('is written in pieces, between which others are answered', async () => {
    // Each look at the clock finds that a slice of work is over: ten ms, counted from when this thread last paused.
    let now = performance.now()
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 11))
    const answeredDuring = async (name: string, files: Parameters<typeof writeSent>[1]): Promise<number> => {
      let answered = 0
      let isWriting = true
      const answer = (): void => {
        answered++
        if (isWriting) setImmediate(answer)
      }
      setImmediate(answer)
      await writeSent(join(tree, name), files)
      isWriting = false
      return answered
    }
    const small = Array.from({ length: 20 }, (_, n) => ({ path: `${n}/f`, data: Buffer.from('x') }))
    expect(await answeredDuring('small', small)).toBeGreaterThanOrEqual(20)
    // 256 KiB each.
    expect(await answeredDuring('large', [{ path: 'f', data: Buffer.alloc(1024 ** 2) }])).toBeGreaterThanOrEqual(5)
    clock.mockRestore()
    // Other tests of this process count from there.
    await vi.waitUntil(() => performance.now() > now, { timeout: 10_000 })
  })

  it.each(['../x', '/x', 'a/../../x', '', 'a/', 'x\\y', '.'])('is never %j', async (path) => {
    const folder = join(tree, 'never')
    await expect(writeSent(folder, [{ path, data: Buffer.from('x') }])).rejects.toThrow(/: /)
    expect(existsSync(folder)).toBe(false)
    expect(readdirSync(tree)).not.toContain('x')
  })

  it('is no file that is a folder, too', async () => {
    for (const paths of [
      ['a', 'a/b'],
      ['A', 'a/b'],
      ['e\u0301', '\u00e9/b'],
    ]) {
      const files = paths.map((path) => ({ path, data: Buffer.from('x') }))
      await expect(writeSent(join(tree, 'both'), files)).rejects.toThrow('is a file and a folder')
    }
  })
})
