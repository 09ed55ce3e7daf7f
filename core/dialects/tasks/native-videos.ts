// The common parts of video vendors' own formats: one video, identified by its id.
import { toJsonBytes } from '../json/json-bytes.ts'
import { asText, omitUndefinedMembers, type JsonObject } from '../json/json-value.ts'
import type { CallFailure } from '../answers/call-failure.ts'
import { estimateTextTokens } from '../requests/head.ts'
import { buildKnownUsage, createPassthroughDialect, buildPlainHead } from '../passing.ts'
import { getPriceFields } from './film.ts'
import type { SubmissionResult, GroupedPolling, TaskFile, TaskRequest, TaskStatus } from './task-dialect.ts'
import type { TaskFormat, TaskRoute, PublicTask } from './task-format.ts'

interface NativeVideoFormat
  extends Pick<TaskFormat, 'name' | 'read' | 'taken'>, Partial<Pick<TaskFormat, 'ownIds' | 'deleted'>> {
  routes: readonly [TaskRoute, ...TaskRoute[]]
  /** Returns the prompts in the body of a submission. */
  prompts(body: Uint8Array): (string | undefined)[]
  writeTask(task: PublicTask, action?: string): JsonObject
  writeTasks?(tasks: readonly PublicTask[], more: boolean): unknown
  pageIn?: TaskFormat['pageIn']
  notice?: TaskFormat['notice']
  /** Writes an error in the format, if it differs from OpenAI's. */
  refuse?(failure: CallFailure): JsonObject
}

/** Creates a vendor's own format. */
export const createNativeVideoFormat = ({
  name,
  prompts,
  writeTasks: tellMany,
  refuse,
  ...own
}: NativeVideoFormat): TaskFormat => ({
  ...createPassthroughDialect({
    name,
    operation: 'video',
    paths: [own.routes[0].path],
    headFields: {},
    usageKeys: [],
    head: ({ model }) => buildPlainHead(model),
    texts: (body) => prompts(body).filter((text) => text !== undefined),
    usageOf: () => buildKnownUsage({}),
  }),
  operation: 'video',
  platform: 'video',
  ...own,
  writeTasks: tellMany ?? ((tasks) => tasks.map((task) => own.writeTask(task))),
  headOf: ({ model, prompt, film }) => ({
    ...buildPlainHead(model, estimateTextTokens(prompt)),
    ...(film ? { video_seconds: film.seconds, film: getPriceFields(film) } : {}),
  }),
  ...(refuse ? { writeErrorReply: (failure) => toJsonBytes(refuse(failure)) } : {}),
})

/** States as in the formats of Ark and its derivatives. */
const STATES: Readonly<Partial<Record<TaskStatus, string>>> = {
  IN_PROGRESS: 'running',
  MODAL: 'running',
  UNKNOWN: 'running',
  SUCCESS: 'succeeded',
  FAILURE: 'failed',
}
export const formatTaskState = (status: TaskStatus): string => STATES[status] ?? 'queued'

/** Batched polling for their lists, which return the tasks that the query names. */
export const createListPolling = (path: string, most: number): GroupedPolling => ({
  most,
  question: (ids) => ({
    method: 'GET',
    path: `${path}?page_num=1&page_size=${most}${ids.map((id) => `&filter.task_ids=${encodeURIComponent(id)}`).join('')}`,
  }),
})

/** Converts ms to seconds, as most vendors report times. */
export const toEpochSeconds = (ms: number): number => Math.floor(ms / 1000)

/** Returns whole seconds from `first` to `last`, with the default first. */
export const listWholeSeconds = (usual: number, first: number, last: number): readonly number[] => [
  usual,
  ...Array.from({ length: last - first + 1 }, (_, at) => first + at).filter((second) => second !== usual),
]

/** Builds the refusal for an answer without a task. */
export const buildRejection = (message: string | undefined, code: string | number | null = null): SubmissionResult => ({
  refused: {
    status: 400,
    message: message || 'the answer has no task in it',
    type: 'upstream_error',
    code,
    param: null,
    source: 'upstream',
  },
})

/** Builds a submission in the vendor's own format: as it came, with the vendor's model name and our callback. */
export const buildSubmission = (path: string, given: JsonObject, changed: JsonObject): TaskRequest => ({
  method: 'POST',
  path,
  json: omitUndefinedMembers({ ...given, ...changed }),
})

/** Returns the file of a video at an address, with its expiry if the address includes it. */
export function buildVideoFiles(url: unknown, until?: number): TaskFile[] {
  const address = asText(url)
  if (!address) return []
  const end = until ?? parseExpiry(address)
  return [{ kind: 'video', url: address, ...(end === undefined ? {} : { until: end }) }]
}

/** Returns the video's public URL, which replaces the vendor's. */
export const getVideoUrl = ({ files }: Pick<PublicTask, 'files'>): string | undefined =>
  files.find(({ kind }) => kind === 'video')?.url

/** Returns the expiry of a signed address in epoch ms: signatures of S3, TOS, OSS and CloudFront, or a JWT. */
function parseExpiry(address: string): number | undefined {
  if (!URL.canParse(address)) return undefined
  const { searchParams: query } = new URL(address)
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get('X-Amz-Date') ?? query.get('X-Tos-Date') ?? '') ?? []
  const from = year ? Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) : 0
  const seconds = Number(
    query.get('X-Amz-Expires') ??
      query.get('X-Tos-Expires') ??
      query.get('Expires') ??
      claimedEnd(query.get('_jwt')) ??
      0,
  )
  return seconds > 0 ? from + seconds * 1000 : undefined
}

/** Returns the end in the claims of a JWT; undefined if they cannot be read or have none. */
function claimedEnd(token: string | null): string | undefined {
  const [, claims = ''] = token?.split('.') ?? []
  try {
    return /"exp":\s*(\d+)/.exec(atob(claims.replaceAll('-', '+').replaceAll('_', '/')))?.[1]
  } catch {
    return undefined
  }
}
