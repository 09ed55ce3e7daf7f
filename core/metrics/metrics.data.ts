// Every metric of Weir, one declaration each. Its sink, its reading, the page docs/operate/monitor.md and the tests of
// dashboard and alert rules follow from it. No label is of a user or of a token.
import type { MetricDefinition } from '../ports/metric-store.ts'

/** From a quick refusal to a long answer, in seconds. */
const CALL_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const FIRST_SECONDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60]
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]
const BATCH = [1, 2, 4, 8, 16, 32, 64, 128, 256]

const counter = (help: string, unit: string, labels: readonly string[] = []): MetricDefinition => ({
kind: 'counter', help, unit, labels,
})
const gauge = (
  help: string,
  unit: string,
  { labels = [], together }: Pick<Partial<MetricDefinition>, 'labels' | 'together'> = {},
): MetricDefinition => ({ kind: 'gauge', help, unit, labels, ...(together ? { together } : {}) })
const histogram = (
  help: string,
  unit: string,
  buckets: readonly number[],
  labels: readonly string[] = [],
): MetricDefinition => ({ 
kind: 'histogram', help, unit, labels, buckets })

const OF_CALL = ['model', 'channel', 'group'] as const

/** From finished calls, behind their answers. */
export const callMetrics = {
  weir_calls_total: counter('Finished calls', 'calls', [...OF_CALL, 'outcome']),
  weir_call_duration_seconds: histogram('How long calls took, from asking to the last byte', 'seconds', CALL_SECONDS, [
    ...OF_CALL,
    'outcome',
  ]),
  weir_first_token_seconds: histogram('How long streams took to their first content', 'seconds', FIRST_SECONDS, [
    'model',
    'channel',
  ]),
  weir_tokens_total: counter('Tokens of calls by their kind; reasoning is a part of output', 'tokens', [
    ...OF_CALL,
    'kind',
  ]),
  weir_charged_quota_total: counter('What calls were charged', 'quota units', OF_CALL),
  weir_cost_quota_total: counter('What providers take for calls, where that is known', 'quota units', [
    'model',
    'channel',
  ]),
  weir_attempts_total: counter('Tries of calls on channels, by what came of them', 'tries', ['channel', 'result']),
  weir_retries_total: counter('Tries that another try of the same call followed', 'tries', ['channel']),
  weir_metrics_folded_total: counter(
    'Calls that are counted as model, channel and group "other", because there were too many of these',
    'calls',
  ),
} as const satisfies Record<string, MetricDefinition>

/** From group commits of the ledger. */
export const ledgerMetrics = {
  weir_ledger_commit_seconds: histogram('How long group commits took', 'seconds', COMMIT_SECONDS, ['result']),
  weir_ledger_commit_operations: histogram('Holds, charges and credits in a group commit', 'operations', BATCH),
} as const satisfies Record<string, MetricDefinition>

/** Read when they are asked for. */
export const readMetrics = {
  weir_requests_refused_total: counter('Requests of the relay that Weir itself answered with an error', 'requests', [
    'code',
  ]),
  weir_ledger_refused_total: counter('Charges that storage refused for what they say', 'charges'),
  weir_listener_records_total: counter('Finished calls given to listeners, or missed by them', 'calls', [
    'listener',
    'result',
  ]),
  weir_calls_open: gauge('Calls under way', 'calls', { labels: ['kind'] }),
  weir_body_bytes: gauge('Bytes of requests that are in memory', 'bytes'),
  weir_holds_open: gauge('Holds that are neither charged nor released', 'holds'),
  weir_ledger_waiting: gauge('Charges that storage has not taken yet', 'charges'),
  weir_ledger_waiting_seconds: gauge('How long the oldest of them has waited', 'seconds', { together: 'max' }),
  weir_ledger_waiting_safe: gauge('Whether they survive the end of the process (1) or not (0)', 'yes or no', {
    together: 'min',
  }),
  weir_dead_letters: gauge('Refused charges that wait for somebody to look at them', 'charges', { together: 'max' }),
  weir_storage_ready: gauge('Whether calls can begin (1), or storage is away (0)', 'yes or no', { together: 'min' }),
  weir_circuits_open: gauge('Keys and models of a channel that rest after failures', 'circuits', {
labels: ['channel'], together: 'max',
  }),
  weir_channels: gauge('Channels by their status', 'channels', { labels: ['status'], together: 'max' }),
  weir_channel_info: gauge('Always 1: the name of a channel', 'nothing', {
labels: ['channel', 'name'], together: 'max',
  }),
  weir_quota_per_unit: gauge('Quota units of one dollar', 'quota units', { together: 'max' }),
  weir_database_connections: gauge('Connections of the pools; waiting are those who ask for one', 'connections', {
    labels: ['pool', 'state'],
  }),
  weir_database_bytes: gauge('Size of the files of SQLite; the WAL is emptied again and again', 'bytes', {
labels: ['file'], together: 'max',
  }),
  weir_processes: gauge('Processes that these numbers are of', 'processes'),
  weir_build_info: gauge('Always 1: the version', 'nothing', { labels: ['version'], together: 'max' }),
} as const satisfies Record<string, MetricDefinition>

export const metrics = { ...callMetrics, ...ledgerMetrics, ...readMetrics }

export type MetricName = keyof typeof metrics
export type ReadName = keyof typeof readMetrics

/** The values of labels whose values the operator does not name. */
export const labelWords = {
  outcome: {
    complete: 'it was answered whole',
    cut_short: 'its answer broke off, and what there was is charged',
    failed: 'no channel answered',
    rejected: 'the provider refused what was asked',
    left: 'its caller hung up',
  },
  result: {
    answered: 'it answered',
    abandoned: 'the caller left before anything came',
    rate_limited: 'the provider answers 429',
    unauthorized: 'the key is not taken (401, 403)',
    unpaid: 'the account with the provider is empty (402)',
    rejected: 'the provider refuses what was asked (other 4xx)',
    failing: 'the provider fails (5xx)',
    unreachable: 'no answer, or none that can be read',
  },
  kind: {
    input: 'plain input',
    cache_read: 'input read from a cache',
    cache_write: 'input written to a cache',
    output: 'output',
    reasoning: 'the part of output that was thought',
  },
} as const
