// Recorded provider traffic that lies beside the repository, and what every recording is. `at-hand.ts` has scripted answers
// for where it is absent.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../shared/recordings', import.meta.url))
export const recordingsHere: boolean = existsSync(folder)

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
export function recordedAnswers(): Recording[] {
  if (!recordingsHere) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json') && path.split(sep).length === 3)
    .sort()
    .map((path) => JSON.parse(readFileSync(join(folder, path), 'utf8')) as Recording)
}

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

/** For the name of a group of tests that need a certain recording: says why it is skipped. */
export const recordingsTitle = (title: string): string =>
  recordingsHere ? title : `${title} (skipped: no recordings beside the repository)`
