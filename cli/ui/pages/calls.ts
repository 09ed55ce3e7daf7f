// The log of calls, searched by its server, and the details of one call for every page with rows that name a call.
import { LOG_ROW_TYPE, type LogEntry } from '../../../core/calls/log-entry.ts'
import { findChannelId } from '../../nouns/channel.ts'
import { logEntryView } from '../../nouns/log.ts'
import { parseRowFilter, pickFilterValue } from '../arrange.ts'
import { declareUiPage, type UiAction, type UiPagePorts } from '../page.ts'
import { words } from '../../texts.ts'

interface OfCall {
  request_id: string | null
  /** The hold id of its charge, which names the receipt. */
  hold_id: string | null
}

const NO_CALL = words('This is not a call.')
const NO_CHARGE = words('Nothing was charged, so the call has no receipt.')

export const lookAtCall: readonly UiAction<OfCall>[] = [
  {
    key: 't',
    name: words('tries'),
    unless: ({ request_id }) => (request_id ? undefined : NO_CALL),
    command: ({ request_id }) => ['logs', 'trace', request_id ?? ''],
  },
  {
    key: 'b',
    name: words('bill'),
    unless: ({ request_id }) => (request_id ? undefined : NO_CALL),
    command: ({ request_id }) => ['logs', 'explain', request_id ?? ''],
  },
  {
    key: 'c',
    name: words('receipt'),
    unless: ({ hold_id }) => (hold_id ? undefined : NO_CHARGE),
    command: ({ hold_id }) => ['receipt', 'get', hold_id ?? ''],
  },
]

const PAGE_SIZE = 200
const FILTERS = ['user', 'token', 'model', 'channel', 'group', 'request_id', 'type']

const TYPES = Object.keys(LOG_ROW_TYPE) as (keyof typeof LOG_ROW_TYPE)[]

/** Returns the query for a filter. A text without a field is a model. @throws Refusal if a field has an unknown value */
async function toLogQuery({ client }: UiPagePorts, filter: string) {
  const { text, fields } = parseRowFilter(filter, FILTERS)
  const { user = '', token = '', model = text, channel = '', group = '', request_id = '', type = '' } = fields
  return {
    username: user,
    token_name: token,
    model_name: model,
    channel: channel === '' ? '' : String(await findChannelId(client, channel)),
    group,
    request_id,
    ...(type === '' ? {} : { type: LOG_ROW_TYPE[pickFilterValue('type', type, TYPES)] }),
  }
}

export const logPage = declareUiPage<LogEntry>({
  name: 'calls',
  title: words('Calls'),
  view: logEntryView,
  empty: words('No calls.'),
  every_ms: 5000,
  filters: FILTERS,
  async load(ports, filter) {
    const { items, total } = await ports.client.logs.list({
      ...(await toLogQuery(ports, filter)),
      p: 1,
      page_size: PAGE_SIZE,
    })
    return { rows: items, total }
  },
  actions: lookAtCall,
  id: ({ id }) => id,
  copied: ({ request_id }) => request_id,
})
