import { expect, it } from 'vitest'
import { OPTION_NAMES, command, message, option } from '../../core/index.js'
import { fieldOf } from '../../app/flag.js'
import { formSchema } from '../entries.js'

it('spells options as people of a site know them: fields of their form, limits of their contest, flags of the host', () => {
  const said = message`${option('limit', 'memory=…')}; ${option('wire', 'jsonl')}; ${option('unsafeNoIsolation')}; ${command('worker')} ${option('labels')}`
  expect(said.spelled(fieldOf)).toBe(
    "the contest's limit memory=…; the field wire: jsonl; --unsafe-no-isolation; agon worker --labels",
  )
})

it('calls nothing a field that no form has', () => {
  const fields = OPTION_NAMES.filter((name) => fieldOf(option(name)).includes('field'))
  expect(fields).toEqual(['wire'])
  expect(Object.keys(formSchema.shape)).toEqual(expect.arrayContaining(fields))
})
