import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { apiText } from '../../scripts/api.js'

it('docs/api.md is made of the OpenAPI document (npm run api)', async () => {
  expect(readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')).toBe(await apiText())
})
