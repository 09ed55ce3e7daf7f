// An answer beside chat, in the caller's own format: whole, a stream of events, or bytes that pass as they come (sound).
import type { Usage } from '../../dialects/usage.ts'
import type { Watcher } from '../../dialects/glance.ts'
import type { RequestHead } from '../../dialects/head.ts'
import type { PassingDialect } from '../../dialects/dialect.ts'
import { someMembers } from '../../dialects/passing.ts'
import { Heard } from '../../dialects/sound.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UpstreamReply } from '../../ports/upstream.ts'
import { AttemptError } from '../failure.ts'
import { firstContent, whole, MAX_WHOLE_BYTES } from './reply-bytes.ts'
import { soundTokens } from '../said.ts'
import { reportBehind, type Trailed } from './trailers.ts'

/** @throws AttemptError where it is an error all the same, or a stream that fails before its first content */
export async function passingAnswer(reply: UpstreamReply, dialect: PassingDialect, head: RequestHead, clock: Clock) {
  const content_type = reply.headers['content-type'] ?? 'application/json'
  const behind = (body: Trailed) => {
    const report = reportBehind(body, dialect)
    return report && dialect.usageOf(report, head)
  }
  if (content_type.startsWith('text/event-stream'))
    return firstContent(reply.body, dialect.watcher(head), clock, behind)
  const isJson = content_type.includes('json')
  if (dialect.plain === 'bytes' && !isJson) {
    const usage = dialect.usageOf({}, head)
    return {
      ...(await firstContent(reply.body, soundWatcher(usage, content_type), clock, behind)),
      usage,
      content_type,
    }
  }
  const body = await whole(reply.body, MAX_WHOLE_BYTES)
  const disguised = dialect.plain === 'text' && !isJson ? undefined : dialect.readDisguisedError(body)
  if (disguised) throw new AttemptError(disguised)
  // The rest of the answer may be large.
  const report = { ...someMembers(body, dialect.usageKeys), ...reportBehind(reply.body, dialect) }
  const usage = dialect.usageOf(report, head)
  return { kind: 'whole' as const, body, usage, content_type }
}

/**
 * All of it is content, and where it stops is its end. Sound reports nothing: where it is not sold by the text's
 * characters, its tokens are told from its length (docs/billing.md, 12.4).
 */
function soundWatcher(usage: Usage, content_type: string): Watcher {
  const sound = new Heard()
  let finished = false
  return {
    look(bytes) {
      if (usage.characters === undefined) sound.add(bytes.length, content_type)
      return { pass: [bytes], content: true, ended: false }
    },
    close() {
      finished = true
      const heard = soundTokens(sound)
      const more = heard > 0 ? { usage: { ...usage, output: heard, audio_out: heard } } : {}
      return { pass: [], content: false, ended: true, ...more }
    },
    outputEstimate: () => 0,
    sound: () => sound,
    finished: () => finished,
  }
}
