import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
const files = [...text.matchAll(/`(src\/[\w./-]+)`/g)].map(([, file = '']) => file)
const walks = text.slice(text.indexOf('## Three walks'))
const steps = [...walks.matchAll(/`(src\/[\w./-]+)`: `(\w+)`/g)].map(([, file = '', name = '']) => ({ file, name }))

it('names files and folders that are there', () => {
  expect(files.length).toBeGreaterThan(30)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

it('walks by functions that are there', () => {
  expect(steps.length).toBeGreaterThan(12)
  const gone = steps.filter(
    ({ file, name }) => !new RegExp(`\\b${name}\\b`).test(readFileSync(join(root, file), 'utf8')),
  )
  expect(gone).toEqual([])
})
