// Adds another OpenAI-compatible provider, which needs no more than the record below. In Weir itself the record is a file in
// core/providers/, and a line in its index replaces `addProvider`.
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addProvider, openaiChat, openGateway, provider, readConfig } from 'weir-gateway'
import { createListener } from 'weir-gateway/http'

const acme = provider({
  type: 5000,
  id: 'acme',
  name: 'Acme AI',
  base_url: 'https://api.acme.example',
  models: ['acme-large'],
  env: 'ACME_API_KEY',
  chat: [{ dialect: openaiChat, path: '/v1/chat/completions' }],
  models_path: '/v1/models',
})
addProvider(acme)

// A substitute for Acme's server.
const upstream = createServer((request, response) => {
  process.stdout.write(`Acme is asked ${request.method} ${request.url} with ${request.headers.authorization}\n`)
  const message = { role: 'assistant', content: 'Hello from Acme' }
  const usage = { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4 }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ id: 'a1', choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
})
const listen = (server: ReturnType<typeof createServer>) =>
  new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
const base_url = await listen(upstream)

const data = await mkdtemp(join(tmpdir(), 'weir-'))
const gateway = await openGateway(readConfig({ data, log_level: 'warn' }, {}, false))
const { client } = gateway
const password = 'correct horse'
await client.site.setup({ username: 'root', password, confirmPassword: password, SelfUseModeEnabled: true })
await client.channels.create({ name: 'acme', type: acme.type, key: 'an-acme-key', base_url, models: 'acme-large' })
const token = await client.tokens.create({ name: 'example', unlimited_quota: true })

const server = createServer(createListener(gateway))
const url = await listen(server)
const reply = await fetch(`${url}/v1/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'acme-large', messages: [{ role: 'user', content: 'Hello' }] }),
})
process.stdout.write(`${await reply.text()}\n`)
server.close()
upstream.close()
await gateway.close()
