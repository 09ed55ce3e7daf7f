// `weir serve`: the gateway, its API and its console, until a signal comes.
import path from 'node:path'
import { placeFlags } from '../address.ts'
import { command, type Surroundings } from '../command.ts'
import { openToServe } from '../connect.ts'
import { UsageError } from '../failure.ts'
import { addressOptions, newDatabaseOption } from '../program.ts'
import { aborted } from '../signals.ts'

export const serve = command({
  name: 'serve',
  here: true,
  summary: 'Start the gateway: the model API, the management API and the web console',
  details:
    'Stops gracefully on SIGINT or SIGTERM: open calls are finished and charged. A second signal ends it at once.',
  options: {
    ...addressOptions,
    ...newDatabaseOption,
    workers: {
      flag: '--workers <count>',
      help: 'processes that share the port; more than 1 needs PostgreSQL (--database)',
    },
  },
  async run(context) {
    if (context.server !== undefined)
      throw new UsageError('serve starts Weir on this machine and takes no --server (WEIR_SERVER).')
    const { config, print } = context
    const count = workerCount(context.options.workers, config.database !== undefined)
    // Loaded here and nowhere else, so that the other commands start without the server.
    const [door, { startServer, warmUp, workers }] = await Promise.all([
      import('../../core/adapters/node.ts'),
      import('../../http/start.ts'),
    ])
    const stop = workers.isWorker ? workers.dismissal() : context.interrupted()
    const gateway = await openToServe(door, config)
    const { setup } = await gateway.client.site.status()
    const { version, setupCode: code } = gateway
    const together = count > 1 && !workers.isWorker
    if (together) await gateway.close()
    if (together && !setup) throw new UsageError('Set Weir up first (weir init); then start it with --workers.')
    if (!together) await warmUp(gateway)
    const server = await (together ? workers.startWorkers(count) : startServer(gateway, config)).catch(
      async (error: unknown) => {
        if (!together) await gateway.close()
        throw error
      },
    )
    try {
      if (!workers.isWorker) announce(context, { url: server.url, version, setup, code })
      await aborted(stop)
      if (!workers.isWorker) print.say('\nStopping: open calls are finished first. Press Ctrl+C again to stop at once.')
    } finally {
      await server.close()
      workers.leave()
    }
  },
})

const MAX_WORKERS = 64

function workerCount(given: string | boolean | string[] | undefined, shared: boolean): number {
  const count = Number(given ?? 1)
  if (!Number.isInteger(count) || count < 1 || count > MAX_WORKERS)
    throw new UsageError(`--workers takes a number from 1 to ${MAX_WORKERS}.`)
  if (count > 1 && !shared)
    throw new UsageError(
      'Several workers need PostgreSQL (--database postgres://…): a SQLite database has one owner, which is one process.',
    )
  return count
}

interface Ready {
  url: string
  version: string
  setup: boolean
  code: string
}

async function announce(
  { print, config }: Pick<Surroundings, 'print' | 'config'>,
  { url, version, setup, code }: Ready,
): Promise<void> {
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
    `            it asks for this code: ${paint(code, 'strong')}`,
    `    or run  ${['weir init', ...placeFlags(config)].join(' ')}`,
    '',
  ]
  await print.result(
    { url, api: `${url}/v1`, data: folder, version, setup, ...(setup ? {} : { setup_code: code }) },
    { human: [...lines, ...(setup ? [] : steps)].join('\n'), bare: url },
  )
}
