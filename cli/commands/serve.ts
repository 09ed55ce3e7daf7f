// `weir serve`: the gateway, its API and its console, until a signal stops it.
import path from 'node:path'
import { fillTemplate, EMPTY_WORDS } from '../../core/errors.ts'
import { placeFlags } from '../connection/address.ts'
import { command, type CommandEnvironment } from '../command.ts'
import { openToServe } from '../connection/connect.ts'
import { releaseMemoryAfterStart } from '../engine.ts'
import { UsageError } from '../failure.ts'
import { asUntranslatedText, concatTexts, colorizeTexts } from '../language.ts'
import {
  accessLogOption,
  listenAddressOptions,
  journalWaitOption,
  logHomeOption,
  redisUrlOption,
  metricsPortOptions,
  newDatabaseOption,
} from '../program.ts'
import { waitForAbort } from '../signals.ts'
import { words } from '../texts.ts'
import { flag, text, type OutputView } from '../output/view.ts'
import { describeUnresolvedReference } from '../nouns/state-plan.ts'
import { readStateOrder } from './state/plan.ts'

interface Ready {
  url: string
  data: string
  version: string
  setup: boolean
  code: string
}

const readyView: OutputView<Ready> = {
  url: text(words('CONSOLE'), 1, ({ url }) => url),
  api: text(words('API'), 1, ({ url }) => `${url}/v1`),
  data: text(words('DATA'), 1, ({ data }) => data),
  version: text(words('VERSION'), 1, ({ version }) => version),
  setup: flag(words('SET UP'), 1, ({ setup }) => setup),
  setup_code: text(words('SETUP CODE'), 1, ({ setup, code }) => (setup ? null : code)),
}

export const serveCommand = command({
  name: 'serve',
  alone: true,
  here: true,
  output: { view: readyView, many: false },
  summary: words('Start the gateway: the model API, the management API and the web console'),
  details: words(
    'Stops gracefully on SIGINT or SIGTERM: open calls are finished and charged. A second signal ends it at once.',
  ),
  options: {
    ...listenAddressOptions,
    ...metricsPortOptions,
    ...newDatabaseOption,
    ...accessLogOption,
    ...journalWaitOption,
    ...logHomeOption,
    ...redisUrlOption,
    config: {
      flag: '--config <file>',
      help: words('apply this file first, as weir apply does, before the first call is served'),
    },
    workers: {
      flag: '--workers <count>',
      help: words('processes that share the port (default: 1); more than 1 needs PostgreSQL (--database)'),
    },
  },
  async run(context) {
    if (context.server !== undefined)
      throw new UsageError(words('serve starts Weir on this machine and does not accept --server (WEIR_SERVER).'))
    const { config, print } = context
    const count = workerCount(context.options.workers, config.database !== undefined)
    // Imported dynamically, so that the other commands start without loading the server.
    const [gatewayModule, { startOperations, startServer, workers }] = await Promise.all([
      import('../../core/adapters/node.ts'),
      import('../../http/start.ts'),
    ])
    const stop = workers.isWorker ? workers.createWorkerStop() : context.interrupted()
    const together = count > 1 && !workers.isWorker
    const telemetry = together ? undefined : await gatewayModule.openTelemetry(config)
    const gateway = await openToServe(
      { ...gatewayModule, openGateway: (given) => gatewayModule.openGateway(given, { telemetry }) },
      config,
    )
    const { setup } = await gateway.client.site.status()
    const { version, setupCode: code } = gateway
    if (!workers.isWorker) await applyStateFile(context, gateway)
    if (together) await gateway.close()
    if (together && !setup) throw new UsageError(words('Set Weir up first (weir init); then start it with --workers.'))
    const closing = async (error: unknown) => {
      if (!together) await gateway.close()
      throw error
    }
    const operations = await startOperations(config, together ? undefined : gateway).catch(closing)
    const { readiness, metrics } = operations
    const server = await (
      together
        ? workers.startWorkerProcesses(count, config).then(operations.of)
        : startServer(gateway, config, { readiness, ...(metrics ? { metrics } : {}) })
    ).catch(closing)
    try {
      releaseMemoryAfterStart()
      if (!workers.isWorker) await printAddress(context, { url: server.url, version, setup, code })
      await waitForAbort(stop)
      if (!workers.isWorker) print.say(STOPPING)
    } finally {
      readiness.stage = 'stopping'
      await server.close(LINGER_MS)
      await operations.close()
      await telemetry?.close()
      workers.disconnectWorker()
    }
  },
})

/** Grace period for calls that proxies sent before they could know of the shutdown, in ms. */
const LINGER_MS = 500

/** Applies the file before serving; nothing is served if it cannot be applied. */
async function applyStateFile(
  context: CommandEnvironment & { options: { config?: string | undefined } },
  gateway: OpenGateway,
) {
  const { config } = context.options
  if (config === undefined) return
  try {
    const { order, missing } = await readStateOrder(config, {}, context)
    const { changes } = await gateway.client.state.apply(order)
    for (const { at, reference } of missing)
      context.print.warn(describeUnresolvedReference(at, reference), { always: true })
    context.print.say(
      fillTemplate(words('{config} is applied: {changes} changes.'), { config, changes: changes.length }),
    )
  } catch (error) {
    await gateway.close()
    throw error
  }
}

type OpenGateway = Awaited<ReturnType<typeof import('../../core/adapters/node.ts').openGateway>>

const MAX_WORKERS = 64

function workerCount(given: string | boolean | string[] | undefined, shared: boolean): number {
  const count = Number(given ?? 1)
  if (!Number.isInteger(count) || count < 1 || count > MAX_WORKERS)
    throw new UsageError(
      fillTemplate(words('--workers takes a number from 1 to {maxWorkers}.'), { maxWorkers: MAX_WORKERS }),
    )
  if (count > 1 && !shared)
    throw new UsageError(
      words(
        'Several workers need PostgreSQL (--database postgres://…): a SQLite database has one owner, which is one process.',
      ),
    )
  return count
}

const STOPPING = words('\nStopping: open calls are finished first. Press Ctrl+C again to stop at once.')

/** Prints the address, and the code of the first setup if that is not done. */
async function printAddress(
  { print, config }: Pick<CommandEnvironment, 'print' | 'config'>,
  server: Omit<Ready, 'data'>,
): Promise<void> {
  const { url, version, setup, code } = server
  const { paint } = print
  const ready = { ...server, data: path.resolve(config.data) }
  const init = ['weir init', ...placeFlags(config)].join(' ')
  const setupCode = paint(code, 'strong')
  const database = config.database ? words(' (database: PostgreSQL)') : EMPTY_WORDS
  const human = [
    asUntranslatedText(''),
    colorizeTexts(print, fillTemplate(words('Weir {version} is ready'), { version }), 'strong'),
    asUntranslatedText(''),
    fillTemplate(words('  Console   {url}'), { url: paint(url, 'good') }),
    fillTemplate(words('  API       {url}/v1'), { url }),
    fillTemplate(words('  Data      {data}{database}'), { data: ready.data, database }),
    asUntranslatedText(''),
    ...(setup
      ? []
      : [
          colorizeTexts(print, words('  Not set up yet. Either'), 'careful'),
          fillTemplate(words('    open    {url}/setup'), { url }),
          fillTemplate(words('            it asks for this code: {setupCode}'), { setupCode }),
          fillTemplate(words('    or run  {init}'), { init }),
          asUntranslatedText(''),
        ]),
  ]
  await print.done(ready, readyView, { human: concatTexts(human), quietOutput: url })
}
