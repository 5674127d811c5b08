import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UserError } from '../core/index.js'
import { loadContest } from './parse.js'
import { display } from './toml-file.js'

const folder = mkdtempSync(join(tmpdir(), 'agon-toml-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

let made = 0
/** The error for a file with these contents. */
const errorOf = async (contents: string | Buffer): Promise<string> => {
  const file = join(folder, `c${made++}.toml`)
  writeFileSync(file, contents)
  return errorIn(file)
}
const errorIn = async (file: string): Promise<string> => {
  const error: unknown = await loadContest(file).then(
    () => new Error('it was read'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UserError)
  const { message } = error as UserError
  expect(message).not.toContain('\n')
  return message.replace(`${folder}/`, '')
}
const entrant = (command: string) => `game = "samurai"\n[[entrants]]\nname = "A"\ncommand = ${command}\n`
const WORDS = 'must be words such as ["python3", "bot.py"], or one text'

describe('a value that is none', () => {
  it.each([
    ['[9007199254740993, "x"]', '[9007199254740993,"x"]'],
    ['[["a", 9007199254740993]]', '[["a",9007199254740993]]'],
    ['{ a = 9007199254740993 }', '{"a":9007199254740993}'],
    ['[1979-05-27, nan, -inf, -0.0]', '[1979-05-27T00:00:00.000Z,nan,-inf,-0]'],
    ['1979-05-27', '1979-05-27'],
  ])('command = %s is reported with its line', async (value, shown) => {
    const message = await errorOf(entrant(value))
    expect(message).toMatch(/^c\d+\.toml:4: command = /)
    expect(message).toContain(shown.slice(0, 10))
    expect(message).toContain(WORDS)
  })

  it.each([
    ['turn', 'nan', 'turn = nan in [limits] must be a number above 0'],
    ['turn', '1e308', 'turn = 1e+308 must be from 0 to 86400000'],
    ['memory', '1', 'memory = 1 must be from 1048576 to 1125899906842624'],
    ['files', '3', 'files = 3 must be from 16 to 1048576'],
    ['output', '9007199254740991', 'output = 9007199254740991 must be from 1 to 67108864'],
  ])('the limit %s = %s is reported', async (name, value, message) => {
    expect(await errorOf(`game = "samurai"\n[limits]\n${name} = ${value}\n`)).toContain(`:3: ${message}`)
  })

  it('a key of a hundred thousand parts is refused at once', async () => {
    expect(await errorOf(`${'a.'.repeat(100_000)}b = 1\n`)).toContain('unknown key "a"')
  })
})

describe('a file that is no text', () => {
  it('is reported, with the line', async () => {
    expect(await errorOf(Buffer.from('game = "samurai"\n\ntitle = "a\xff"\n', 'latin1'))).toMatch(
      /:3: this is not UTF-8 text/,
    )
    expect(await errorOf('game = "samurai"\ntitle = "a\0"\n')).toMatch(/:2: this is not UTF-8 text/)
    expect(await errorOf(Buffer.from('title = "é'))).not.toContain('UTF-8')
    expect(await errorOf(Buffer.from('title = "é').subarray(0, -1))).toMatch(/:1: this is not UTF-8 text/)
  })

  it('is reported where it is none at all, and none is waited for', async () => {
    mkdirSync(join(folder, 'folder.toml'))
    execFileSync('mkfifo', [join(folder, 'pipe.toml')])
    symlinkSync('/dev/zero', join(folder, 'zero.toml'))
    writeFileSync(join(folder, 'large.toml'), '')
    truncateSync(join(folder, 'large.toml'), 2 ** 30)
    expect(await errorIn(join(folder, 'folder.toml'))).toContain('this is a folder')
    expect(await errorIn(join(folder, 'pipe.toml'))).toContain('this is not a regular file')
    expect(await errorIn(join(folder, 'zero.toml'))).toContain('this is not a regular file')
    expect(await errorIn(join(folder, 'large.toml'))).toContain(
      'it has 1073741824 bytes, and a contest file may have 16777216',
    )
    expect(await errorIn(join(folder, 'none.toml'))).toContain('there is no such file')
  })
})

it("an entrant's file that is larger than any is refused before it is read", async () => {
  mkdirSync(join(folder, 'big'))
  writeFileSync(join(folder, 'big', 'bot.toml'), '\n'.repeat(64 * 1024 + 1))
  const message = await errorOf('game = "samurai"\nentrants = "big/*.toml"\n')
  expect(message).toContain('bot.toml has more than 65536 bytes: this is not a bot.toml')
})

it.each([
  ['[options]\n__proto__ = 1', 3],
  ['[limits]\n"__proto__" = 1', 3],
  ['[options.__proto__]\nturns = 1', 2],
  ['[[entrants]]\nmodule = "a.js"\nwith = { "__proto__" = 1 }', 4],
])('the key __proto__, which would be dropped, is refused in %j', async (text, line) => {
  expect(await errorOf(`game = "samurai"\n${text}\n`)).toMatch(
    new RegExp(`:${line}: no key can be called "__proto__": leave it out$`),
  )
})

it("shows a stranger's file by a name that makes no lines of its own", () => {
  expect(display('/entries/nl\nagon: done\r\u202e/bot.toml')).toBe(
    '/entries/nl\\u{a}agon: done\\u{d}\\u{202e}/bot.toml',
  )
})
