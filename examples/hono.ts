// Weir as a function from Request to Response, here inside a Hono application under /ai: PORT=8080 npx tsx examples/hono.ts
import type { Server } from 'node:http'
import process from 'node:process'
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { Hono } from 'hono'
import { openGateway, readConfig } from 'weir-gateway'
import { createFetchHandler, createRealtimeHandler, createStop, listenForUpgrades } from 'weir-gateway/http'

const basePath = '/ai'
const config = readConfig({}, process.env, true)
const gateway = await openGateway(config)
const weir = createFetchHandler(gateway, { basePath })

const app = new Hono()
app.all(`${basePath}/*`, (context) => weir(context.req.raw, { address: getConnInfo(context).remote.address }))
app.get('/', (context) => context.text('The page of the application'))

const server = serve({ fetch: app.fetch, port: config.port, hostname: config.host }, (address) => {
  process.stdout.write(`${JSON.stringify(address)}, setup with the code ${gateway.setupCode}\n`)
}) as Server
// Requires a server of Node: a Request cannot become a WebSocket.
const realtime = createRealtimeHandler(gateway, { basePath })
listenForUpgrades(server, realtime)
const stop = createStop(server)

process.once('SIGTERM', async () => {
  await realtime.close()
  // Open answers have 5 seconds to finish.
  await stop(5000)
  await gateway.close()
})
