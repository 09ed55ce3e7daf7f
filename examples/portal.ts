// A site that shows a page of Weir in a frame: WEIR_URL=https://weir.example.com npx tsx examples/portal.ts
// Weir's setting FrameAncestors must contain this site. Over plain http it works on one machine only, because browsers store the
// cookies of a framed site only if they are secure.
import { createServer } from 'node:http'
import process from 'node:process'

const weir = (process.env['WEIR_URL'] ?? 'http://127.0.0.1:3000').replace(/\/$/, '')

const page = `<!doctype html>
<meta charset="utf-8">
<title>Portal</title>
<h1>Portal</h1>
<nav>
  <button data-say='{"type":"navigate","path":"/log"}'>Usage</button>
  <button data-say='{"type":"navigate","path":"/token"}'>Keys</button>
  <button data-say='{"type":"navigate","path":"/topup"}'>Wallet</button>
  <button data-say='{"type":"theme","mode":"dark"}'>Dark</button>
  <button data-say='{"type":"language","language":"zh"}'>中文</button>
  <button data-say='{"type":"sign_out"}'>Sign out</button>
</nav>
<p id="state"></p>
<iframe src="${weir}/log?embed=1" title="Weir" style="width:100%;border:0"></iframe>
<script>
  const frame = document.querySelector('iframe')
  const origin = new URL(frame.src).origin
  for (const button of document.querySelectorAll('[data-say]'))
    button.onclick = () => frame.contentWindow.postMessage(JSON.parse(button.dataset.say), origin)
  addEventListener('message', ({ source, origin: from, data }) => {
    if (source !== frame.contentWindow || from !== origin || data.source !== 'weir') return
    if (data.type === 'height') frame.style.height = data.height + 'px'
    if (data.type === 'navigated') document.title = 'Portal: ' + data.title
    if (data.type === 'session') state.textContent = data.signed_in ? 'Signed in' : 'Nobody is signed in'
  })
</script>`

const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
})
server.listen(Number(process.env['PORT'] ?? 9000), 'localhost', () => {
  process.stdout.write(`${JSON.stringify(server.address())}\n`)
})
process.once('SIGTERM', () => server.close())
