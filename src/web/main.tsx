import { createRoot } from 'react-dom/client'
import { App } from './app.js'
import { keepFocus } from './focus.js'
import { loadReport } from './load.js'
import './style.css'
import './replay/replay.css'
import './boards.css'

const root = document.getElementById('root')
if (root) {
  keepFocus(root)
  loadReport(document).then(
    (report) => createRoot(root).render(<App report={report} />),
    (error: unknown) => {
      // The table that the file holds as plain HTML stays; only what needs the page's program is missing.
      const note = document.createElement('p')
      note.textContent = `The matches cannot be shown: ${error instanceof Error ? error.message : String(error)}`
      root.prepend(note)
    },
  )
}
