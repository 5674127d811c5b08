import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MAIN, Place } from './agon.js'

const place = new Place({
  'secret.txt': 'secret\n',
})

it.runIf(process.platform === 'linux')(
  'what agon was started with open is open in no program that runs on the host',
  () => {
    const script = `for fd in 4 15 17 40 99 120; do eval "exec $fd<>secret.txt"; done; exec "$@"`
    const words = [process.execPath, MAIN, 'check', 'samurai', 'bash bot.sh', '--unsafe-no-isolation']
    const write = `ls /proc/self/fd >>${place.path('fds')}; cat <&99 2>/dev/null >>${place.path('fds')}; echo B\n`
    place.write('bot.sh', write)
    const env = { ...process.env, AGON_WORKSPACE: place.path('workspace') }
    execFileSync('/bin/bash', ['-c', script, 'bash', ...words], {
      cwd: place.folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const seen = readFileSync(place.path('fds'), 'utf8').trim().split('\n')
    expect(new Set(seen)).toEqual(new Set(['0', '1', '2', '3']))
    expect(readFileSync(place.path('secret.txt'), 'utf8')).toBe('secret\n')
  },
)

it.runIf(process.platform === 'linux')('a file that the command line names by its descriptor is read', () => {
  const verify = (opened: string) =>
    spawnSync('/bin/bash', ['-c', `${opened} exec "$@"`, 'bash', process.execPath, MAIN, 'verify', '/dev/fd/63'], {
      cwd: place.folder,
    }).stderr.toString()
  expect(verify('exec 63<secret.txt;')).toMatch(/fd\/63:1: .*JSON/)
  expect(verify('')).not.toMatch(/JSON/)
})
