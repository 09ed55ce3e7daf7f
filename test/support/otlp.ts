// A collector on 127.0.0.1: takes OTLP over HTTP and decodes it by the published schema (opentelemetry-proto 1.x), field by
// field, with nothing of the sender's own code.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { eventually } from './gateway.ts'
import type { Json } from './json.ts'

type Value = string | number | boolean | Uint8Array | Value[] | { [key: string]: Value }
export type Attributes = Record<string, Value>

export interface HeardSpan {
  traceId: string
  spanId: string
  parentSpanId: string
  name: string
  /** As numbers of the schema: 1 internal, 2 server, 3 client. */
  kind: number
  /** In ms. */
  start: number
  end: number
  attributes: Attributes
  events: string[]
  /** 0 unset, 1 ok, 2 error. */
  status: number
  message: string
  resource: Attributes
}

export interface HeardMetric {
  name: string
  unit: string
  points: { attributes: Attributes; count?: number; sum?: number; value?: number; bounds?: number[] }[]
}

export interface HeardLog {
  severity: string
  body: string
  traceId: string
  attributes: Attributes
}

export interface Collector {
  url: string
  spans: HeardSpan[]
  metrics: HeardMetric[]
  logs: HeardLog[]
  headers: IncomingHttpHeaders[]
  /** All that has come, as it came. */
  sent: { path: string; bytes: Buffer }[]
  /** Resolves once there are so many. */
  spansOf(count: number): Promise<HeardSpan[]>
  close(): Promise<void>
}

type Kind = 'string' | 'bytes' | 'varint' | 'fixed64' | 'fixed32' | 'double' | 'doubles' | 'fixed64s'
type Schema = { [field: number]: [name: string, kind: Kind | (() => Schema), repeated?: true] }

const anyValue = (): Schema => ({
  1: ['string', 'string'],
  2: ['bool', 'varint'],
  3: ['int', 'varint'],
  4: ['double', 'double'],
  5: ['array', () => ({ 1: ['values', anyValue, true] })],
  6: ['kvlist', () => ({ 1: ['values', keyValue, true] })],
  7: ['bytes', 'bytes'],
})
const keyValue = (): Schema => ({ 1: ['key', 'string'], 2: ['value', anyValue] })
const resource = (): Schema => ({ 1: ['attributes', keyValue, true] })
const scope = (): Schema => ({ 1: ['name', 'string'], 2: ['version', 'string'] })
const span = (): Schema => ({
  1: ['traceId', 'bytes'],
  2: ['spanId', 'bytes'],
  3: ['traceState', 'string'],
  4: ['parentSpanId', 'bytes'],
  5: ['name', 'string'],
  6: ['kind', 'varint'],
  7: ['start', 'fixed64'],
  8: ['end', 'fixed64'],
  9: ['attributes', keyValue, true],
  11: ['events', () => ({ 1: ['time', 'fixed64'], 2: ['name', 'string'], 3: ['attributes', keyValue, true] }), true],
  15: ['status', () => ({ 2: ['message', 'string'], 3: ['code', 'varint'] })],
  16: ['flags', 'fixed32'],
})
const numberPoint = (): Schema => ({
  4: ['double', 'double'],
  6: ['int', 'fixed64'],
  7: ['attributes', keyValue, true],
})
const histogramPoint = (): Schema => ({
  4: ['count', 'fixed64'],
  5: ['sum', 'double'],
  6: ['buckets', 'fixed64s'],
  7: ['bounds', 'doubles'],
  9: ['attributes', keyValue, true],
})
const metric = (): Schema => ({
  1: ['name', 'string'],
  2: ['description', 'string'],
  3: ['unit', 'string'],
  5: ['gauge', () => ({ 1: ['points', numberPoint, true] })],
  7: ['sum', () => ({ 1: ['points', numberPoint, true] })],
  9: ['histogram', () => ({ 1: ['points', histogramPoint, true] })],
})
const logRecord = (): Schema => ({
  1: ['time', 'fixed64'],
  2: ['severityNumber', 'varint'],
  3: ['severityText', 'string'],
  5: ['body', anyValue],
  6: ['attributes', keyValue, true],
  8: ['flags', 'fixed32'],
  9: ['traceId', 'bytes'],
  10: ['spanId', 'bytes'],
  11: ['observed', 'fixed64'],
})
/** All three requests are built alike. */
const requestOf = (item: () => Schema): Schema => ({
  1: [
    'resources',
    () => ({
      1: ['resource', resource],
      2: ['scopes', () => ({ 1: ['scope', scope], 2: ['items', item, true] }), true],
    }),
    true,
  ],
})

/** A message by its schema; fields that it does not name are passed over by their wire type. */
function decoded(bytes: Buffer, schema: Schema): Json {
  const message: Json = {}
  for (const [name, , repeated] of Object.values(schema)) if (repeated) message[name] = []
  let at = 0
  const varint = (): number => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]
      if (byte === undefined) throw new Error('it breaks off in a number')
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return Number(BigInt.asIntN(64, value))
    }
  }
  const run = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('it breaks off in a field')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = varint()
    const wire = tag & 7
    const raw = wire === 0 ? varint() : run(wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? varint() : unknownWire(wire))
    const field = schema[tag >>> 3]
    if (!field) continue
    const [name, kind, repeated] = field
    const value = valueOf(raw, kind)
    if (repeated) (message[name] as Value[]).push(value as Value)
    else message[name] = value
  }
  return message
}

function unknownWire(wire: number): never {
  throw new Error(`wire type ${wire} is none of the schema's`)
}

function valueOf(raw: number | Buffer, kind: Kind | (() => Schema)): unknown {
  if (typeof raw === 'number') return raw
  if (typeof kind === 'function') return decoded(raw, kind())
  const eights = Array.from({ length: Math.floor(raw.length / 8) }, (_, index) => index * 8)
  if (kind === 'string') return raw.toString('utf8')
  if (kind === 'bytes') return raw.toString('hex')
  if (kind === 'fixed64') return Number(raw.readBigUInt64LE())
  if (kind === 'fixed32') return raw.readUInt32LE()
  if (kind === 'double') return raw.readDoubleLE()
  return eights.map((from) => (kind === 'doubles' ? raw.readDoubleLE(from) : Number(raw.readBigUInt64LE(from))))
}

function plain({ string, bool, int, double, array, kvlist, bytes }: Json): Value {
  if (array) return array.values.map(plain)
  if (kvlist) return attributesOf(kvlist.values)
  return string ?? (bool === undefined ? undefined : bool === 1) ?? int ?? double ?? bytes ?? ''
}

const attributesOf = (list: Json[] = []): Attributes =>
  Object.fromEntries(list.map(({ key, value }) => [key, plain(value ?? {})]))

const NS_PER_MS = 1e6

export async function startCollector(): Promise<Collector> {
  const heard: Pick<Collector, 'spans' | 'metrics' | 'logs' | 'headers' | 'sent'> = {
    ...{ spans: [], metrics: [], logs: [], headers: [], sent: [] },
  }

  function take(path: string, bytes: Buffer): void {
    const kind = path.split('/').at(-1)
    const item = kind === 'traces' ? span : kind === 'metrics' ? metric : logRecord
    for (const { resource: of, scopes } of decoded(bytes, requestOf(item)).resources) {
      for (const { items } of scopes) {
        for (const each of items as Json[]) {
          if (kind === 'traces') heard.spans.push(spanOf(each, attributesOf(of?.attributes)))
          else if (kind === 'metrics') heard.metrics.push(metricOf(each))
          else heard.logs.push(logOf(each))
        }
      }
    }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
      heard.headers.push(request.headers)
      heard.sent.push({ path: request.url ?? '', bytes })
      take(request.url ?? '', bytes)
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    ...heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spansOf: (count) =>
      eventually(
        () => heard.spans,
        (spans) => spans.length >= count,
      ),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const spanOf = (each: Json, of: Attributes): HeardSpan => ({
  ...{ traceId: each.traceId, spanId: each.spanId, parentSpanId: each.parentSpanId ?? '', name: each.name },
  ...{ kind: each.kind, start: each.start / NS_PER_MS, end: each.end / NS_PER_MS },
  attributes: attributesOf(each.attributes),
  events: each.events.map(({ name }: Json) => name),
  ...{ status: each.status?.code ?? 0, message: each.status?.message ?? '', resource: of },
})

const metricOf = ({ name, unit, gauge, sum, histogram }: Json): HeardMetric => ({
  ...{ name, unit },
  points: ((gauge ?? sum ?? histogram)?.points ?? []).map((point: Json) => ({
    attributes: attributesOf(point.attributes),
    ...(histogram
      ? { count: point.count ?? 0, sum: point.sum ?? 0, bounds: point.bounds }
      : { value: point.double ?? point.int ?? 0 }),
  })),
})

const logOf = (each: Json): HeardLog => ({
  ...{ severity: each.severityText, body: String(plain(each.body ?? {})), traceId: each.traceId ?? '' },
  attributes: attributesOf(each.attributes),
})
