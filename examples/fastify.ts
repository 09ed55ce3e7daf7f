// Weir inside a Fastify application, under /ai: PORT=8080 npx tsx examples/fastify.ts
import process from 'node:process'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { openGateway, readConfig } from 'weir-gateway'
import { createListener, createRealtimeHandler, createStop, listenForUpgrades } from 'weir-gateway/http'

const basePath = '/ai'
const config = readConfig({}, process.env, true)
const gateway = await openGateway(config)
const weir = createListener(gateway, { basePath })

const app = fastify()
await app.register(
  async (scope) => {
    // Weir reads its requests and writes its responses itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    const serve = (request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack()
      weir(request.raw, reply.raw)
    }
    scope.all('/', serve)
    scope.all('/*', serve)
  },
  { prefix: basePath },
)
app.get('/', () => 'The page of the application')
const realtime = createRealtimeHandler(gateway, { basePath })
listenForUpgrades(app.server, realtime)
const stop = createStop(app.server)
// Open answers have 5 seconds to finish.
app.addHook('preClose', () => stop(5000))

await app.listen({ port: config.port, host: config.host })
process.stdout.write(`${JSON.stringify(app.server.address())}, setup with the code ${gateway.setupCode}\n`)

process.once('SIGTERM', async () => {
  await realtime.close()
  await app.close()
  await gateway.close()
})
