import { afterEach, expect, it, vi } from 'vitest'
import { BusyError, UserError } from '../core/index.js'
import { HostError } from '../sandbox/index.js'
import { fail } from './exit.js'

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = undefined
})

it.each([
  ['a user’s mistake', new UserError('a.toml: no'), 2, /^agon: a\.toml: no\n$/],
  ['a machine that is too busy', new BusyError('the machine is too busy'), 75, /^agon: the machine is too busy; .*\n$/],
  ['a machine that cannot', new HostError('no room'), 70, /^agon failed: no room; .*doctor.*\n$/],
  [
    'a lack that the system names',
    Object.assign(new Error('x'), { code: 'ENOSPC', path: '/a' }),
    2,
    /^agon: \/a: .*\n$/,
  ],
  ['our own fault', new TypeError('oops'), 70, /report it[^]*TypeError: oops\n {4}at /],
])('%s ends with its exit code, in one line but for our own', (_what, error, code, message) => {
  let stderr = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text)
    return true
  })
  fail(error)
  expect(process.exitCode).toBe(code)
  expect(stderr).toMatch(message)
})
