import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'

/* A bare Hono route that sends a constant of as many bytes as it is asked for. */

const text = JSON.stringify({ text: 'x'.repeat(Math.max(0, Number(process.argv[2]) - 11)) })
const app = new Hono()
app.get('/', () => new Response(text, { headers: { 'content-type': 'application/json' } }))
const server = createAdaptorServer({ fetch: (request) => app.fetch(request) })
server.listen(0, '127.0.0.1', () => {
  const at = server.address()
  console.log(JSON.stringify({ url: `http://127.0.0.1:${at !== null && typeof at === 'object' ? at.port : 0}` }))
})
