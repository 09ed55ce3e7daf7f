// Recorded provider traffic that lies beside the repository; tests that use it are skipped where it is absent.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../shared/recordings', import.meta.url))

export interface Recording {
  id: string
  provider: string
  /** The wire format, for example `openai.chat`. */
  api: string
  model: string | null
  features: string[]
  /** `wire` recordings keep the exact framing. */
  fidelity: string
  request: { method: string; path: string; headers: Record<string, string>; body: unknown } | null
  response: {
    status: number
    headers: Record<string, string>
    body?: unknown
    sse?: string[]
    text?: string
    base64?: string
    /** Bytes of each network read, in order. */
    chunk_sizes?: number[]
  }
}

/** Every recording, in the order of their paths; empty where there are none. */
export function allRecordings(): Recording[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json') && path.split(sep).length === 3)
    .sort()
    .map((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Recording)
}

/** All recordings of a wire format, from every provider; empty where there are none. */
export const recordingsOf = (api: string): Recording[] => allRecordings().filter((recording) => recording.api === api)

/** One recording by its id; undefined where recordings are absent. */
export const recordingById = (api: string, id: string): Recording | undefined =>
  recordingsOf(api).find((recording) => recording.id === id)

/** The recorded answer's bytes. */
export function bytesOf({ response }: Recording): Uint8Array {
  if (response.base64 !== undefined) return new Uint8Array(Buffer.from(response.base64, 'base64'))
  const text = response.sse?.join('') ?? response.text ?? JSON.stringify(response.body ?? null)
  return new TextEncoder().encode(text)
}

/** The answer in the reads it came in; one read where the recording does not say. */
export function readsOf(recording: Recording): Uint8Array[] {
  const bytes = bytesOf(recording)
  const reads: Uint8Array[] = []
  let from = 0
  for (const size of recording.response.chunk_sizes ?? []) reads.push(bytes.subarray(from, (from += size)))
  if (from < bytes.length) reads.push(bytes.subarray(from))
  return reads
}

/** Runs of bytes cut at the given places. */
export function cutAt(whole: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b)
  return [...cuts, whole.length].map((end, index) => whole.slice(index === 0 ? 0 : cuts[index - 1], end))
}

/** For the name of a group of tests: says why it is skipped. */
export const recordingsTitle = (title: string): string =>
  existsSync(folder) ? title : `${title} (skipped: no recordings beside the repository)`

export const recordingsHere: boolean = existsSync(folder)
