// A chat request's own bytes on their way: usage is asked for in streams.
import { changeMembers, jsonBytes, type Member, type ObjectBytes } from '../json-bytes.ts'
import type { RequestChange } from '../dialect.ts'
import { objectIn } from '../json-value.ts'
import { patchBody } from '../patch.ts'

const YES = jsonBytes(true)

/**
 * As `patchBody`, with usage asked for in streams. `stream_options: null` in the override keeps usage from being asked
 * for, where a provider refuses that.
 * @throws GatewayError request.unreadable when the bytes hold no object
 */
export const patchRequest = (body: Uint8Array, change: RequestChange): Uint8Array =>
  patchBody(body, change, (object, changes) => {
    if (!change.head.stream) {
      // Out of place without a stream: OpenAI refuses it there.
      changes.set('stream_options', null)
    } else if (changes.get('stream_options') !== null) {
      changes.set('stream_options', askForUsage(body, object, change.override.stream_options))
    }
  })

/** The stream options with usage asked for: the override's, else the caller's own bytes, else just that. */
function askForUsage(body: Uint8Array, object: ObjectBytes, override: unknown): Uint8Array {
  const replaced = objectIn(override)
  if (replaced) return jsonBytes({ ...replaced, include_usage: true })
  const own: Member | undefined = object.members.findLast((member) => member.key === 'stream_options')
  if (!own || body[own.start] !== 0x7b) return jsonBytes({ include_usage: true })
  return changeMembers(body.subarray(own.start, own.end), new Map([['include_usage', YES]]))
}
