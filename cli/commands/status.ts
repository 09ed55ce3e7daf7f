// `weir status`: the state of the gateway, at a glance.
import { LOG_ROW_TYPE } from '../../core/calls/log-entry.ts'
import { CHANNEL_STATUS } from '../../core/channels/channel.ts'
import type { WeirClient } from '../../core/contracts.ts'
import { command } from '../command.ts'
import type { GatewayConnection } from '../connection/connect.ts'
import { GatewayRefusal } from '../failure.ts'
import { formatByteSize } from '../output/format.ts'
import { listEveryChannel } from '../nouns/channel.ts'
import { words } from '../texts.ts'
import { count, flag, money, text, time, word, type OutputView } from '../output/view.ts'

export interface GatewayState {
  version: string
  address: string | undefined
  via: GatewayConnection['via']
  /** Epoch seconds; undefined if no server runs. */
  since: number | undefined
  setup: boolean
  /** The part that only administrators see. */
  more: Awaited<ReturnType<typeof loadAdminState>> | undefined
  /** The latest release; undefined unless it was asked for. */
  release?: Awaited<ReturnType<WeirClient['site']['release']>>
}

export const CONNECTION_TEXTS = {
  remote: words('by address'),
  socket: words('running on this machine'),
  process: words('not running'),
}

const DATABASES = { sqlite: words('SQLite'), postgres: words('PostgreSQL') }

const stateView: OutputView<GatewayState> = {
  version: text(words('VERSION'), 1, ({ version }) => version),
  release: text(words('LATEST RELEASE'), 1, ({ release }) => release?.tag_name, {
    tone: ({ release }) => (release?.newer ? 'careful' : 'plain'),
  }),
  address: text(words('ADDRESS'), 1, ({ address }) => address),
  server: word(words('SERVER', { context: 'status' }), 1, CONNECTION_TEXTS, ({ via }) => via, {
    tone: ({ via }) => (via === 'process' ? 'careful' : 'good'),
  }),
  since: time(words('UP SINCE'), 1, ({ since }) => since),
  setup: flag(words('SET UP'), 1, ({ setup }) => setup),
  channels_on: count(words('CHANNELS ON'), 1, ({ more }) => more?.on),
  channels_broken: count(words('CHANNELS SWITCHED OFF BY FAILURES'), 1, ({ more }) => more?.broken.length, {
    tone: ({ more }) => (more?.broken.length ? 'bad' : 'plain'),
  }),
  calls_per_minute: count(words('CALLS A MINUTE'), 1, ({ more }) => more?.rpm),
  tokens_per_minute: count(words('TOKENS A MINUTE'), 1, ({ more }) => more?.tpm),
  models_unpriced: count(words('MODELS WITHOUT A PRICE'), 1, ({ more }) => more?.unpriced.length, {
    tone: ({ more }) => (more?.unpriced.length ? 'careful' : 'plain'),
  }),
  errors: count(words('ERRORS IN THE LAST HOUR'), 1, ({ more }) => more?.errors, {
    tone: ({ more }) => (more?.errors ? 'careful' : 'plain'),
  }),
  charged: money(words('CHARGED IN THE LAST HOUR'), 1, ({ more }) => more?.charged),
  open_holds: count(words('CALLS UNDER WAY'), 1, ({ more }) => more?.gateway.open_holds),
  owed_charges: count(words('CHARGES NOT WRITTEN YET'), 1, ({ more }) => more?.gateway.owed_charges, {
    tone: ({ more }) => (more?.gateway.owed_charges ? 'bad' : 'plain'),
  }),
  processes: count(words('PROCESSES'), 1, ({ more }) => more?.gateway.processes),
  database: word(words('DATABASE'), 1, DATABASES, ({ more }) => more?.gateway.database),
  database_version: text(words('VERSION OF THE DATABASE'), 1, ({ more }) => more?.gateway.database_version),
  database_bytes: count(words('SIZE OF THE DATABASE'), 1, ({ more }) => more?.gateway.database_bytes, {
    shown: ({ more }) => more && formatByteSize(more.gateway.database_bytes),
  }),
  schema: text(words('SCHEMA'), 1, ({ more }) => more?.gateway.schema),
}

export const statusCommand = command({
  name: 'status',
  readOnly: true,
  output: { view: stateView, many: false },
  summary: words('Show the state of the gateway: version, address, channels, calls, errors, database'),
  details: words(
    'Parts for administrators are left out for others. `weir attention` and `weir doctor` suggest remedies.',
  ),
  options: {
    release: { flag: '--release', help: words('ask for the latest release, too, as an administrator') },
  },
  async run(context) {
    const connection = await context.connection()
    const state = await getGatewayState(connection)
    if (context.options.release) state.release = await connection.client.site.release()
    await context.print.one(state, stateView, { quietOutput: CONNECTION_TEXTS[state.via].en })
  },
})

/** Returns the state of the connected gateway. */
export async function getGatewayState(connection: GatewayConnection): Promise<GatewayState> {
  const { client: weir, via } = connection
  const { version, start_time, setup } = await weir.site.status()
  return {
    version,
    address: await connection.address(),
    via,
    since: via === 'process' ? undefined : start_time,
    setup,
    more: await loadAdminState(weir).catch(ignoreForbidden),
  }
}

const HOUR = 3600

async function loadAdminState(weir: WeirClient) {
  const start_timestamp = Math.floor(Date.now() / 1000) - HOUR
  const [{ rpm, tpm, quota: charged }, { total: errors }, channels, missing, gateway] = await Promise.all([
    weir.logs.stat({ start_timestamp }),
    weir.logs.list({ type: LOG_ROW_TYPE.error, start_timestamp, page_size: 1 }),
    listEveryChannel(weir),
    weir.prices.missing(),
    weir.site.gateway(),
  ])
  const having = (status: number) => channels.filter((channel) => channel.status === status)
  const broken = having(CHANNEL_STATUS.auto_disabled).map(({ id, name }) => ({ id, name }))
  const on = having(CHANNEL_STATUS.enabled).length
  const unpriced = missing.map(({ model }) => model)
  return { rpm, tpm, charged, errors, channels: channels.length, on, broken, unpriced, gateway }
}

/** Returns undefined for users who may not see it. */
function ignoreForbidden(error: unknown): undefined {
  if (!(error instanceof GatewayRefusal) || !error.code.startsWith('access.')) throw error
}
