// Embeds a gateway in another Node program: sets it up, adds a channel and a token, and serves it under a path.
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openGateway, readConfig } from 'weir-gateway'
import { createListener } from 'weir-gateway/http'

const data = await mkdtemp(join(tmpdir(), 'weir-'))
const gateway = await openGateway(readConfig({ data, log_level: 'warn' }, {}, false))
const { client } = gateway

const password = 'correct horse'
await client.site.setup({ username: 'root', password, confirmPassword: password })
await client.channels.create({ name: 'sandbox', type: 1000, models: 'sandbox-small' })
const token = await client.tokens.create({ name: 'example', unlimited_quota: true })

const server = createServer(createListener(gateway, { basePath: '/ai' }))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

const reply = await fetch(`http://127.0.0.1:${port}/ai/v1/chat/completions`, {
  method: 'POST',
  headers: { authorization: `Bearer sk-${token.key}`, 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'sandbox-small', messages: [{ role: 'user', content: 'Hello' }] }),
})
process.stdout.write(`${JSON.stringify(await reply.json(), null, 2)}\n`)

const { items } = await client.logs.list({ page_size: 1 })
process.stdout.write(`charged ${items[0]?.quota} quota\n`)
server.close()
await gateway.close()
