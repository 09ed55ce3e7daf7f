// `weir serve`: the gateway, its API and its console, until a signal comes.
import path from 'node:path'
import { placeFlags } from '../address.ts'
import { command, type Surroundings } from '../command.ts'
import { openToServe } from '../connect.ts'
import { UsageError } from '../failure.ts'
import { addressOptions } from '../program.ts'
import { aborted } from '../signals.ts'

export const serve = command({
  name: 'serve',
  summary: 'Start the gateway: the model API, the management API and the web console',
  details:
    'Stops gracefully on SIGINT or SIGTERM: open calls are finished and charged. A second signal ends it at once.',
  options: addressOptions,
  async run(context) {
    if (context.server !== undefined)
      throw new UsageError('serve starts Weir on this machine and takes no --server (WEIR_SERVER).')
    const { config, print } = context
    // Loaded here and nowhere else, so that the other commands start without the server.
    const [door, { startServer }] = await Promise.all([
      import('../../core/adapters/node.ts'),
      import('../../http/start.ts'),
    ])
    const interrupted = context.interrupted()
    const gateway = await openToServe(door, config)
    const server = await startServer(gateway, config).catch(async (error: unknown) => {
      await gateway.close()
      throw error
    })
    try {
      const { setup } = await gateway.client.site.status()
      announce(context, { url: server.url, version: gateway.version, setup, code: gateway.setupCode })
      await aborted(interrupted)
      print.say('\nStopping: open calls are finished first. Press Ctrl+C again to stop at once.')
    } finally {
      await server.close()
    }
  },
})

interface Ready {
  url: string
  version: string
  setup: boolean
  code: string
}

function announce(
  { print, config }: Pick<Surroundings, 'print' | 'config'>,
  { url, version, setup, code }: Ready,
): void {
  const folder = path.resolve(config.data)
  const { paint } = print
  const lines = [
    '',
    paint(`Weir ${version} is ready`, 'strong'),
    '',
    `  Console   ${paint(url, 'good')}`,
    `  API       ${url}/v1`,
    `  Data      ${folder}${config.database ? ' (database: PostgreSQL)' : ''}`,
    '',
  ]
  const steps = [
    paint('  Not set up yet. Either', 'careful'),
    `    open    ${url}/setup`,
    `            from another machine it asks for this code: ${paint(code, 'strong')}`,
    `    or run  ${['weir init', ...placeFlags(config)].join(' ')}`,
    '',
  ]
  print.result(
    { url, api: `${url}/v1`, data: folder, version, setup, ...(setup ? {} : { setup_code: code }) },
    { human: [...lines, ...(setup ? [] : steps)].join('\n') },
  )
}
