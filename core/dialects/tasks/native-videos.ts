// What the formats in which vendors of video are asked themselves have in common: one film, told of by its id.
import { jsonBytes } from '../json-bytes.ts'
import { asText, withoutUndefined, type JsonObject } from '../json-value.ts'
import type { CallFailure } from '../call-failure.ts'
import { textTokens } from '../estimate.ts'
import { knownUsage, createPassthroughDialect, plainHead } from '../passing.ts'
import { pricedAs } from './film.ts'
import type { Accepted, Grouped, TaskFile, TaskQuestion, TaskStatus } from './task-dialect.ts'
import type { TaskFormat, TaskRoute, ToldTask } from './task-format.ts'

interface Own
  extends Pick<TaskFormat, 'name' | 'read' | 'tell' | 'taken'>, Partial<Pick<TaskFormat, 'ownIds' | 'deleted'>> {
  routes: readonly [TaskRoute, ...TaskRoute[]]
  /** Its prompts, in the body of a submission. */
  prompts(body: Uint8Array): (string | undefined)[]
  tellMany?: TaskFormat['tellMany']
  pageIn?: TaskFormat['pageIn']
  notice?: TaskFormat['notice']
  /** A refusal in its words, where they are others than OpenAI's. */
  refuse?(failure: CallFailure): JsonObject
}

/** A vendor's own format. */
export const nativeVideos = ({ name, prompts, tellMany, refuse, ...own }: Own): TaskFormat => ({
  ...createPassthroughDialect({
    name,
    operation: 'video',
    paths: [own.routes[0].path],
    headFields: {},
    usageKeys: [],
    head: ({ model }) => plainHead(model, 0),
    texts: (body) => prompts(body).filter((text) => text !== undefined),
    usageOf: () => knownUsage({}),
  }),
  operation: 'video',
  platform: 'video',
  ...own,
  tellMany: tellMany ?? ((tasks) => tasks.map((task) => own.tell(task))),
  headOf: ({ model, prompt, film }) => ({
    ...plainHead(model, textTokens(prompt)),
    ...(film ? { video_seconds: film.seconds, film: pricedAs(film) } : {}),
  }),
  ...(refuse ? { writeError: (failure) => jsonBytes(refuse(failure)) } : {}),
})

/** How Ark and those who took after it tell states. */
const STATES: Readonly<Partial<Record<TaskStatus, string>>> = {
  ...{ IN_PROGRESS: 'running', MODAL: 'running', UNKNOWN: 'running', SUCCESS: 'succeeded', FAILURE: 'failed' },
}
export const stateWord = (status: TaskStatus): string => STATES[status] ?? 'queued'

/** The same of their lists, which tell of the tasks that are named in the query. */
export const listedTogether = (path: string, most: number): Grouped => ({
  most,
  question: (ids) => ({
    method: 'GET',
    path: `${path}?page_num=1&page_size=${most}${ids.map((id) => `&filter.task_ids=${encodeURIComponent(id)}`).join('')}`,
  }),
})

/** As most vendors tell times. */
export const epochSeconds = (ms: number): number => Math.floor(ms / 1000)

/** Whole seconds from `first` to `last`, the usual one before the others. */
export const secondsFrom = (usual: number, first: number, last: number): readonly number[] => [
  usual,
  ...Array.from({ length: last - first + 1 }, (_, at) => first + at).filter((second) => second !== usual),
]

/** A vendor's answer says that it did not take the task. */
export const notTaken = (message: string | undefined, code: string | number | null = null): Accepted => ({
  refused: {
    ...{ status: 400, message: message || 'the answer has no task in it', type: 'upstream_error', code },
    ...{ param: null, source: 'upstream' },
  },
})

/** A submission in its vendor's own format: as it came, for the model as the vendor knows it, told of to us alone. */
export const asGiven = (path: string, given: JsonObject, changed: JsonObject): TaskQuestion => ({
  method: 'POST',
  path,
  json: withoutUndefined({ ...given, ...changed }),
})

/** A film at an address that ends by itself, where the address says when. */
export function filmAt(url: unknown, until?: number): TaskFile[] {
  const address = asText(url)
  if (!address) return []
  const end = until ?? endOf(address)
  return [{ kind: 'video', url: address, ...(end === undefined ? {} : { until: end }) }]
}

/** Where a film is for who asked for it: what of the vendor's words it stands in place of. */
export const fileUrl = ({ files }: Pick<ToldTask, 'files'>): string | undefined =>
  files.find(({ kind }) => kind === 'video')?.url

/** Epoch ms at which a signed address ends, as clouds sign them: S3, TOS, OSS and CloudFront, or with a JWT. */
function endOf(address: string): number | undefined {
  if (!URL.canParse(address)) return undefined
  const { searchParams: said } = new URL(address)
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(said.get('X-Amz-Date') ?? said.get('X-Tos-Date') ?? '') ?? []
  const from = year ? Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) : 0
  const seconds = Number(
    said.get('X-Amz-Expires') ?? said.get('X-Tos-Expires') ?? said.get('Expires') ?? claimedEnd(said.get('_jwt')) ?? 0,
  )
  return seconds > 0 ? from + seconds * 1000 : undefined
}

function claimedEnd(token: string | null): string | undefined {
  const [, claims = ''] = token?.split('.') ?? []
  const [, end] = /"exp":\s*(\d+)/.exec(decoded(claims)) ?? []
  return end
}

function decoded(claims: string): string {
  try {
    return atob(claims.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}
