import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The page's program and style sheet, as the build leaves them. */
export interface Page {
  readonly script: string
  readonly style: string
}

/** Reads the built page: beside this layer in the package, or in dist/ where agon runs from its sources. */
export function builtPage(): Page {
  const folder = ['../web/', '../../dist/web/']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(`${path}page.js`))
  if (folder === undefined) throw new Error('the page is not built: npm run build makes dist/web')
  return { script: readFileSync(`${folder}page.js`, 'utf8'), style: readFileSync(`${folder}page.css`, 'utf8') }
}
