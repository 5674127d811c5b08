import { homedir } from 'node:os'
import { expect, it } from 'vitest'
import { withoutPlaces } from './workspace.js'

it('of the host’s paths strangers are told the last name alone', () => {
  const told = (text: string): string => withoutPlaces(text, '/srv/my site')
  expect(told('runs:    /srv/my site/entrants/0ab-1/files/bot.py')).toBe('runs:    …/bot.py')
  expect(told('/srv/my site/rooms: in "/srv/my site"')).toBe('…/rooms: in "…"')
  expect(told(`${homedir()}/.pyenv/versions/3.11/bin/python3 bot.py (${process.cwd()}/dist/games/a.js:3)`)).toBe(
    '…/python3 bot.py (…/a.js:3)',
  )
  expect(told(`/srv/my sitemap and /bot/bot.py, ${homedir()}s and /usr/bin/cc`)).toBe(
    `/srv/my sitemap and /bot/bot.py, ${homedir()}s and /usr/bin/cc`,
  )
})
