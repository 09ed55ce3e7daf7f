// AWS's binary framing, written: `application/vnd.amazon.eventstream`.
import { crc32 } from 'node:zlib'

/** A message as the page "Event stream encoding" of AWS's documentation describes it. */
export function awsMessage(headers: Record<string, string>, payload: object): Buffer {
  const named = Object.entries(headers).map(([name, value]) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(Buffer.byteLength(value))
    return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, Buffer.from(value)])
  })
  const head = Buffer.concat(named)
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(12)
  prelude.writeUInt32BE(16 + head.length + body.length)
  prelude.writeUInt32BE(head.length, 4)
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8)
  const whole = Buffer.concat([prelude, head, body])
  const end = Buffer.alloc(4)
  end.writeUInt32BE(crc32(whole))
  return Buffer.concat([whole, end])
}

/** An event of a model that is invoked, as Bedrock wraps it. */
export const awsEvent = (inner: object) =>
  awsMessage(
    { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' },
    { bytes: Buffer.from(JSON.stringify(inner)).toString('base64'), p: 'abcdef' },
  )
