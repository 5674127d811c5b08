import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Markdown } from './markdown.js'

const shown = (text: string): string => renderToStaticMarkup(<Markdown text={text} />)

it('draws what rules are written with', () => {
  expect(shown('## The match\nTwo *act* at\nonce, **not** `W|B`.')).toBe(
    '<h3>The match</h3><p>Two <em>act</em> at once, <b>not</b> <code>W|B</code>.</p>',
  )
  expect(shown('3. one\n   goes on\n4. two')).toBe('<ol start="3"><li>one goes on</li><li>two</li></ol>')
  expect(shown('- a [rule](RULES.md)')).toBe('<ul><li>a rule</li></ul>')
  expect(shown('```json\n{"a":\n\n1}\n```\nthen')).toContain('{&quot;a&quot;:\n\n1}</pre><p>then</p>')
  expect(shown('   | a | b |\n   |---|---|\n   | `x\\|y` | |')).toContain(
    '<tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td data-head="a"><code>x|y</code></td><td data-head="b"></td></tr>',
  )
})

it('shows a stranger’s text as text', () => {
  expect(shown('<script>x</script> [a](javascript:alert)')).toBe('<p>&lt;script&gt;x&lt;/script&gt; a</p>')
})
