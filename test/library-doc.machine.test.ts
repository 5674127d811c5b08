import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { libraryText } from '../scripts/library.js'

it('docs/library.md is made of the declarations and their comments (npm run library)', async () => {
  expect(readFileSync(new URL('../docs/library.md', import.meta.url), 'utf8')).toBe(await libraryText())
})
