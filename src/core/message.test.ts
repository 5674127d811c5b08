import { expect, it } from 'vitest'
import { Message, type Spell, UserError, command, message, option, spelled } from './index.js'

const asField: Spell = (named) =>
  'command' in named
    ? `[${named.command}]`
    : named.value === undefined
      ? `<${named.option}>`
      : `<${named.option}=${named.value}>`

it('is spelled as the caller that shows it says, and plain for all others', () => {
  const text = message`${'s.db'} cannot be made (${13}): choose another with ${option('workspace')}, or ${option('matches', 8)}`
  expect(text.spelled(asField)).toBe('s.db cannot be made (13): choose another with <workspace>, or <matches=8>')
  expect(String(text)).toBe(
    's.db cannot be made (13): choose another with the option "workspace", or the option "matches" (8)',
  )
  expect(JSON.stringify({ text })).toBe(JSON.stringify({ text: String(text) }))
})

it('may hold other messages, and texts that look like options are texts', () => {
  const inner = message`go on with ${option('resume')}`
  const outer = message`it stopped: ${inner}; ${'<fresh>'}`
  expect(outer.spelled(asField)).toBe('it stopped: go on with <resume>; <fresh>')
  expect(outer.replaceAll('stopped', 'ended').spelled(asField)).toBe('it ended: go on with <resume>; <fresh>')
  expect(spelled('plain', asField)).toBe('plain')
})

it('names commands, as words after agon for a reader of whom nothing is known', () => {
  const text = message`${command('run CONTEST')} with ${option('fresh')} makes one`
  expect(text.spelled(asField)).toBe('[run CONTEST] with <fresh> makes one')
  expect(String(text)).toBe('agon run CONTEST with the option "fresh" makes one')
})

it('is kept by the error that is made of it', () => {
  const error = new UserError(message`use ${option('fresh')}`)
  expect(error.message).toBe('use the option "fresh"')
  expect(spelled(error.text, asField)).toBe('use <fresh>')
  expect(error.text).toBeInstanceOf(Message)
  expect(new UserError('plain').text).toBe('plain')
})
