// The requests of channel tests: the cheapest call of each operation, on the relay's own path, and for tests that no
// person watches a question that makes nothing (docs/relay.md, 10).
import { type RoutedChannel, getUpstreamModelName } from '../channels/routed-channel.ts'
import type { CallFailure } from '../dialects/answers/call-failure.ts'
import type { CallerDialect } from '../dialects/dialect.ts'
import { toJsonBytes } from '../dialects/json/json-bytes.ts'
import type { RequestPlace } from '../dialects/model-request.ts'
import { openaiSpeech, openaiTranscriptions } from '../dialects/media/openai-audio.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { openaiEmbeddings, openaiModerations } from '../dialects/embeddings/openai-embeddings.ts'
import { openaiImages } from '../dialects/media/openai-images.ts'
import { openaiRealtime, parseProviderEvent } from '../dialects/openai-realtime.ts'
import { rerank } from '../dialects/embeddings/rerank.ts'
import { findTaskFormat } from '../dialects/tasks/task-formats.ts'
import type { Usage } from '../dialects/answers/usage.ts'
import { fail } from '../errors.ts'
import { findModelFacts } from '../models/model-facts.ts'
import { findKindByName } from '../models/model-kind.ts'
import { isTaskOperation, type CallOperation, type Operation, type TaskOperation } from '../models/operation.ts'
import type { Clock } from '../ports/clock.ts'
import { getBaseUrl } from '../providers/address.ts'
import { findProvider } from '../providers/index.ts'
import type { Provider } from '../providers/provider.ts'
import type { Settings } from '../settings/index.ts'
import { attemptOnChannel, type AttemptPorts } from './attempt.ts'
import { AttemptError } from './failure.ts'
import { openRealtime } from './realtime/connection.ts'
import { type TaskQueryTarget, queryTask } from './tasks/task-query.ts'

/** Reasoning models need some tokens before their first text. */
const PROBE_TOKENS = 16
const THINKING_PROBE_TOKENS = 256
const PROBE_TIMEOUT_MS = 60_000
/** The id of a task that no provider has. */
const UNKNOWN_TASK = '0'
/** The statuses by which providers report that a task does not exist. */
const UNKNOWN_TASK_STATUSES = new Set([400, 404, 422])

export interface ProbeResult {
  model: string
  upstream_model: string
  operation: Operation
  /** true if the model itself was called. A list or a status costs nothing. */
  called: boolean
  /** The usage that the price is computed from. */
  usage: Usage | undefined
  /** Epoch ms. */
  started_at: number
  ms: number
}

/** The model and the kind of question of a test. */
export interface ProbeQuestion {
  model: string
  operation: Operation
  /** `call`: of the model. `status`: of a task that does not exist. `list`: of the provider's models. */
  question: 'call' | 'status' | 'list'
}

type ProbePorts = AttemptPorts & { clock: Clock }
type ModelFactSettings = Pick<Settings, 'models.facts'>

/** Returns the kind of a model: by the listed name, or by the name that the provider knows if the first shows none. */
function findKind(listedName: string, channel: RoutedChannel, settings: ModelFactSettings): Operation | undefined {
  const names = [listedName, getUpstreamModelName(listedName, channel.mapping)]
  return names
    .map((name) => findModelFacts(name, settings['models.facts'])?.kind ?? findKindByName(name))
    .find((kind) => kind !== undefined)
}

/** Does a call of the model make a picture or a film? Some chat models do, too. */
function makesMedia(listedName: string, channel: RoutedChannel, settings: ModelFactSettings): boolean {
  const kind = findKind(listedName, channel, settings) ?? 'chat'
  if (kind === 'images' || isTaskOperation(kind)) return true
  const names = [listedName, getUpstreamModelName(listedName, channel.mapping)]
  return names.some((name) => {
    const writes = findModelFacts(name, settings['models.facts'])?.writes ?? []
    return kind === 'chat' && (writes.includes('image') || writes.includes('video') || /image/i.test(name))
  })
}

/**
 * Returns the model that a channel is tested with, unless one is named: its test model, or the first one that makes
 * neither pictures nor films, or the first; empty if it has none.
 */
export function chooseTestModel(channel: RoutedChannel, named: string, settings: ModelFactSettings): string {
  const { test_model, model_names } = channel
  return (
    named || test_model || model_names.find((name) => !makesMedia(name, channel, settings)) || (model_names[0] ?? '')
  )
}

const offers = (provider: Provider, operation: Operation): boolean =>
  isTaskOperation(operation)
    ? (provider.tasks ?? []).some(({ dialect }) => dialect.operation === operation)
    : (provider[operation] ?? []).length > 0

/** Returns the operation by which the channel serves the model: that of its kind if the provider offers it. */
function findOperation(listedName: string, channel: RoutedChannel, settings: ModelFactSettings): Operation {
  const provider = findProvider(channel.type)
  const kind = findKind(listedName, channel, settings) ?? 'chat'
  if (!provider || offers(provider, kind)) return kind
  if (offers(provider, 'chat')) return 'chat'
  return provider.tasks?.[0]?.dialect.operation ?? kind
}

/**
 * Plans a test by a call of the model. Tasks cost too much for a test: their state is read instead.
 * @throws GatewayError channel.no_test_model
 */
export function planProbeCall(channel: RoutedChannel, named: string, settings: ModelFactSettings): ProbeQuestion {
  const model = chooseTestModel(channel, named, settings) || fail('channel.no_test_model')
  const operation = findOperation(model, channel, settings)
  return { model, operation, question: isTaskOperation(operation) ? 'status' : 'call' }
}

/**
 * Plans a test that no person watches, which makes neither pictures nor films: it reads a list instead. Undefined if
 * the provider has none.
 */
export function planUnattended(
  channel: RoutedChannel,
  model: string,
  settings: ModelFactSettings,
): ProbeQuestion | undefined {
  const probe = planProbeCall(channel, model, settings)
  if (probe.question === 'status' || !makesMedia(model, channel, settings)) return probe
  return findProvider(channel.type)?.models_path ? { ...probe, question: 'list' } : undefined
}

/**
 * Sends the question of a test and waits for the answer.
 * @throws AttemptError if the provider refuses; GatewayError upstream.*, channel.*
 */
export async function probeChannel(
  probe: ProbeQuestion,
  channel: RoutedChannel,
  ports: ProbePorts,
): Promise<ProbeResult> {
  const { model, operation, question } = probe
  const started_at = ports.clock.now()
  const upstream_model = getUpstreamModelName(model, channel.mapping)
  if (question === 'list') await readModelList(channel, ports)
  else if (isTaskOperation(operation)) await readTaskStatus(operation, upstream_model, channel, ports)
  else if (operation === 'realtime') await openSession(model, channel, ports)
  else {
    const answer = await callModel(model, operation, channel, ports)
    const ms = ports.clock.now() - started_at
    return {
      model,
      upstream_model: answer.upstream_model,
      operation,
      called: true,
      usage: answer.usage,
      started_at,
      ms,
    }
  }
  return {
    model,
    upstream_model,
    operation,
    called: false,
    usage: undefined,
    started_at,
    ms: ports.clock.now() - started_at,
  }
}

async function callModel(
  model: string,
  operation: Exclude<CallOperation, 'realtime'>,
  channel: RoutedChannel,
  ports: ProbePorts,
) {
  const { dialect, fields, place } = CALLS[operation](model)
  const body = toJsonBytes({ model, ...fields })
  const signal = buildTimeout()
  const head = dialect.readRequestHead(body, place)
  const request = { id: 'probe', dialect, head, listedName: model, body, signal, ...(place ? { place } : {}) }
  const answer = await attemptOnChannel(request, channel, ports)
  // Sound arrives as a stream; its first bytes are enough.
  if (answer.kind === 'stream') await answer.rest.return?.()
  return answer
}

interface SmallestCall {
  dialect: CallerDialect
  fields: object
  place?: RequestPlace
}

/** The cheapest call of each operation. */
const CALLS: Record<Exclude<CallOperation, 'realtime'>, (model: string) => SmallestCall> = {
  chat(model) {
    const tokens = /thinking|gemini|gpt-[5-9]|^o\d/.test(model) ? THINKING_PROBE_TOKENS : PROBE_TOKENS
    const limit = /^(o\d|gpt-[5-9])/.test(model) ? { max_completion_tokens: tokens } : { max_tokens: tokens }
    return { dialect: openaiChat, fields: { messages: [{ role: 'user', content: 'hi' }], ...limit } }
  },
  embeddings: () => ({ dialect: openaiEmbeddings, fields: { input: ['hello world'] } }),
  moderation: () => ({ dialect: openaiModerations, fields: { input: 'hi' } }),
  rerank: () => ({ dialect: rerank, fields: { query: 'hi', documents: ['hi'] } }),
  images: (model) => ({ dialect: openaiImages, fields: { prompt: 'a dot', ...smallestPicture(model) } }),
  speech: (model) => ({ dialect: openaiSpeech, fields: { input: 'hi', voice: findVoice(model) } }),
  transcription: () => ({
    dialect: openaiTranscriptions,
    fields: {},
    place: { form: { boundary: 'weir-channel-test', files: [SILENCE] } },
  }),
}

/** The smallest picture of models that state their sizes; others make their default. */
function smallestPicture(model: string): object {
  if (/dall-e-2/.test(model)) return { size: '256x256' }
  return /gpt-image/.test(model) ? { size: '1024x1024', quality: 'low' } : {}
}

/** A voice of the model: most servers follow OpenAI's names. */
function findVoice(model: string): string {
  if (/playai/i.test(model)) return 'Fritz-PlayAI'
  if (/orpheus/i.test(model)) return 'tara'
  return /cosyvoice|fish-speech|moss-ttsd|indextts/i.test(model) ? `${model}:alex` : 'alloy'
}

const SILENCE_SECONDS = 0.5
const SAMPLES_PER_SECOND = 8_000

/** Half a second of silence as WAV (8 bit, mono): OpenAI refuses sound of less than 0.1 s. */
const SILENCE = buildSilence()

function buildSilence() {
  const samples = SILENCE_SECONDS * SAMPLES_PER_SECOND
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(SAMPLES_PER_SECOND, 24)
  header.writeUInt32LE(SAMPLES_PER_SECOND, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples, 40)
  const bytes = new Uint8Array([...header, ...Array.from({ length: samples }, () => 128)])
  return {
    name: 'file',
    filename: 'silence.wav',
    content_type: 'audio/wav',
    size: bytes.length,
    seconds: SILENCE_SECONDS,
    seconds_by: 'sound_length' as const,
    async *read() {
      yield bytes
    },
  }
}

/** Opens a session and waits for its first event. Nothing is charged before audio or text is sent. */
async function openSession(model: string, channel: RoutedChannel, ports: ProbePorts): Promise<void> {
  const head = openaiRealtime.readRequestHead(toJsonBytes({ model }))
  const signal = buildTimeout()
  const { conversation } = await openRealtime(
    { dialect: openaiRealtime, listedName: model, head, signal },
    channel,
    ports,
  )
  const onAbort = () => conversation.close(NORMAL_CLOSURE, '')
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const first = await conversation.messages[Symbol.asyncIterator]().next()
    const event = first.done ? undefined : parseProviderEvent(first.value)
    if (!event) fail('upstream.unreadable')
    if (event.type === 'error')
      throw new AttemptError(openaiRealtime.readErrorReply(400, toJsonBytes({ error: event.error })))
  } finally {
    signal.removeEventListener('abort', onAbort)
    conversation.close(NORMAL_CLOSURE, '')
  }
}

const NORMAL_CLOSURE = 1000

async function readModelList(channel: RoutedChannel, ports: ProbePorts): Promise<void> {
  const provider = findProvider(channel.type) ?? fail('channel.wrong_operation')
  const list = provider.models_path ?? fail('channel.fetch_models')
  const path = typeof list === 'function' ? list({ base: getBaseUrl(provider, channel), channel }) : list
  await queryTask({ method: 'GET', path }, toAsking(channel, {}, openaiChat), buildTimeout(), ports)
}

/** Asks for a task that does not exist: the answer shows that address and key work, and nothing is made. */
async function readTaskStatus(
  operation: TaskOperation,
  model: string,
  channel: RoutedChannel,
  ports: ProbePorts,
): Promise<void> {
  const endpoints = (findProvider(channel.type)?.tasks ?? []).filter(({ dialect }) => dialect.operation === operation)
  const endpoint =
    endpoints.find(({ serves }) => serves?.(model) ?? true) ?? endpoints[0] ?? fail('channel.wrong_operation')
  const { dialect } = endpoint
  const asking = toAsking(channel, endpoint, findTaskFormat(dialect.name) ?? openaiChat)
  try {
    const answer = await queryTask(dialect.status(UNKNOWN_TASK, model), asking, buildTimeout(), ports)
    // Some providers refuse in an answer of status 200.
    dialect.states(answer, [UNKNOWN_TASK])
  } catch (error) {
    if (!(error instanceof AttemptError && isUnknownTask(error.failure))) throw error
  }
}

const buildTimeout = () => AbortSignal.timeout(PROBE_TIMEOUT_MS)
const toAsking = (
  channel: RoutedChannel,
  endpoint: TaskQueryTarget['endpoint'],
  format: TaskQueryTarget['format'],
): TaskQueryTarget => ({
  channel,
  endpoint,
  format,
  patience_ms: PROBE_TIMEOUT_MS,
})

/** Texts of refusals that concern the key or the address and not the task; the Chinese ones mean key and permission. */
const NOT_THE_TASK =
  /api.?key|auth|credential|permission|invalid url|no route|page not found|cannot get|<html|\u5bc6\u94a5|\u9274\u6743/i

/** Does the provider report that the task does not exist? Then the key and the address work. */
const isUnknownTask = ({ status, message }: CallFailure): boolean =>
  UNKNOWN_TASK_STATUSES.has(status) && !NOT_THE_TASK.test(message)
